import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from '../visible.ts';
import { pathBytes, pathText, systemPath } from './path-bytes.ts';

test('names that are not UTF-8 have different texts, which lead back to their bytes', () => {
  const names = ['caf\xe9', 'caf\xe8', 'caf\xc3\xa9', 'caf\xef\xbf\xbd', '\xed\xb3\xa9', '\xff\xc3'].map((name) =>
    Buffer.from(name, 'latin1'),
  );
  expect(names.map(pathText)).toEqual(['caf\udce9', 'caf\udce8', 'café', 'caf\ufffd', '\udced\udcb3\udca9', '\udcff\udcc3']);
  expect(names.map((name) => pathBytes(pathText(name)).toString('latin1'))).toEqual(names.map((name) => name.toString('latin1')));
  expect(visible(pathText(names[0]!))).toBe('caf\\xe9');
});

test('any bytes survive as text, and as text in JSON', () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((values) => Buffer.from(values));
  const sample = fc.oneof(
    bytes,
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(sample, (name) => {
      const text = JSON.parse(JSON.stringify(pathText(name))) as string;
      expect(pathBytes(text)).toEqual(name);
    }),
  );
});

test('the system receives text as text, and other names as bytes', () => {
  expect(systemPath('Zoë/😀')).toBe('Zoë/😀');
  expect(systemPath('drop/caf\udce9')).toEqual(Buffer.from('drop/caf\xe9', 'latin1'));
});
