import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAortaError } from '@aorta/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSetting, type SettingOptions } from './configuration.ts';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'usable-')));
  mkdirSync(join(folder, 'there'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('nowhere/data', join(folder, 'dangling'));
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('there', join(folder, 'link'));
  symlinkSync('nowhere.yaml', join(folder, 'there', 'aorta.yaml'));
  writeFileSync(join(folder, 'latin-1.yaml'), Buffer.from('log: {}\nsources: [{ type: files, paths: [caf\xe9] }]\n', 'latin1'));
  mkdirSync(join(folder, 'caf\ufffd'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns why the location is refused; undefined if it is not. */
function problem(options: SettingOptions, how: { readonly isElsewhere?: boolean } = {}): string | undefined {
  try {
    readSetting(options, {}, folder, how);
    return undefined;
  } catch (error) {
    return isAortaError(error) ? `${error.code} ${error.message}`.replaceAll(folder, '…') : String(error);
  }
}
const refused = (path: string, why: string) => `AORTA-PATH-REFUSED Aorta cannot use the path …/${path}: ${why}.`;

test.each([
  'a b', "it's", 'a"b', 'a#b', 'a%20b', 'a;b', 'a\\b', '~', '$' + '{HOME}', 'a\nb', '\x1b[31m', ' a', 'a ', 'a.', '[x]', '*', ':memory:', '😀', 'a:b',
  'there', 'there/', 'link', 'there/../new/deep', 'y'.repeat(200), 'caf\ufffd',
])('a data folder and a warehouse in %j are accepted', (name) => {
  expect(problem({ data: name })).toBeUndefined();
  expect(problem({ warehouse: `duckdb:${name}/w.duckdb` })).toBeUndefined();
}); // biome-ignore format: names

test('a path that leads nowhere is refused with its cause', () => {
  expect(problem({ data: 'file' })).toBe(refused('file/streams', '…/file is not a folder'));
  expect(problem({ data: 'file/sub' })).toBe(refused('file/sub/streams', '…/file is not a folder'));
  const nowhere = 'the link …/dangling leads to nowhere/data, which does not exist';
  expect(problem({ data: 'dangling' })).toBe(refused('dangling/streams', nowhere));
  expect(problem({ warehouse: 'duckdb:dangling' })).toBe(refused('dangling', nowhere));
  expect(problem({ data: 'loop' })).toBe(refused('loop/streams', 'ELOOP: links lead back to themselves'));
  expect(problem({ warehouse: 'duckdb:there' })).toBe(refused('there', 'it is a folder, but must be a file'));
  expect(problem({ content: '{"streams":{"type":"local","folder":"file"}}' })).toBe(
    refused('file', 'it is a file, but must be a folder'),
  );
});

test('a path that is too long is refused, also if only the names that Aorta adds are too long', () => {
  const why = 'it is too long, or a name in it is too long, for the files that Aorta adds';
  expect(problem({ data: 'x'.repeat(256) })).toBe(refused(`${'x'.repeat(256)}/streams`, why));
  expect(problem({ warehouse: `duckdb:${'x'.repeat(240)}` })).toBe(refused('x'.repeat(240), why));
  expect(problem({ data: Array(45).fill('z'.repeat(90)).join('/') })).toContain(why);
});

test('a character that cannot be in a path is named', () => {
  const bytes = 'it has bytes that are not UTF-8, which are shown as \ufffd';
  expect(problem({ data: 'th\ufffd' })).toBe(refused('th\ufffd/streams', bytes));
  expect(problem({ data: 'caf\ufffd/th\ufffd' })).toBe(refused('caf\ufffd/th\ufffd/streams', bytes));
  expect(problem({ config: 'th\ufffd/aorta.yaml' })).toBe(refused('th\ufffd/aorta.yaml', bytes));
  expect(problem({ warehouse: 'duckdb:a?b' })).toBe(refused('a?b', 'DuckDB takes the text after a question mark for parameters'));
  expect(problem({ content: '{"warehouse":{"type":"duckdb","path":"a\\u0000b"}}' })).toBe(
    refused('a\\x00b.streams', 'it has a NUL character'),
  );
  expect(problem({ data: '' })).toBe('AORTA-USAGE --data is empty.');
});

test('a configuration that is a link to nothing does not result in the defaults', () => {
  const why = 'the link …/there/aorta.yaml leads to nowhere.yaml, which does not exist';
  expect(() => readSetting({}, {}, join(folder, 'there'))).toThrow(why.replace('…', folder));
  expect(problem({ config: 'there/aorta.yaml' })).toBe(refused('there/aorta.yaml', why));
});

test('a configuration that is not UTF-8 is refused with the place of its first other byte', () => {
  expect(problem({ config: 'latin-1.yaml' })).toBe(
    'AORTA-CONFIG-SYNTAX latin-1.yaml:2:37: this is not valid YAML (the file is not UTF-8).',
  );
});

test('for another machine, only the characters of a path matter', () => {
  const elsewhere = { isElsewhere: true };
  expect(problem({ data: 'file/sub' }, elsewhere)).toBeUndefined();
  expect(problem({ data: 'a?b' }, elsewhere)).toContain('question mark');
});
