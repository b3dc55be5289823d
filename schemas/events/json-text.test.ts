import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test.each([
  ['\ud800', '"\\\\ud800"'],
  ['a\udfffb', '"a\\\\udfffb"'],
  ['\ud800\ud800\udc00', '"\\\\ud800\u{10000}"'],
  ['\\ud800', '"\\\\ud800"'],
  ['\\\ud800', '"\\\\\\\\ud800"'],
  ['\u0000\u001f', '"\\u0000\\u001f"'],
  [{ '\ud800': ['\udc00'] }, '{"\\\\ud800":["\\\\udc00"]}'],
])('jsonText replaces a lone surrogate with the six characters of its escape', (value, text) => {
  expect(jsonText(value)).toBe(text);
});

test('jsonText keeps well-formed strings unchanged and makes other strings well-formed', () => {
  const unit = fc.oneof(fc.constantFrom(0xd800, 0xdbff, 0xdc00, 0xdfff, 0x5c, 0x22, 0x75, 0x64), fc.nat(0xffff));
  const texts = fc.array(unit, { maxLength: 8 }).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(texts, (text) => {
      const read = JSON.parse(jsonText(text)) as string;
      expect(read.isWellFormed()).toBe(true);
      const spelled = text.replaceAll(/[\ud800-\udfff]/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
      expect(read).toBe(spelled);
    }),
  );
});
