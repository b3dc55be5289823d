/**
 * Builds and packs the published packages: `node infra/release/build.ts [FOLDER]`. Published packages contain JavaScript
 * and declarations, because Node does not strip types from files under `node_modules`.
 *
 * The packages are written to FOLDER, in the same subfolders as in the repository, and their tarballs to
 * `FOLDER/tarballs`. The default FOLDER, `dist`, is replaced. Any other FOLDER must not exist yet.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The packages that `aorta` needs at run time. */
const packages = [
  'schemas',
  'infra/runtime',
  'connectors',
  'pipelines/ingestion',
  'pipelines/enrichment',
  'pipelines/loading',
  'pipelines/aorta',
];

/** Files to publish in addition to the compiled TypeScript. */
const otherFiles = '**/{*.avsc,*.js,*-NOTICE.md}';

function build(out: string): void {
  compile(out);
  for (const folder of packages) {
    copyOtherFiles(folder, out);
    for (const file of globSync('**/*.js', { cwd: join(out, folder) })) nameBuiltFiles(join(out, folder, file));
    writeManifest(folder, out);
  }
  const tarballs = join(out, 'tarballs');
  mkdirSync(tarballs);
  for (const folder of packages) run('npm', ['pack', '--silent', '--pack-destination', tarballs], join(out, folder));
}

function compile(out: string): void {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  run(process.execPath, [compiler, '--project', join(import.meta.dirname, 'tsconfig.json'), '--outDir', out], root);
}

function copyOtherFiles(folder: string, out: string): void {
  const exclude = (name: string): boolean => name === 'node_modules';
  for (const file of globSync(otherFiles, { cwd: join(root, folder), exclude })) {
    mkdirSync(dirname(join(out, folder, file)), { recursive: true });
    copyFileSync(join(root, folder, file), join(out, folder, file));
  }
  copyFileSync(join(root, 'LICENSE'), join(out, folder, 'LICENSE'));
}

/** Matches module paths that the code builds at run time. The compiler rewrites only the paths in import statements. */
const builtPath = /(new URL\(|join\(import\.meta\.dirname, )'([^'\n]+)\.ts'/g;

/** Replaces `.ts` with `.js` in `new URL('./x.ts', import.meta.url)` and `join(import.meta.dirname, 'x.ts')`. */
export function withBuiltPaths(javaScript: string): string {
  return javaScript.replace(builtPath, "$1'$2.js'");
}

function nameBuiltFiles(file: string): void {
  const text = readFileSync(file, 'utf8');
  const built = withBuiltPaths(text);
  if (built !== text) writeFileSync(file, built);
}

/** The members of a package.json that the release build reads. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

type PublishedManifest = Omit<Manifest, 'private' | 'devDependencies' | 'exports'> & {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
};

/**
 * Creates the package.json of a built package, whose exports point to JavaScript and declarations. Exports that were not built are
 * dropped, because only the repository's own tests and scripts use them. `isBuilt` receives paths such as `./path.js`.
 */
export function publishedManifest(
  { private: _private, devDependencies: _development, exports, ...kept }: Manifest,
  isBuilt: (file: string) => boolean,
): PublishedManifest {
  const built = Object.entries(exports).flatMap(([entry, file]) => {
    const path = file.replace(/\.ts$/, '');
    return isBuilt(`${path}.js`) ? [[entry, { types: `${path}.d.ts`, default: `${path}.js` }] as const] : [];
  });
  return { ...kept, exports: Object.fromEntries(built) };
}

function writeManifest(folder: string, out: string): void {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const published = publishedManifest(manifest, (file) => existsSync(join(out, folder, file)));
  writeFileSync(join(out, folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const text =
    manifest.name === 'aorta'
      ? readFileSync(join(root, 'README.md'), 'utf8')
      : `# ${manifest.name}\n\n${manifest.description}. This package is part of \`aorta\`. Install \`aorta\` instead.\n`;
  writeFileSync(join(out, folder, 'README.md'), text);
}

function run(program: string, args: readonly string[], folder: string): void {
  const { status, error } = spawnSync(program, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} exited with code ${status}`);
}

const [named] = process.argv.slice(2);
const folder = resolve(named ?? join(root, 'dist'));
if (named === undefined) rmSync(folder, { recursive: true, force: true });
else if (existsSync(folder)) throw new Error(`The folder ${named} already exists. Name a folder that does not exist.`);
build(folder);
