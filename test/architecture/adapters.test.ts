import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtIn } from '@aorta/connectors/registry';
import { describe, expect, test } from 'vitest';
import { adapterFolders, foldersOf, placedAdapters } from './adapter-folders.ts';

/* A new adapter needs only a folder, which only the registry imports. No other code depends on the adapter's type. */

const root = join(import.meta.dirname, '..', '..');
const REGISTRY = 'connectors/registry.ts';

interface Kind {
  readonly list: string;
  readonly adapters: readonly Adapter[];
  readonly folders: readonly string[];
}

/** The kinds of adapters, each with the registry's list of its adapters and the folders that hold them. */
const kinds: readonly Kind[] = [
  { list: 'sources', adapters: builtIn.sources, folders: foldersOf('sources') },
  { list: 'streamLogs', adapters: builtIn.streamLogs, folders: foldersOf('streamLogs') },
  { list: 'warehouses', adapters: builtIn.warehouses, folders: foldersOf('warehouses') },
];

/** For each file, words that look like an adapter's type or option but mean something else in this file. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  // The default name of the source that reads the files named on the command line.
  'pipelines/aorta/run/load.ts': ['files'],
  'pipelines/aorta/cli/verbs/load.ts': ['files'],
  // Names of local servers, as in `aorta dev kafka`.
  'pipelines/aorta/cli/verbs/dev.ts': ['event-hubs'],
  'pipelines/aorta/cli/verbs/dev-kafka.ts': ['kafka'],
  'pipelines/aorta/cli/verbs/dev-bigquery.ts': ['bigquery'],
  'pipelines/aorta/cli/verbs/dev-webhook.ts': ['webhook'],
  // The service's webhooks, which any receiver can take.
  'pipelines/aorta/cli/verbs/service/webhook.ts': ['webhook'],
  // Here `local` means the local time of a person.
  'connectors/warehouses/kept/timeseries-daily.ts': ['local'],
  // The demonstration writes a configuration. It also counts webhooks, and the service's fault rules select them.
  'pipelines/aorta/demo/demo-run.ts': ['event-hubs', 'webhook'],
  'pipelines/aorta/cli/verbs/demo.ts': ['webhook'],
  'pipelines/aorta/demo/scenario.ts': ['webhook'],
};

/** Adapters that are built on another adapter, which they may import. */
const builtOn: Readonly<Record<string, string>> = {
  // The intake log of webhooks may be a topic, which the Kafka source reads.
  'connectors/webhook': 'connectors/kafka/source',
};

const isTest = (file: string): boolean => /\.(test|fixture|process)\.ts$/.test(file);
const files = globSync('{schemas,pipelines,connectors,infra/runtime}/**/*.{ts,js,mjs}', { cwd: root }).filter(
  (file) => !file.includes('node_modules') && !isTest(file),
);
const outside = files.filter((file) => !adapterFolders.some((folder) => file.startsWith(`${folder}/`)));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

function withoutComments(code: string): string {
  return code.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '').replaceAll(/\s\/\/ .*$/gm, '');
}

interface Adapter {
  readonly type: string;
  readonly options: unknown;
}

/** Returns the options that only some adapters of a kind have. Code can check for such an option instead of the type. */
function distinguishingOptions(adapters: readonly Adapter[]): string[] {
  const names = adapters.map(({ options }) => Object.keys((options as { shape?: object }).shape ?? {}));
  return [...new Set(names.flat())].filter((name) => !names.every((some) => some.includes(name)));
}

/** Returns the parts of `code` that may depend on an adapter's type. Any string that equals a type counts. */
function branchesIn(code: string, adapters: readonly Adapter[], meant: readonly string[] = []): string[] {
  const text = withoutComments(code);
  const types = adapters.map(({ type }) => type).filter((type) => !meant.includes(type));
  const options = distinguishingOptions(adapters).filter((option) => !meant.includes(option));
  const any = types.join('|');
  const key = `(?:\\b|['"\`])(?:${any})['"\`]?\\s*:`;
  const forms = [
    new RegExp(`(['"\`])(?:${any})\\1`, 'g'),
    // Matches a lookup table by type: an object with at least two types as keys, close to each other.
    new RegExp(`[{,]\\s*${key}[^]{0,300}?[{,]\\s*${key}`, 'g'),
    ...(options.length === 0 ? [] : [new RegExp(`['"](?:${options.join('|')})['"]\\s+in\\s`, 'g')]),
    /\[[\w.?]*\.type\]/g,
    /\.test\([\w.?]+\.type\)/g,
    /\.type\??\.(?:startsWith|endsWith|includes|indexOf|match|localeCompare)\(/g,
  ];
  return types.length === 0
    ? []
    : forms.flatMap((form) => [...text.matchAll(form)].map(([found]) => found)).filter((found) => !meant.includes(found));
}

describe('the search for code that depends on the type of an adapter', () => {
  const adapters = builtIn.sources;
  test.each([
    "if (source.type === 'kafka') return;",
    "if ('event-hubs' !== type) return;",
    'if (source.type == "files") return;',
    "switch (source.type) { case 'kafka': return topics; }",
    'const { type } = source; return type === `kafka`;',
    "const KAFKA = 'kafka';",
    "['kafka', other].includes(type)",
    "new Map([['kafka', topics]])",
    'const names = { files: 1, kafka: 2 };',
    'const openers = {\n  files: (x) => openFiles(x),\n  kafka: (x) => openKafka(x),\n};',
    'return openers[source.type];',
    "type Topics = Extract<Source, { type: 'kafka' }>;",
    "if ('topics' in source) return;",
    '/^kaf/.test(source.type)',
    "source.type.startsWith('kaf')",
  ])('finds %s', (code) => expect(branchesIn(code, adapters)).not.toEqual([]));

  test.each([
    "// source.type === 'kafka'",
    " * type 'kafka'",
    'return { name, type };',
    'const { files: plan } = found;',
    "'name' in source",
  ])('finds nothing in %s', (code) => expect(branchesIn(code, adapters)).toEqual([]));

  test('ignores types and options that are listed in otherWords', () => {
    const code = "if ('topics' in options || format === 'kafka') return;";
    expect(branchesIn(code, adapters)).toHaveLength(2);
    expect(branchesIn(code, adapters, ['topics', 'kafka'])).toEqual([]);
  });
});

test('the registry lists the adapter of every folder that has one, in one list', () => {
  expect(placedAdapters.map(({ folder }) => folder)).toEqual(adapterFolders);
});

describe.each(kinds)('$list', ({ adapters, folders }) => {
  const specifiers = (file: string): string[] =>
    [
      ...withoutComments(textOf(file)).matchAll(
        /(?:\bfrom |\bimport\(|^import |\brequire\(|\bURL\(|\bresolve\()\s*'([^'\n]+)'/gm,
      ),
    ].map((match) => match[1]!);

  test('every adapter in the registry has a folder, from which the registry imports it', () => {
    const imported = specifiers(REGISTRY).map((specifier) => dirname(join(dirname(REGISTRY), specifier)));
    expect(folders.filter((one) => !imported.includes(one))).toEqual([]);
    expect(folders).toHaveLength(adapters.length);
  });

  test('only the registry imports the folder of an adapter', () => {
    const broken = files.flatMap((file) =>
      specifiers(file)
        .map((specifier) =>
          specifier.startsWith('.') ? join(dirname(file), specifier) : specifier.replace(/^@aorta\/connectors\//, 'connectors/'),
        )
        .filter((target) =>
          folders.some((own) => (target === own || target.startsWith(`${own}/`)) && !file.startsWith(`${own}/`)),
        )
        .filter(
          (target) => !Object.entries(builtOn).some(([from, to]) => file.startsWith(`${from}/`) && target.startsWith(`${to}/`)),
        )
        .filter(() => file !== REGISTRY)
        .map((target) => `${file} imports ${target}`),
    );
    expect(broken, 'move code that adapters share to connectors/sources, connectors/streams or connectors/warehouses').toEqual(
      [],
    );
  });

  test('no code outside the folder of an adapter depends on the type of the adapter', () => {
    const broken = outside.flatMap((file) =>
      branchesIn(textOf(file), adapters, otherWords[file]).map((found) => `${file}: ${found}`),
    );
    expect(broken, 'if the file means another word, list it in `otherWords`').toEqual([]);
  });
});

test('every word listed in otherWords still occurs in its file', () => {
  const isThere = (file: string, words: string): boolean =>
    withoutComments(textOf(file)).includes(words.startsWith('[') ? words : `'${words}'`);
  const unneeded = Object.entries(otherWords).flatMap(([file, words]) =>
    words.filter((one) => !isThere(file, one)).map(() => file),
  );
  expect(unneeded).toEqual([]);
});
