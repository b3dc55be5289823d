import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { adapterFolders, foldersOf } from './adapter-folders.ts';

const root = join(import.meta.dirname, '..', '..');

const GROUND = ['schemas', 'infra/runtime'];
/** The folder of the interfaces of connectors (`source.ts`, `stream-log.ts`, `warehouse.ts`) and the types that these use. */
const CONTRACTS = 'connectors';
/** The only file that imports adapter folders. It has its own import rules. */
const REGISTRY = 'connectors/registry.ts';
/** The folders of the adapters that the registry lists, so a new adapter needs no entry here. */
const WAREHOUSES = foldersOf('warehouses');
const STREAM_LOGS = foldersOf('streamLogs');
const SOURCES = foldersOf('sources');
const CONNECTORS = [
  CONTRACTS,
  REGISTRY,
  'connectors/kafka/client',
  'connectors/service',
  'connectors/sources',
  'connectors/streams',
  'connectors/warehouses',
];
const PIPELINES = ['pipelines/ingestion', 'pipelines/enrichment', 'pipelines/loading'];
const SERVERS = ['infra/bigquery', 'infra/event-hubs', 'infra/kafka'];

/** Folders that an adapter may import in addition to those that all adapters of its kind may import. */
const adaptersAlsoMay: Readonly<Record<string, readonly string[]>> = {
  // The patterns of a source leave out the topics of streams.
  'connectors/kafka/source': ['connectors/kafka/client', 'connectors/streams'],
  'connectors/kafka/streams': ['connectors/kafka/client'],
  // The intake log of webhooks may be a topic, which the Kafka source reads.
  'connectors/webhook': ['connectors/kafka/client', 'connectors/kafka/source'],
};

/** Every adapter of a kind may also import `common`, the folder of the code that adapters of the kind have in common. */
const adapterImports = (folders: readonly string[], common: string): Record<string, readonly string[]> =>
  Object.fromEntries(folders.map((folder) => [folder, [...GROUND, CONTRACTS, common, ...(adaptersAlsoMay[folder] ?? [])]]));

/** The folders that each folder may import. Any other import, even of a type, fails the test (docs/guides/architecture.md). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  'infra/runtime': [],
  [CONTRACTS]: GROUND,
  [REGISTRY]: [...GROUND, CONTRACTS, ...SOURCES, ...STREAM_LOGS, ...WAREHOUSES],
  'connectors/kafka/client': ['infra/runtime'],
  'connectors/service': GROUND,
  'connectors/sources': [...GROUND, CONTRACTS],
  ...adapterImports(SOURCES, 'connectors/sources'),
  'connectors/streams': [...GROUND, CONTRACTS],
  ...adapterImports(STREAM_LOGS, 'connectors/streams'),
  'connectors/warehouses': [...GROUND, CONTRACTS],
  ...adapterImports(WAREHOUSES, 'connectors/warehouses'),
  'pipelines/ingestion': [...GROUND, ...CONNECTORS],
  'pipelines/enrichment': [...GROUND, ...CONNECTORS],
  'pipelines/loading': [...GROUND, ...CONNECTORS],
  'pipelines/aorta': [...GROUND, ...CONNECTORS, ...PIPELINES, ...SERVERS, 'infra/people', 'infra/service'],
  'infra/machine': ['infra/runtime'],
  'infra/people': ['schemas'],
  'infra/event-hubs': ['schemas', 'infra/runtime', 'infra/people', 'infra/machine'],
  'infra/kafka': ['infra/machine'],
  'infra/bigquery': ['infra/runtime', 'infra/machine'],
  'infra/service': ['infra/runtime', 'infra/people'],
  'infra/release': [],
  'infra/setup': [],
};
const ruledFolders = Object.keys(mayImport);

/** Tests may also import adapters and the local servers. */
const testsMayImport: readonly string[] = [
  ...SERVERS,
  'infra/machine',
  'infra/people',
  'infra/service',
  ...SOURCES,
  ...STREAM_LOGS,
  ...WAREHOUSES,
];
const isTest = (file: string): boolean => /\.(test|fixture|process)\.ts$|\/testing\//.test(file);

const sources = '{schemas,pipelines,connectors,infra}/**/*.{ts,js,mjs}';
const files = globSync(sources, { cwd: root, exclude: (name) => name.includes('node_modules') });
const known = new Set(files);

/** Returns the innermost folder with import rules that contains the file. A file can have rules of its own. */
function folderOf(file: string): string | undefined {
  const contains = (folder: string): boolean =>
    // The rules of the contracts are for files directly in their folder, not for a folder of a connector without rules.
    folder === CONTRACTS ? dirname(file) === CONTRACTS : file.startsWith(`${folder}/`);
  const within = ruledFolders.filter((folder) => file === folder || contains(folder));
  return within.sort((a, b) => b.length - a.length)[0];
}

const manifests = globSync('{schemas,connectors,pipelines/*,infra/*}/package.json', { cwd: root });
/** Maps each specifier that the packages of this repository export to its file. */
const exported = new Map<string, string>();
for (const manifest of manifests) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
    name: string;
    exports?: Record<string, string>;
  };
  for (const [entry, file] of Object.entries(exports)) exported.set(`${name}${entry.slice(1)}`, join(dirname(manifest), file));
}
const packageOf = (file: string): string => manifests.map(dirname).find((folder) => file.startsWith(`${folder}/`)) ?? '';

const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** Returns the specifiers that a file imports lazily, with `import()`. */
function lazyImports(file: string): string[] {
  return [...texts.get(file)!.matchAll(/\bimport\('([^'\n]+)'\)/g)].map((match) => match[1]!);
}

/** Returns the specifiers that a file imports with `import type`. Node does not load these. */
function typeImports(file: string): string[] {
  return [...texts.get(file)!.matchAll(/^import type [^;]*? from '([^'\n]+)';$/gm)].map((match) => match[1]!);
}

/** Returns the specifiers of a file's imports and re-exports, including dynamic imports. */
function imports(file: string): string[] {
  const pattern = /^(?:import|export|\}).*?\bfrom '([^'\n]+)';$|^import '([^'\n]+)';$|\bimport\('([^'\n]+)'\)/gm;
  return [...texts.get(file)!.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

const isOurs = (specifier: string): boolean => /^(@aorta\/|aorta$|\.)/.test(specifier);

/** Returns the file that a specifier refers to, or undefined if the file is not in this repository. */
function resolve(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(file), specifier) : exported.get(specifier);
}

test('every adapter folder has import rules', () => {
  for (const folders of [SOURCES, STREAM_LOGS, WAREHOUSES]) expect(folders.length).toBeGreaterThan(1);
  expect([...SOURCES, ...STREAM_LOGS, ...WAREHOUSES].sort()).toEqual(adapterFolders);
  for (const folder of Object.keys(adaptersAlsoMay)) expect([...SOURCES, ...STREAM_LOGS, ...WAREHOUSES]).toContain(folder);
});

test('every source file is in a folder with import rules', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => folderOf(file) === undefined)).toEqual([]);
});

test('a folder imports only the folders listed for it, even in tests and type imports', () => {
  const broken = files.flatMap((file) => {
    const folder = folderOf(file)!;
    const allowed = [folder, ...mayImport[folder]!, ...(isTest(file) ? testsMayImport : [])];
    return imports(file)
      .filter(isOurs)
      .flatMap((specifier) => {
        const other = resolve(file, specifier);
        if (other === undefined) return [`${file} imports ${specifier}, which no package exports`];
        return allowed.includes(folderOf(other) ?? 'nowhere') ? [] : [`${file} imports ${other}`];
      });
  });
  expect(broken).toEqual([]);
});

test('code outside tests imports another package by its name, not by a relative path', () => {
  const broken = files.flatMap((file) =>
    imports(file)
      .filter(
        (specifier) =>
          !isTest(file) && specifier.startsWith('.') && packageOf(join(dirname(file), specifier)) !== packageOf(file),
      )
      .map((specifier) => `${file} imports ${specifier}`),
  );
  expect(broken).toEqual([]);
});

/** Returns the groups of nodes that form cycles, using Tarjan's algorithm for strongly connected components. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (from: string): void => {
    order.set(from, order.size);
    lowest.set(from, order.get(from)!);
    path.push(from);
    for (const to of graph.get(from) ?? []) {
      if (!order.has(to)) visit(to);
      if (path.includes(to)) lowest.set(from, Math.min(lowest.get(from)!, lowest.get(to)!));
    }
    if (lowest.get(from) === order.get(from)) {
      const circle = path.splice(path.indexOf(from));
      if (circle.length > 1) found.push(circle.sort());
    }
  };
  for (const from of graph.keys()) if (!order.has(from)) visit(from);
  return found;
}

test('circles() returns the nodes of a cycle and leaves out all other nodes', () => {
  const graph = new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: ['a'], d: [] }));
  expect(circles(graph)).toEqual([['a', 'b', 'c']]);
});

test('the imports of files, including lazy and type imports, form no cycle', () => {
  const graph = files.map((file): [string, string[]] => [
    file,
    imports(file).flatMap((specifier) => {
      const other = resolve(file, specifier);
      return other !== undefined && known.has(other) ? [other] : [];
    }),
  ]);
  expect(circles(new Map(graph))).toEqual([]);
});

test('the imports between folders with import rules form no cycle', () => {
  const graph = new Map<string, string[]>(ruledFolders.map((folder) => [folder, []]));
  for (const file of files) {
    if (isTest(file)) continue;
    for (const specifier of imports(file).filter(isOurs)) {
      const [from, to] = [folderOf(file)!, folderOf(resolve(file, specifier)!)!];
      if (from !== to) graph.get(from)!.push(to);
    }
  }
  expect(circles(graph)).toEqual([]);
});

test('the schemas, except for their generator, perform no input or output and do not read the clock', () => {
  const pure = files.filter(
    (file) => file.startsWith('schemas/') && !file.startsWith('schemas/generate/') && !file.endsWith('.test.ts'),
  );
  const broken = pure.filter((file) => {
    const text = texts.get(file)!;
    return (
      imports(file).some((specifier) => specifier.startsWith('node:')) || /Date\.now|new Date\(\)|\bprocess\.[a-z]/.test(text)
    );
  });
  expect(broken).toEqual([]);
});

test('every package declares each dependency that it imports', () => {
  const missing = files
    .filter((file) => !isTest(file) && !file.startsWith('infra/setup/'))
    .flatMap((file) => {
      const folder = packageOf(file);
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        dependencies?: Record<string, string>;
        devDependencies?: Record<string, string>;
      };
      // Installing a package does not install its development dependencies, so only lazy and type imports may use it.
      const development = [...lazyImports(file), ...typeImports(file)].filter(
        (specifier) => manifest.devDependencies?.[specifier] !== undefined,
      );
      return imports(file)
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:') && !development.includes(specifier))
        .map((specifier) => (specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0]!))
        .filter((name) => manifest.dependencies?.[name] === undefined)
        .map((name) => `${file} imports ${name}`);
    });
  expect(missing).toEqual([]);
});

test('no file or folder is named utils, common, helpers, manager, misc or shared', () => {
  expect(files.filter((file) => /(^|\/)(utils?|common|helpers?|managers?|misc|shared)(\.|\/)/.test(file))).toEqual([]);
});

test('the lock file contains no download addresses', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; link?: boolean }>;
  };
  const resolved = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined && entry.link !== true);
  expect(resolved.map(([name]) => name)).toEqual([]);
});
