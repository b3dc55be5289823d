import { expect, test } from 'vitest';
import { costOf, spentBy } from './price.ts';
import { SlotRates } from './spending-log.ts';

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
