import { silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import type { JobState } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import { bytesFor, costOf, costReport, mostBilled, priceOf, spentBy, TIB } from './price.ts';
import { DaySpending, SlotRates, SpendingLog } from './spending-log.ts';

const GIB = 2 ** 30;
const prices = { perTib: 6.25, perSlotHour: 0.06 };

test('the cost of a merge is estimated from the slot time per byte of its table, or of all tables if the table is new', () => {
  const rates = new SlotRates();
  expect(rates.isReserved).toBe(false);
  expect(rates.estimate('sleep', GIB)).toBeGreaterThan(0);
  rates.observe('sleep', GIB, 1_000);
  expect(rates.isReserved).toBe(true);
  expect(rates.estimate('sleep', 10 * GIB)).toBeCloseTo(10_000, 6);
  expect(rates.estimate('body', 2 * GIB)).toBeCloseTo(2_000, 6);
  // The estimate follows slower merges gradually, so that one outlier has little effect.
  rates.observe('sleep', GIB, 2_000);
  expect(rates.estimate('sleep', GIB)).toBeCloseTo(1_300, 6);
  for (let times = 0; times < 30; times++) rates.observe('sleep', GIB, 2_000);
  expect(rates.estimate('sleep', GIB)).toBeCloseTo(2_000, 0);
});

test('a project that leaves its reservation is billed by bytes again', () => {
  const rates = new SlotRates();
  rates.observe('sleep', GIB, 1_000);
  rates.observe('sleep', GIB, 0);
  expect(rates.isReserved).toBe(false);
});

test('a job is billed by bytes, or by slot time if the project has a reservation', () => {
  const job = { processedBytes: 2 ** 40, billedBytes: 2 ** 40, slotMs: 3_600_000, isReserved: false };
  expect(spentBy(job)).toEqual({ billedBytes: 2 ** 40, slotMs: 0 });
  expect(costOf(spentBy(job), prices)).toBe(6.25);
  const reserved = spentBy({ ...job, billedBytes: 0, isReserved: true });
  expect(reserved).toEqual({ billedBytes: 0, slotMs: 3_600_000 });
  expect(costOf(reserved, prices)).toBe(0.06);
  // If a job processed bytes but none were billed, its slot time is billed, even if BigQuery does not report a reservation.
  expect(spentBy({ ...job, billedBytes: 0 }).slotMs).toBe(3_600_000);
  // A job that processes no bytes, such as an INSERT of values, is free if bytes are billed.
  expect(spentBy({ ...job, processedBytes: 0, billedBytes: 0 })).toEqual({ billedBytes: 0, slotMs: 0 });
});

/** Opens a log for a new day, with a price of 5 per TiB and a cap of 20. */
function open(): SpendingLog {
  return new SpendingLog({
    jobs: { rows: async () => [], bookkeep: async () => {} } as unknown as JobRunner,
    dataset: { project: 'p', dataset: 'd' },
    worker: 'w',
    workers: 1,
    mostPerDay: 20,
    prices: { perTib: 5, perSlotHour: 1 },
    now: () => Date.UTC(2026, 2, 28, 12),
    logger: silentLogger,
  });
}

const job = (tib: number): JobState =>
  ({ processedBytes: tib * TIB, billedBytes: tib * TIB, slotMs: 0, isReserved: false }) as JobState;

test('bookkeeping counts against the daily cap both before and after it is stored', async () => {
  const spending = open();
  spending.billed(job(1));
  expect([spending.left(), spending.spent().cost]).toEqual([15, 5]);
  await spending.write();
  expect([spending.left(), spending.spent().cost]).toEqual([15, 5]);
});

test('the query job of a merge is counted once', async () => {
  const spending = open();
  const reserved = spending.reserve(10);
  expect(spending.left()).toBe(10);
  spending.billed(job(2));
  spending.merged('sleep', 2 * TIB, job(2));
  reserved.settle(spending.costOf(job(2)));
  expect([spending.left(), spending.spent()]).toEqual([10, { bytes: 2 * TIB, cost: 10 }]);
  await spending.write();
  expect(spending.left()).toBe(10);
});

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

test('if the clock is set back over midnight, the budget is not available twice', () => {
  const spending = new DaySpending({ mostPerDay: TIB, workers: 1 }, 0, noon);
  spending.add(TIB, noon + DAY);
  expect([noon, noon + DAY].map((now) => spending.left(now))).toEqual([0, 0]);
  expect(spending.left(noon + 2 * DAY)).toBe(TIB);
});

test('if the clock was wrong by days, the budget does not wait for the wrong day', () => {
  const spending = new DaySpending({ mostPerDay: TIB, workers: 1 }, 0, noon + 400 * DAY);
  spending.add(TIB, noon + 400 * DAY);
  expect(spending.left(noon)).toBe(TIB);
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
