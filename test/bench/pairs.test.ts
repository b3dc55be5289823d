import { expect, test } from 'vitest';
import { compare, microseconds, type Pair } from './pairs.ts';

const figure = 'landing: a core for an event';
const pairs = (ratios: readonly number[], name = figure): Pair[] =>
  ratios.map((ratio) => ({ before: new Map([[name, 100]]), after: new Map([[name, 100 * ratio]]) }));

test('microseconds() returns only those figures of a printed table that are in microseconds', () => {
  const printed = `## files\n\n| what | median | least–most |\n| --- | --- | --- |\n| landing | 3,155,962 samples/s | 1–2 |\n| ${figure} | 1,041.7 µs | 29.8–52.4 |\n`;
  expect([...microseconds(printed)]).toEqual([[figure, 1041.7]]);
});

test('a figure counts as slower if the whole 95 % interval of its ratio lies above 1.03', () => {
  // The ratios alternate between 1.05 and 1.07. Their mean is 1.06, and the standard deviation of their logarithms is about
  // 0.0099. Half the width of the interval is 2.306 × 0.0099 ÷ 3 = 0.0076.
  const [steady] = compare(pairs([1.05, 1.07, 1.05, 1.07, 1.05, 1.07, 1.05, 1.07, 1.06]));
  expect(steady).toMatchObject({ before: 100, slower: true });
  expect(steady!.ratio).toBeCloseTo(1.06, 3);
  expect(steady!.least).toBeCloseTo(1.06 * Math.exp(-0.0076), 2);
  // The same mean with more noise is not significant.
  const [noisy] = compare(pairs([0.9, 1.22, 0.9, 1.22, 0.9, 1.22, 0.9, 1.22, 1.06]));
  expect([noisy!.slower, noisy!.least < 1.03]).toEqual([false, true]);
});

test('compare() never reports a wall-clock figure as slower, and leaves out a figure that only one checkout has', () => {
  expect(compare(pairs([2, 2, 2], 'receipt → Avro record'))).toMatchObject([{ slower: false }]);
  expect(compare([{ before: new Map(), after: new Map([[figure, 1]]) }])).toEqual([]);
});
