import { expect, test } from 'vitest';
import { parseBody } from './body.ts';

const quoted = (...bytes: number[]): Buffer => Buffer.from([0x22, ...bytes, 0x22]);

test.each([
  ['a byte that starts no character', quoted(0xff)],
  ['an incomplete character', quoted(0xe2, 0x82)],
  ['half a surrogate pair', quoted(0xed, 0xa0, 0x80)],
  ['an overlong encoding', quoted(0xc0, 0xaf)],
  ['an invalid byte after a genuine replacement character', quoted(0xef, 0xbf, 0xbd, 0xff)],
  ['an invalid byte outside a string', Buffer.from([0x31, 0xff])],
])('parseBody() rejects %s as not UTF-8', (_, bytes) => {
  expect(parseBody(bytes)).toBe('not_utf8');
});

test.each(['plain', 'Łódź', '漢字', '😀', '\ufffd'])('parseBody() accepts the string %j', (text) => {
  expect(parseBody(Buffer.from(JSON.stringify(text)))).toEqual({ json: text });
});

test('parseBody() skips a byte order mark and rejects invalid JSON', () => {
  expect(parseBody(Buffer.from('\ufeff[1]'))).toEqual({ json: [1] });
  expect(parseBody(Buffer.from('[1'))).toBe('not_json');
});
