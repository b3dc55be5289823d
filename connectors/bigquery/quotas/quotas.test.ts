import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKLOG_FROM, intervalForBacklog, landingInterval, limits, MOST_LANDED, Quotas, TokenBucket } from './quotas.ts';

function mostIn(times: readonly number[], windowMs: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! >= windowMs) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

test('a token bucket never exceeds its limit in any window, however many uses are requested', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 60 }),
      fc.integer({ min: 100, max: 20_000 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 }),
      (limit, windowMs, gaps) => {
        const bucket = new TokenBucket(limit, windowMs, 0);
        const taken: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          if (bucket.wait(now) > 0) continue;
          bucket.take(now);
          taken.push(now);
        }
        expect(mostIn(taken, windowMs)).toBeLessThanOrEqual(limit);
      },
    ),
  );
});

test('a caller that waits as long as the bucket requires always gets a token and can use nearly the whole limit', () => {
  const bucket = new TokenBucket(1500, 86_400_000, 0);
  const taken: number[] = [];
  for (let now = 0; now < 2 * 86_400_000; ) {
    const wait = bucket.wait(now);
    if (wait > 0) {
      now += wait;
      continue;
    }
    bucket.take(now);
    taken.push(now);
  }
  expect(mostIn(taken, 86_400_000)).toBeLessThanOrEqual(1500);
  expect(taken.length).toBeGreaterThan(2 * 1350);
});

test('several workers together stay within the limit of each table', () => {
  const workers = 4;
  const shares = Array.from({ length: workers }, () => new Quotas({ workers, loadJobs: 1 }));
  const taken = new Map<string, number[]>([
    ['a', []],
    ['b', []],
  ]);
  for (let now = 0; now < 120_000; now += 50)
    for (const share of shares)
      for (const [table, times] of taken) {
        const uses = [{ quota: 'tableDml', table }] as const;
        if (share.wait(uses, now) !== undefined) continue;
        share.take(uses, now);
        times.push(now);
      }
  for (const times of taken.values()) expect(mostIn(times, limits.tableDml.windowMs)).toBeLessThanOrEqual(limits.tableDml.limit);
});

test('the quota with the longest wait is returned', () => {
  const quotas = new Quotas({ workers: 1, loadJobs: 1 });
  const uses = [
    { quota: 'tableUpdates', table: 't' },
    { quota: 'tableDml', table: 't' },
  ] as const;
  expect(quotas.wait(uses, 0)).toBeUndefined();
  quotas.take(uses, 0);
  expect(quotas.wait(uses, 0)).toEqual({ quota: 'tableUpdates', milliseconds: 2500 });
});

test('partitions are landed less often if they would otherwise exceed the quota for load jobs', () => {
  expect(landingInterval(60_000, 40, { workers: 1, loadJobs: 1 })).toBe(60_000);
  // 40 streams with 4 partitions each, on 4 workers: each worker has 40 partitions and a share of 25,000 load jobs per day.
  const interval = landingInterval(60_000, 40, { workers: 4, loadJobs: 1 });
  expect(interval).toBeGreaterThan(60_000);
  expect((4 * 40 * 86_400_000) / interval).toBeLessThanOrEqual(limits.projectLoads.limit);
});

test('the configured share limits the load jobs per day, but no other quota', () => {
  const half = { workers: 1, loadJobs: 0.5 };
  const taken = { projectLoads: 0, tableDml: 0 };
  const quotas = new Quotas(half);
  for (let now = 0; now < 86_400_000; now += 400)
    for (const quota of ['projectLoads', 'tableDml'] as const) {
      const uses = [{ quota, table: quota === 'tableDml' ? 't' : '' }];
      if (quotas.wait(uses, now) !== undefined) continue;
      quotas.take(uses, now);
      taken[quota]++;
    }
  expect(taken.projectLoads).toBeLessThanOrEqual(50_000);
  expect(taken.projectLoads).toBeGreaterThan(45_000);
  expect(taken.tableDml).toBeGreaterThan(150_000);
  // 160 partitions on one worker: 50,000 load jobs per day, less a tenth, allow one every 276 s for each partition.
  expect(landingInterval(60_000, 160, half)).toBeCloseTo((160 * 86_400_000) / 45_000, 6);
});

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
