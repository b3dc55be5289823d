import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKLOG_FROM, intervalForBacklog, landingInterval, MOST_LANDED } from './quotas.ts';

/** BigQuery's limit on tables per query. */
const LIMIT = 1_000;
/** Tables that the view of landed rows reads in addition to the landing tables of batches. */
const BESIDE = ['the table', 'the empty landing table', 'aorta_suppressed', 'aorta_meta'].length;
const DAY = 86_400_000;

test('landing tables of a stream stay below the query limit even if merges are blocked for a day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 300 }), (partitions, everyS) => {
      const interval = landingInterval(everyS * 1000, partitions, { workers: 1, loadJobs: 1 });
      const landedAt = new Array<number>(partitions).fill(Number.NEGATIVE_INFINITY);
      let tables = 0;
      for (let now = 0; now < DAY; now += 30_000)
        for (const [partition, at] of landedAt.entries()) {
          if (now - at < intervalForBacklog(interval, tables, partitions)) continue;
          landedAt[partition] = now;
          tables++;
        }
      expect(tables + BESIDE).toBeLessThanOrEqual(LIMIT);
      // Every partition has been landed at least once.
      expect(Math.min(...landedAt)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 30 },
  );
});

test('the landing interval does not change while only a few landing tables wait to be merged', () => {
  expect(intervalForBacklog(60_000, BACKLOG_FROM - 1, 8)).toBe(60_000);
  expect(intervalForBacklog(60_000, BACKLOG_FROM, 8)).toBeGreaterThan(60_000);
  expect(intervalForBacklog(60_000, MOST_LANDED, 8)).toBe(DAY);
});
