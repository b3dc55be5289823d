import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

it.each([
  ['health.duckdb', 'health.duckdb'],
  ['duckdb:data/50%.duckdb', 'duckdb:data/50%.duckdb'],
  ['', "''"],
  ["it's mine", "'it'\\''s mine'"],
  ['~/a', "'~/a'"],
  ['Süd', "'Süd'"],
  ['a\u001b[31m', `"$(printf 'a\\033\\13331m')"`],
  ['\u202eabc%', `"$(printf '\\342\\200\\256abc\\045')"`],
])('quotes %j as %s', (word, expected) => {
  expect(shellWord(word)).toBe(expected);
});

it('quotes any word so that a shell passes it on unchanged, in characters that a terminal shows', () => {
  const sign = fc.oneof(fc.constantFrom(...'\'"$`\\!*?[](){}<>|&;~# %-=\t\r\u001b\u0007\u007f\u009b\u202e\u200f'), fc.string());
  const word = fc
    .array(sign, { maxLength: 12 })
    .map((signs) => signs.join('').replaceAll('\0', '').toWellFormed().replace(/\n+$/, ''));
  fc.assert(
    fc.property(fc.array(word, { minLength: 30, maxLength: 30 }), (words) => {
      const quoted = words.map(shellWord);
      for (const one of quoted) expect(one).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${quoted.join(' ')}`], { encoding: 'utf8' });
      expect(printed.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 30 },
  );
});
