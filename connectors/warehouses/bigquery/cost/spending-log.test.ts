import { silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import type { JobState } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import { TIB } from './price.ts';
import { SpendingLog } from './spending-log.ts';

/** Opens a log for a new day, with a price of 5 per TiB and a cap of 20. */
function open(): SpendingLog {
  return new SpendingLog({
    jobs: { rows: async () => [], bookkeep: async () => {} } as unknown as JobRunner,
    dataset: { project: 'p', dataset: 'd' },
    ...{ worker: 'w', workers: 1, mostPerDay: 20, prices: { perTib: 5, perSlotHour: 1 } },
    ...{ now: () => Date.UTC(2026, 2, 28, 12), logger: silentLogger },
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
