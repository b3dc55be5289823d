import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testNamesOf } from '../prose/source-text.ts';
import { specifiedRows } from './specification.ts';

const root = join(import.meta.dirname, '..', '..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const document = textOf('infra/service/SPECIFICATION.md');

/** Returns the proofs of a document that name no existing test. */
function missingIn(markdown: string): string[] {
  const names = new Map<string, ReadonlySet<string>>();
  const namesIn = (file: string): ReadonlySet<string> => {
    if (!names.has(file)) {
      const found = existsSync(join(root, file)) ? testNamesOf(file, textOf(file)) : [];
      names.set(file, new Set(found.map(({ text }) => text)));
    }
    return names.get(file)!;
  };
  return specifiedRows(markdown).flatMap(({ line, proofs }) =>
    proofs.filter(({ file, name }) => !namesIn(file).has(name)).map(({ file, name }) => `line ${line}: ${file}: ${name}`),
  );
}

test('every test that proves a sentence of the specification exists', () => {
  expect(missingIn(document)).toEqual([]);
});

test('no test file that the page names skips tests', () => {
  const files = specifiedRows(document).flatMap(({ proofs }) => proofs.map(({ file }) => file));
  expect(new Set(files).size).toBeGreaterThan(20);
  expect([...new Set(files)].filter((file) => /\b(?:test|it|describe)\.(?:skip|todo|fails|only)/.test(textOf(file)))).toEqual([]);
});

test('every section of the specification has rows', () => {
  const sections = new Set(specifiedRows(document).map(({ section }) => section.slice(0, 2)));
  expect([...sections].filter((section) => /^§\d$/.test(section)).sort()).toEqual([
    '§1',
    '§2',
    '§3',
    '§4',
    '§5',
    '§6',
    '§7',
    '§8',
    '§9',
  ]);
});

test('no sentence is listed twice in a section', () => {
  const sentences = specifiedRows(document).map(({ section, sentence }) => `${section}: ${sentence}`);
  expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([]);
});

test('the README of the service links to the list', () => {
  expect(textOf('infra/service/README.md')).toContain('](SPECIFICATION.md)');
});

test.each([
  ['a file that does not exist', '| A. | `users/nobody.test.ts`: `returns the user` |'],
  ['a name that no test has', '| A. | `users/users.test.ts`: `returns another user` |'],
  ['one wrong name beside a right one', '| A. | `users/users.test.ts`: `returns the user`<br>`users/users.test.ts`: `x` |'],
])('%s is noticed', (_, row) => {
  expect(missingIn(`## §2\n\n| Sentence | Tests |\n| --- | --- |\n${row}\n`)).toHaveLength(1);
});

test.each([
  ['without a test', '| A. | |'],
  ['without a sentence', '| | `users/users.test.ts`: `returns the user` |'],
  ['with a file but no name', '| A. | `users/users.test.ts` |'],
  ['with a third cell', '| A. | `users/users.test.ts`: `returns the user` | b |'],
  ['with other words in place of a test', '| A. | later |'],
])('a row %s is refused', (_, row) => {
  expect(() => missingIn(row)).toThrow(/^line 1: /);
});
