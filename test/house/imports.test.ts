import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The house: which folder may import which of our packages. Nothing else is allowed (docs/guides/house.md). */
const may: Record<string, readonly string[]> = {
  schemas: [],
  'pipelines/telemetry': [],
  'pipelines/kafka-client': ['@aorta/telemetry'],
  'pipelines/streams': ['@aorta/schemas', '@aorta/telemetry', '@aorta/kafka-client'],
  'pipelines/consumers': ['@aorta/schemas', '@aorta/telemetry', '@aorta/streams', '@aorta/kafka-client', '@aorta/service-client'],
  'connectors/service': ['@aorta/schemas', '@aorta/telemetry'],
  'connectors/warehouse': ['@aorta/schemas', '@aorta/telemetry'],
  'connectors/jobs': ['@aorta/schemas', '@aorta/telemetry', '@aorta/streams', '@aorta/warehouse', '@aorta/service-client'],
  'pipelines/aorta': [
    '@aorta/schemas',
    '@aorta/telemetry',
    '@aorta/streams',
    '@aorta/consumers',
    '@aorta/warehouse',
    '@aorta/jobs',
    '@aorta/service-client',
    '@aorta/people',
    '@aorta/event-hubs-server',
    '@aorta/kafka-client',
    '@aorta/kafka-broker',
    '@aorta/bigquery-server',
  ],
  'infra/people': ['@aorta/schemas'],
  'infra/event-hubs': ['@aorta/schemas', '@aorta/telemetry', '@aorta/people', '@aorta/machine'],
  'infra/kafka': ['@aorta/machine'],
  'infra/machine': [],
  'infra/bigquery': ['@aorta/machine'],
  'infra/setup': [],
};

/** What tests of a folder may import beside that: the local servers that stand in for its peers. */
const testsMay: Record<string, readonly string[]> = {
  'pipelines/consumers': ['@aorta/event-hubs-server', '@aorta/kafka-broker'],
  'pipelines/streams': ['@aorta/kafka-broker'],
  'connectors/warehouse': ['@aorta/bigquery-server'],
  'connectors/jobs': ['@aorta/bigquery-server'],
  'pipelines/kafka-client': ['@aorta/kafka-broker'],
};
const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.endsWith('.fixture.ts');

const folders = Object.keys(may);
const files = globSync('{schemas,pipelines,connectors,infra}/**/*.{ts,js,mjs}', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
});
const folderOf = (file: string): string | undefined => folders.find((folder) => file.startsWith(`${folder}/`));

/** Specifiers of what a file loads when it needs it, and only then. */
function lazyImports(file: string): string[] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/\bawait import\('([^'\n]+)'\)/g)].map((match) => match[1]!);
}

/** Specifiers of a file's imports and re-exports, dynamic ones included. */
function imports(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern = /^(?:import|export|\}).*?\bfrom '([^'\n]+)';$|^import '([^'\n]+)';$|\bimport\('([^'\n]+)'\)/gm;
  return [...text.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

test('every source file lives in a folder of the house', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => folderOf(file) === undefined)).toEqual([]);
});

test('a folder imports only what the house allows it', () => {
  const broken = files.flatMap((file) => {
    const folder = folderOf(file)!;
    return imports(file)
      .filter((specifier) => {
        if (specifier.startsWith('.')) return relative(folder, join(dirname(file), specifier)).startsWith('..');
        const ours = /^(@aorta\/[^/]+|aorta)/.exec(specifier)?.[1];
        return ours !== undefined && ![...may[folder]!, ...(isTest(file) ? (testsMay[folder] ?? []) : [])].includes(ours);
      })
      .map((specifier) => `${file} imports ${specifier}`);
  });
  expect(broken).toEqual([]);
});

test('schemas have no clock and do no input or output, apart from their generator', () => {
  const pure = files.filter(
    (file) => file.startsWith('schemas/') && !file.startsWith('schemas/generate/') && !file.endsWith('.test.ts'),
  );
  const broken = pure.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return (
      imports(file).some((specifier) => specifier.startsWith('node:')) || /Date\.now|new Date\(\)|\bprocess\.[a-z]/.test(text)
    );
  });
  expect(broken).toEqual([]);
});

test('declared dependencies are what is imported: no package leans on a neighbour’s', () => {
  const missing = files
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.fixture.ts') && !file.includes('/testing/'))
    .flatMap((file) => {
      const folder = folderOf(file)!;
      if (folder === 'infra/setup') return [];
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        dependencies?: Record<string, string>;
        devDependencies?: Record<string, string>;
      };
      // What is only for tests may be loaded by what only tests call.
      const lazy = lazyImports(file).filter((specifier) => manifest.devDependencies?.[specifier] !== undefined);
      return imports(file)
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:') && !lazy.includes(specifier))
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
