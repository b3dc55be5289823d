import { expect, it } from 'vitest';
import { code128 } from './document-head.ts';

const bits = (widths: readonly number[]): string =>
  widths.map((width, index) => (index % 2 === 0 ? '1' : '0').repeat(width)).join('');

// The patterns are from the published table. The check value is (104 + 1 × 33 + 2 × 17) mod 103 = 68.
const START_B = '11010010000';
const A = '10100011000';
const ONE = '10011100110';
const CHECK_68 = '10000100110';
const STOP = '1100011101011';

it('a barcode has the start of code set B, the characters, the check character and the stop', () => {
  expect(bits(code128('A1')!)).toBe([START_B, A, ONE, CHECK_68, STOP].join(''));
});

it('each printable ASCII character has its own symbol of three bars and three spaces in eleven modules', () => {
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  const symbols = characters.map((character) => code128(character)!.slice(6, 12));
  expect(new Set(symbols.map((widths) => widths.join(''))).size).toBe(95);
  for (const widths of symbols) {
    expect(widths.reduce((sum, width) => sum + width, 0)).toBe(11);
    // In the published table, the bars of each symbol have an even number of modules.
    expect((widths[0]! + widths[2]! + widths[4]!) % 2).toBe(0);
  }
});

it.each(['', 'é', 'a\tb', '😀'])('the text %j has no barcode, because code set B lacks its characters', (text) => {
  expect(code128(text)).toBeUndefined();
});
