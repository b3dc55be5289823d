import { describe, expect, test } from 'vitest';
import { priceOf, TIB } from '../cost/price.ts';
import { mergeBytes, mergeIntervals } from './table-pace.ts';

const GIB = 2 ** 30;
const PRICE = 6.25;

const mergeInterval = (budget: number, bytes: number, price: number, bounds?: { least: number; most: number }): number =>
  mergeIntervals(budget, [{ name: 'one', bytes }], price, bounds).get('one')!;

const costOfDay = (bytes: number, interval: number): number => priceOf(mergeBytes({ bytes }), PRICE) * (86_400 / interval);

describe('the interval between merges', () => {
  test('merges at the computed interval cost exactly the daily budget', () => {
    for (const bytes of [GIB, 10 * GIB, 100 * GIB, TIB]) {
      const interval = mergeInterval(5, bytes, PRICE, { least: 1, most: Number.POSITIVE_INFINITY });
      expect(costOfDay(bytes, interval)).toBeCloseTo(5, 9);
    }
  });

  test('a small table is merged at the shortest interval, and every table at least daily', () => {
    expect(mergeInterval(5, 1000, PRICE)).toBe(60);
    expect(mergeInterval(0.01, 100 * TIB, PRICE)).toBe(86_400);
    expect(mergeInterval(0, GIB, PRICE)).toBe(86_400);
  });

  test('the interval grows with the square root of the table’s size, and all tables together stay within the budget', () => {
    const tables = [
      { name: 'small', bytes: 10 * GIB },
      { name: 'large', bytes: 1000 * GIB },
      { name: 'tiny', bytes: 0 },
    ];
    const intervals = mergeIntervals(20, tables, PRICE, { least: 300 });
    expect(intervals.get('tiny')).toBe(300);
    expect(intervals.get('large')! / intervals.get('small')!).toBeCloseTo(10, 1);
    const spent = tables.reduce((sum, { name, bytes }) => sum + costOfDay(bytes, intervals.get(name)!), 0);
    expect(spent).toBeCloseTo(20, 6);
  });

  test('the daily cost of merges depends on the size of a summary table', async () => {
    const money = (value: number): string => value.toFixed(2).padStart(9);
    const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`.padStart(11);
    const every = [5, 15, 60];
    const lines = [1, 10, 100, 1000].map((size) => {
      const fixed = every.map((interval) => money(costOfDay(size * GIB, interval * 60)));
      const budgets = [1, 5].map((budget) => minutes(mergeInterval(budget, size * GIB, PRICE)));
      return `${`${size} GiB`.padStart(9)}${fixed.join('')}${budgets.join('')}`;
    });
    const head = `    table${every.map((interval) => `${interval} min`.padStart(9)).join('')}   for 1/day   for 5/day`;
    const text = `A day of merges of a table without partitions, at ${PRICE} a TiB: what it costs by the interval,\nand the interval by what it may cost.\n\n${head}\n${lines.join('\n')}\n`;
    await expect(text).toMatchFileSnapshot('golden/cost-of-summaries.txt');
  });
});
