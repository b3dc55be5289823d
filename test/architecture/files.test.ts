import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const LONGEST = 500;
const TINY = 40;

const isProduct = (file: string): boolean => !/\.(test|fixture|process|generated)\.ts$|\/testing\//.test(file);
const files = globSync('{schemas,pipelines,connectors,infra}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
}).filter(isProduct);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const linesOf = (file: string): number => texts.get(file)!.trimEnd().split('\n').length;

test(`no file is longer than ${LONGEST} lines`, () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => linesOf(file) > LONGEST)).toEqual([]);
});

/** Files that stay alone however short they are: entry points, catalogues, and one command, SQL statement or view per file. */
const standsAlone = (file: string): boolean =>
  /\/(index|internals|main|adapter|errors|metrics)\.ts$|\/(sql|views|verbs)\/|^infra\/setup\//.test(file);
/** A file that a package's entry exports is part of the interface of the package. */
const isEntry = (file: string): boolean => file.endsWith('/index.ts');

test(`a file under ${TINY} lines that only one file imports is part of that file, unless import() loads it`, () => {
  const importers = new Map<string, Set<string>>();
  const lazy = new Set<string>();
  for (const [file, text] of texts)
    for (const [, eager, deferred] of text.matchAll(/ from '(\.[^'\n]+)';|\bimport\('(\.[^'\n]+)'\)/g)) {
      const imported = join(dirname(file), (eager ?? deferred)!);
      if (deferred !== undefined) lazy.add(imported);
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    }
  const tiny = files.filter((file) => linesOf(file) < TINY && !standsAlone(file) && !lazy.has(file));
  const hasOneCaller = ([one, ...others]: readonly string[]): boolean =>
    one !== undefined && others.length === 0 && !isEntry(one);
  expect(tiny.filter((file) => hasOneCaller([...(importers.get(file) ?? [])]))).toEqual([]);
});

/** Words that end in -ing and name a thing, in the field's terms. */
const nouns = new Set([
  'finding',
  'landing',
  'lab-testing',
  'logging',
  'paging',
  'polling',
  'pricing',
  'routing',
  'setting',
  'string',
]);

test('a file is named after a thing, not after an activity', () => {
  const isActivity = (file: string): boolean => {
    const word = basename(file).replace(/\..*$/, '').split('-').at(-1)!;
    return word.endsWith('ing') && !nouns.has(word);
  };
  expect(files.filter(isActivity)).toEqual([]);
});

/** Names that mean the same in every folder. */
const everywhere = new Set(['adapter.ts', 'errors.ts', 'index.ts', 'metrics.ts', 'module.ts', 'options.ts']);

test('within a room, a file name means one thing', () => {
  const rooms = globSync('{connectors/*/*,pipelines/{ingestion,enrichment,loading},pipelines/aorta/*,infra/*,schemas/*}', {
    cwd: root,
  });
  const twice = rooms.flatMap((room) => {
    const names = files.filter((file) => file.startsWith(`${room}/`) && !file.includes('/verbs/')).map((file) => basename(file));
    return names.filter((name, at) => !everywhere.has(name) && names.indexOf(name) !== at).map((name) => `${room}: ${name}`);
  });
  expect(twice).toEqual([]);
});
