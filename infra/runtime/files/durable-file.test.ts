import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { damagesOf } from '../../machine/damage.fixture.ts';
import { setAside } from './damaged-file.ts';
import { readFormatted, readJson, writeDurably } from './durable-file.ts';
import { sealJson } from './sealed-json.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'durable-file-'));
  path = join(folder, 'state.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a small file is JSON, and its last member is the CRC-32 of the rest', async () => {
  await writeDurably(path, { format: 1, name: 'ü' });
  // Computed with another implementation, Python's zlib.crc32, over `{"format":1,"name":"ü"}`.
  expect(readFileSync(path, 'utf8')).toBe('{"format":1,"name":"ü","crc32":"86aab005"}\n');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ format: 1, name: 'ü', crc32: '86aab005' });
});

test('any object is read as it was written', async () => {
  const content = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(content, async (value) => {
      await writeDurably(path, value);
      expect(await readJson(path)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a missing file is no damage', async () => {
  expect(await readJson(path)).toBeUndefined();
  expect(await readFormatted(path, 1, () => 'read')).toBeUndefined();
});

test('any damage is noticed', async () => {
  await writeDurably(path, { format: 1, name: 'über', positions: [1, 2.5, null] });
  const whole = readFileSync(path);
  for (const { what, content } of damagesOf(whole)) {
    writeFileSync(path, content);
    expect([what, await readJson(path), await readFormatted(path, 1, () => 'read')]).toEqual([what, null, null]);
  }
});

test('a file without a CRC-32, and one with further bytes, are damaged', async () => {
  const { text } = sealJson('{"a":1}');
  for (const content of ['{"a":1}\n', '{"a":1}', text, `${text}\n\n`, ` ${text}\n`, `${text}\r\n`, `${text.toUpperCase()}\n`]) {
    writeFileSync(path, content);
    expect([content, await readJson(path)]).toEqual([content, null]);
  }
});

test('readFormatted() refuses a newer format, and counts content that its caller cannot parse as damaged', async () => {
  await writeDurably(path, { format: 2 });
  await expect(readFormatted(path, 1, () => 'read')).rejects.toMatchObject({
    code: 'AORTA-DATA-NEWER',
    details: { path, found: 2, known: 1 },
  });
  expect(await readFormatted(path, 2, (content) => content)).toEqual({ format: 2 });
  expect(await readFormatted(path, 2, () => undefined)).toBeNull();
});

test('setAside() moves a damaged file aside, and replaces one that was moved earlier', async () => {
  for (const content of ['first', 'second']) {
    writeFileSync(path, content);
    expect(await setAside(path, 'it is read again')).toMatchObject({
      code: 'AORTA-STATE-DAMAGED',
      details: { file: path, kept: `${path}.damaged`, consequence: 'it is read again' },
    });
    expect([existsSync(path), readFileSync(`${path}.damaged`, 'utf8')]).toEqual([false, content]);
  }
});
