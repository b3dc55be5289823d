import { expect, test } from 'vitest';
import { isError } from './errors.ts';
import { prints } from './expectation.ts';
import { commandsOf, toRun } from './shell.ts';

test('prints() treats an ellipsis as any text, and an ellipsis alone on a line as any number of lines', () => {
  expect(prints('a\nb\n', 'a  \nb\n\n')).toBe(true);
  expect(prints('in … s: 3', 'in 1.5 s: 3')).toBe(true);
  expect(prints('in … s: 3', 'in 1.5 s: 4')).toBe(false);
  expect(prints('a\n…\nd', 'a\nb\nc\nd')).toBe(true);
  expect(prints('a\n…', 'a\nb')).toBe(true);
  expect(prints('a\n…\nd', 'a\nb\nc')).toBe(false);
  expect(prints('a', 'a\nb')).toBe(false);
});

test('commandsOf() splits a block into commands, including continuation lines and here-documents', () => {
  expect(commandsOf("a\nb \\\n  c\ncat <<'END'\nx\ny\nEND\n# why\nd\n")).toEqual([
    'a',
    'b \\\n  c',
    "cat <<'END'\nx\ny\nEND",
    'd',
  ]);
});

test('toRun() throws if a document shows an unknown program or script', () => {
  expect(() => toRun('curl https://example.org')).toThrow();
  expect(() => toRun('npm run nonsense')).toThrow();
  expect(toRun('npm test')).toBe(undefined);
  expect(toRun('npm start')).toBe('aorta demo');
});

test('isError() accepts only errors from the catalogue', () => {
  expect(isError('aorta: The file or folder … does not exist. [AORTA-FILE-NOT-FOUND]\n  Check the path.\n')).toBe(true);
  expect(isError('aorta: There is no such file. [AORTA-FILE-NOT-FOUND]\n  Check the path.\n')).toBe(false);
  expect(isError('aorta: The file or folder … does not exist. [AORTA-NONSENSE]\n  Check the path.\n')).toBe(false);
});
