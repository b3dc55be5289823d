import { silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import type { JobState } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import { TIB } from './price.ts';
import { SpendingLog } from './spending-log.ts';

/** Starts a day without spending, with a price of 5 per TiB and a cap of 20. */
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
  const books = open();
  books.billed(job(1));
  expect([books.left(), books.spent().cost]).toEqual([15, 5]);
  await books.write();
  expect([books.left(), books.spent().cost]).toEqual([15, 5]);
});

test('the query job of a merge is counted once', async () => {
  const books = open();
  const reserved = books.reserve(10);
  expect(books.left()).toBe(10);
  books.billed(job(2));
  books.merged('sleep', 2 * TIB, job(2));
  reserved.settle(books.costOf(job(2)));
  expect([books.left(), books.spent()]).toEqual([10, { bytes: 2 * TIB, cost: 10 }]);
  await books.write();
  expect(books.left()).toBe(10);
});
