import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const LONGEST = 500;

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
