import { expect, test } from 'vitest';
import { costReport } from './cost-report.ts';
import { bytesFor, mostBilled, priceOf, TIB } from './price.ts';
import { DaySpending } from './spending-log.ts';

const DAY = 86_400_000;
const noon = 20_000 * DAY + DAY / 2;

test('bytes are converted to money, and money to bytes', () => {
  expect(priceOf(TIB, 6.25)).toBe(6.25);
  expect(bytesFor(12.5, 6.25)).toBe(2 * TIB);
  expect(bytesFor(1, 0)).toBe(Number.POSITIVE_INFINITY);
});

test('workers share the rest of a day’s budget, and a new day begins at midnight UTC', () => {
  const spending = new DaySpending({ mostPerDay: TIB, workers: 4 }, TIB / 2, noon);
  expect(spending.left(noon)).toBe(TIB / 8);
  const merge = spending.reserve(TIB / 16, noon);
  expect(spending.left(noon)).toBe(TIB / 16);
  merge.settle(TIB / 32, noon);
  expect(spending.left(noon)).toBe((TIB * 3) / 32);
  expect(spending.spent(noon)).toBe(TIB / 2 + TIB / 32);
  expect(spending.left(noon + DAY / 2)).toBe(TIB / 4);
});

test('a worker that restarts repeatedly gets no more than the rest of the shared budget', () => {
  const most = { mostPerDay: TIB, workers: 2 };
  // The other worker has spent its half and then half of the rest.
  const stays = new DaySpending(most, 0, noon);
  expect(stays.left(noon)).toBe(TIB / 2);
  stays.hear((TIB * 3) / 4, noon);
  expect(stays.left(noon)).toBe(TIB / 4);
  stays.add(TIB / 8, noon);
  expect(stays.left(noon)).toBe(TIB / 8);
  expect(stays.spent(noon)).toBe((TIB * 7) / 8);
  // A lower value does not reduce the known spending. A new day resets the spending to zero.
  stays.hear(TIB / 2, noon);
  expect(stays.left(noon)).toBe(TIB / 8);
  expect(stays.left(noon + DAY / 2)).toBe(TIB / 2);
});

test('the limit on the bytes billed for a statement includes the minimum for each of its tables', () => {
  expect(mostBilled(5, 300)).toBe(5 + 3_000 * 2 ** 20);
});

test('a merge across midnight counts for the day on which it ends', () => {
  const spending = new DaySpending({ mostPerDay: TIB, workers: 1 }, 0, noon);
  const merge = spending.reserve(TIB / 2, noon);
  merge.settle(TIB / 4, noon + DAY);
  expect(spending.left(noon + DAY)).toBe((TIB * 3) / 4);
});

test('without a cap, spending is unlimited', () => {
  const spending = new DaySpending({ mostPerDay: undefined, workers: 2 }, 0, noon);
  spending.reserve(1000 * TIB, noon).settle(1000 * TIB, noon);
  expect(spending.left(noon)).toBe(Number.POSITIVE_INFINITY);
});

test('the report sums costs by day and table, and lists bookkeeping as if it were a table', () => {
  const report = costReport(
    [
      ['2026-11-21', 'bookkeeping', '', '3', '0', '30000000', '0'],
      ['2026-11-21', 'merge', 'sleep', '2', String(TIB), String(TIB), '0'],
      ['2026-11-20', 'merge', 'sleep', '1', '10', '20', '7200000'],
    ],
    [['load jobs of the project in a day', '4', '2500', '0']],
    { pricePerTib: 5, pricePerSlotHour: 0.1, mostPerDay: undefined },
  );
  expect(report.days.map(({ day, billedBytes }) => [day, billedBytes])).toEqual([
    ['2026-11-21', TIB + 30_000_000],
    ['2026-11-20', 20],
  ]);
  expect(report.days[1]).toMatchObject({ slotHours: 2, cost: priceOf(20, 5) + 0.2 });
  expect(report.days[0]!.tables).toEqual([
    { table: 'bookkeeping', merges: 0, estimatedBytes: 0, billedBytes: 30_000_000, slotHours: 0, cost: priceOf(30_000_000, 5) },
    { table: 'sleep', merges: 2, estimatedBytes: TIB, billedBytes: TIB, slotHours: 0, cost: 5 },
  ]);
  expect(report.waits).toEqual([
    { reason: 'load jobs of the project in a day', times: 4, seconds: 2.5, lastAt: '1970-01-01T00:00:00.000Z' },
  ]);
});
