import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible, visibleLines } from './visible.ts';

test.each([
  ['an escape sequence', '\u001b]0;title\u0007', '\\x1b]0;title\\x07'],
  ['line breaks and tabs', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
  ['NUL and DEL', '\0\u007f', '\\x00\\x7f'],
  ['an 8-bit control sequence', '\u009b31m', '\\x9b31m'],
  ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
  ['controls of direction', '\u061c\u200e\u200f\u202a\u202e\u2066\u2069', '\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069'],
  ['invisible characters', '\u00ad\u200b\u2060\ufeff', '\\xad\\u200b\\u2060\\ufeff'],
  ['invisible tags', '\u{e0041}', '\\udb40\\udc41'],
  ['half a surrogate pair', 'a\ud83db', 'a\\ud83db'],
])('visible() writes %s as escapes', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each(['Zoë', '漢字', '👩‍👩‍👧', 'می‌خواهم', '葛\u{e0100}城', 'C:\\data', '\u00a0', '\ufffd'])(
  'visible() leaves %s as it is',
  (text) => {
    expect(visible(text)).toBe(text);
  },
);

const anyText = fc.string({ unit: 'binary', maxLength: 50 });
const signs = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('');
const mixed = fc.oneof(
  anyText,
  fc.string({ unit: fc.constantFrom(...signs, '\u202e', '\u2028', '\ud800', '😀'), maxLength: 50 }),
);

test('a visible text has no control characters, is one line, and does not change again', () => {
  fc.assert(
    fc.property(mixed, (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u);
      expect(visible(shown)).toBe(shown);
    }),
  );
});

test('visibleLines() keeps line breaks, and the value of JSON', () => {
  expect(visibleLines('a\nb\u001b\u009b\u007f')).toBe('a\nb\\x1b\\u009b\\u007f');
  fc.assert(
    fc.property(fc.dictionary(mixed, mixed), (value) => {
      const text = visibleLines(JSON.stringify(value, undefined, 2));
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
