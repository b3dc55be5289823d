/**
 * Builds and packs the packages: `node infra/release/build.ts [FOLDER]`. Node strips no types under `node_modules`, so a
 * published package holds JavaScript and declarations. FOLDER (default `dist`; another one must not exist) gets the packages as they are published, in
 * the folders that they have in the repository, and `FOLDER/tarballs` gets one file of `npm pack` for each.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type Manifest, publishedManifest } from './published-manifest.ts';
import { withBuiltPaths } from './typescript-paths.ts';

const root = join(import.meta.dirname, '..', '..');

/** The packages that `aorta` needs at run time. The local servers under `infra` are not among them. */
const packages = [
  'schemas',
  'infra/runtime',
  'connectors',
  'pipelines/ingestion',
  'pipelines/enrichment',
  'pipelines/loading',
  'pipelines/aorta',
];

/** What is published beside the built TypeScript. */
const otherFiles = '**/*.{avsc,js}';

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

function nameBuiltFiles(file: string): void {
  const text = readFileSync(file, 'utf8');
  const built = withBuiltPaths(text);
  if (built !== text) writeFileSync(file, built);
}

function writeManifest(folder: string, out: string): void {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const published = publishedManifest(manifest, (file) => existsSync(join(out, folder, file)));
  writeFileSync(join(out, folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const text =
    manifest.name === 'aorta'
      ? readFileSync(join(root, 'README.md'), 'utf8')
      : `# ${manifest.name}\n\n${manifest.description}. This is a part of the package \`aorta\`; install that one.\n`;
  writeFileSync(join(out, folder, 'README.md'), text);
}

function run(program: string, args: readonly string[], folder: string): void {
  const { status, error } = spawnSync(program, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`);
}

const [named] = process.argv.slice(2);
const folder = resolve(named ?? join(root, 'dist'));
if (named === undefined) rmSync(folder, { recursive: true, force: true });
else if (existsSync(folder)) throw new Error(`${named} is there already. Name a folder that is not.`);
build(folder);
