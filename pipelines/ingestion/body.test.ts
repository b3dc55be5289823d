import { expect, test } from 'vitest';
import { parseBody } from './body.ts';

const quoted = (...bytes: number[]): Buffer => Buffer.from([0x22, ...bytes, 0x22]);

test.each([
  ['a byte that begins nothing', quoted(0xff)],
  ['half a character', quoted(0xe2, 0x82)],
  ['half a surrogate pair', quoted(0xed, 0xa0, 0x80)],
  ['a character in too many bytes', quoted(0xc0, 0xaf)],
  ['such a byte beside a replacement character that was sent', quoted(0xef, 0xbf, 0xbd, 0xff)],
  ['such a byte outside of texts', Buffer.from([0x31, 0xff])],
])('%s is not UTF-8', (_, bytes) => {
  expect(parseBody(bytes)).toBe('not_utf8');
});

test.each(['plain', 'Łódź', '漢字', '😀', '\ufffd'])('%j is a text', (text) => {
  expect(parseBody(Buffer.from(JSON.stringify(text)))).toEqual({ json: text });
});

test('a byte order mark is passed over, and what is no JSON is said to be none', () => {
  expect(parseBody(Buffer.from('\ufeff[1]'))).toEqual({ json: [1] });
  expect(parseBody(Buffer.from('[1'))).toBe('not_json');
});
