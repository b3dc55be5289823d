import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

const GROUND = ['schemas', 'infra/runtime'];
/** The interfaces of connectors: `source.ts`, `stream-log.ts`, `warehouse.ts` and what they speak of. */
const CONTRACTS = 'connectors';
/** The one file that imports the folders of adapters. It is a room of its own. */
const REGISTRY = 'connectors/registry.ts';
/** The folders of the adapters of one kind. A new adapter needs no entry here. */
const adapterFolders = (kind: string): string[] =>
  globSync(`connectors/${kind}/*/adapter.ts`, { cwd: root }).map((file) => dirname(file));
const WAREHOUSES = adapterFolders('warehouses');
const STREAM_LOGS = adapterFolders('streams');
const SOURCES = adapterFolders('sources');
/** Everything that pipelines work with. */
const CONNECTORS = [
  ...[CONTRACTS, REGISTRY],
  ...['connectors/kafka-client', 'connectors/service', 'connectors/sources', 'connectors/streams', 'connectors/warehouses'],
];
const PIPELINES = ['pipelines/ingestion', 'pipelines/enrichment', 'pipelines/loading'];
const SERVERS = ['infra/bigquery', 'infra/event-hubs', 'infra/kafka'];

/** What adapters may import beyond the rooms that every adapter of their kind may. */
const adaptersAlsoMay: Readonly<Record<string, readonly string[]>> = {
  'connectors/sources/kafka': ['connectors/kafka-client'],
  'connectors/streams/kafka': ['connectors/kafka-client'],
};

const adapterRooms = (folders: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    folders.map((folder) => [folder, [...GROUND, CONTRACTS, dirname(folder), ...(adaptersAlsoMay[folder] ?? [])]]),
  );

/** What each room may import, types included. Nothing else is allowed (docs/guides/architecture.md). */
const may: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  'infra/runtime': [],
  [CONTRACTS]: GROUND,
  [REGISTRY]: [...GROUND, CONTRACTS, ...SOURCES, ...STREAM_LOGS, ...WAREHOUSES],
  'connectors/kafka-client': ['infra/runtime'],
  'connectors/service': GROUND,
  'connectors/sources': [...GROUND, CONTRACTS],
  ...adapterRooms(SOURCES),
  'connectors/streams': [...GROUND, CONTRACTS],
  ...adapterRooms(STREAM_LOGS),
  'connectors/warehouses': [...GROUND, CONTRACTS],
  ...adapterRooms(WAREHOUSES),
  'pipelines/ingestion': [...GROUND, ...CONNECTORS],
  'pipelines/enrichment': [...GROUND, ...CONNECTORS],
  'pipelines/loading': [...GROUND, ...CONNECTORS],
  'pipelines/aorta': [...GROUND, ...CONNECTORS, ...PIPELINES, ...SERVERS, 'infra/people'],
  'infra/machine': [],
  'infra/people': ['schemas'],
  'infra/event-hubs': ['schemas', 'infra/runtime', 'infra/people', 'infra/machine'],
  'infra/kafka': ['infra/machine'],
  'infra/bigquery': ['infra/machine'],
  'infra/release': [],
  'infra/setup': [],
};
const rooms = Object.keys(may);

/** Beside that, tests may import the local servers that stand in for the peers of their room, and adapters to be tested with. */
const testsMay: readonly string[] = [...SERVERS, 'infra/machine', 'infra/people', ...SOURCES, ...STREAM_LOGS, ...WAREHOUSES];
const isTest = (file: string): boolean => /\.(test|fixture|process)\.ts$|\/testing\//.test(file);

const sources = '{schemas,pipelines,connectors,infra}/**/*.{ts,js,mjs}';
const files = globSync(sources, { cwd: root, exclude: (name) => name.includes('node_modules') });
const known = new Set(files);

/** The innermost room that a file is in, or that it is. */
function roomOf(file: string): string | undefined {
  const within = rooms.filter((room) => file === room || file.startsWith(`${room}/`));
  return within.sort((a, b) => b.length - a.length)[0];
}

/** Folders of packages, the innermost first. */
const manifests = globSync('{schemas,connectors,pipelines/*,infra/*}/package.json', { cwd: root });
/** File behind each specifier that a package of ours exports. */
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

/** Specifiers of what a file loads when it needs it, and only then. */
function lazyImports(file: string): string[] {
  return [...texts.get(file)!.matchAll(/\bimport\('([^'\n]+)'\)/g)].map((match) => match[1]!);
}

/** Specifiers of what a file imports for its types alone, which Node does not load. */
function typeImports(file: string): string[] {
  return [...texts.get(file)!.matchAll(/^import type [^;]*? from '([^'\n]+)';$/gm)].map((match) => match[1]!);
}

/** Specifiers of a file's imports and re-exports, dynamic ones included. */
function imports(file: string): string[] {
  const pattern = /^(?:import|export|\}).*?\bfrom '([^'\n]+)';$|^import '([^'\n]+)';$|\bimport\('([^'\n]+)'\)/gm;
  return [...texts.get(file)!.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

const isOurs = (specifier: string): boolean => /^(@aorta\/|aorta$|\.)/.test(specifier);

/** The file that a specifier of ours stands for. */
function resolve(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(file), specifier) : exported.get(specifier);
}

test('every adapter has a room', () => {
  for (const folders of [SOURCES, STREAM_LOGS, WAREHOUSES]) expect(folders.length).toBeGreaterThan(1);
  for (const folder of Object.keys(adaptersAlsoMay)) expect([...SOURCES, ...STREAM_LOGS, ...WAREHOUSES]).toContain(folder);
});

test('every source file lives in a room', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
});

test('a room imports only what it may, tests and types included', () => {
  const broken = files.flatMap((file) => {
    const room = roomOf(file)!;
    const allowed = [room, ...may[room]!, ...(isTest(file) ? testsMay : [])];
    return imports(file)
      .filter(isOurs)
      .flatMap((specifier) => {
        const other = resolve(file, specifier);
        if (other === undefined) return [`${file} imports ${specifier}, which no package exports`];
        return allowed.includes(roomOf(other) ?? 'nowhere') ? [] : [`${file} imports ${other}`];
      });
  });
  expect(broken).toEqual([]);
});

test('a package is imported by its name, and only by what it exports; fixtures, where tests need them', () => {
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

/** Groups of files that import each other in a circle, lazily or for types alone, too. */
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

test('circles are found', () => {
  const graph = new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: ['a'], d: [] }));
  expect(circles(graph)).toEqual([['a', 'b', 'c']]);
});

test('no file imports itself through others', () => {
  const eager = (file: string): string[] => imports(file).filter((specifier) => !lazyImports(file).includes(specifier));
  const graph = files.map((file): [string, string[]] => [
    file,
    eager(file).flatMap((specifier) => {
      const other = resolve(file, specifier);
      return other !== undefined && known.has(other) ? [other] : [];
    }),
  ]);
  expect(circles(new Map(graph))).toEqual([]);
});

test('no room imports itself through others', () => {
  const graph = new Map<string, string[]>(rooms.map((room) => [room, []]));
  for (const file of files) {
    if (isTest(file)) continue;
    for (const specifier of imports(file).filter(isOurs)) {
      const [from, to] = [roomOf(file)!, roomOf(resolve(file, specifier)!)!];
      if (from !== to) graph.get(from)!.push(to);
    }
  }
  expect(circles(graph)).toEqual([]);
});

test('schemas have no clock and do no input or output, apart from their generator', () => {
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

test('declared dependencies are what is imported: no package leans on a neighbour’s', () => {
  const missing = files
    .filter((file) => !isTest(file) && !file.startsWith('infra/setup/'))
    .flatMap((file) => {
      const folder = packageOf(file);
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        dependencies?: Record<string, string>;
        devDependencies?: Record<string, string>;
      };
      // A development dependency may be absent where the package is installed: nothing may need it to load.
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

test('names say something: no utils, common, helpers, manager or misc', () => {
  expect(files.filter((file) => /(^|\/)(utils?|common|helpers?|managers?|misc|shared)(\.|\/)/.test(file))).toEqual([]);
});

test('the lock file holds no download addresses', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; link?: boolean }>;
  };
  const resolved = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined && entry.link !== true);
  expect(resolved.map(([name]) => name)).toEqual([]);
});
