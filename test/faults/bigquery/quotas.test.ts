import { setTimeout as sleep } from 'node:timers/promises';
import { type BigQueryControl, type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { type Logger, silentLogger } from '@aorta/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { attempt, carryOn, heldAt, landUpTo, newDataset, openAt, patience, wanted } from './place.ts';

/** Tests how the warehouse behaves under the quotas of the local server. */

const problem = await whyNoBigQuery({ own: true });

describe.skipIf(problem !== undefined)(`quotas of BigQuery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let control: BigQueryControl;
  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
    control = provided.control!;
  });
  afterEach(() => control?.quotas('off'));
  afterAll(() => provided?.stop());

  test('the warehouse waits before it reaches a real quota, so the service never refuses a call', async () => {
    const where = await newDataset(provided);
    await control.quotas('real');
    const refused: unknown[] = [];
    const warn: Logger['warn'] = (_event, fields) => {
      if (/Exceeded/.test(String(fields?.reason))) refused.push(fields);
    };
    const warehouse = await openAt(where, { logger: { ...silentLogger, warn }, call_s: 60 });
    // Each batch is merged separately. Together, the merges need more statements than a table's quota allows in ten seconds.
    for (let batches = 1; batches <= 9; batches++) await carryOn(warehouse, batches);
    await warehouse.close();
    expect(refused).toEqual([]);
    expect(await heldAt(where)).toEqual(wanted(9));
  });

  test('a worker uses no more than its part of the configured share of the daily load jobs', async () => {
    const where = await newDataset(provided);
    let passed = 0;
    const waits: number[] = [];
    const surroundings = {
      now: () => Date.now() + passed,
      random: Math.random,
      // Skips long waits.
      sleep: async (milliseconds: number) => {
        if (milliseconds < 60_000) return sleep(milliseconds);
        waits.push(milliseconds);
        passed += milliseconds;
      },
    };
    // The 100 workers share 1 % of 100,000 daily load jobs, which is 10 jobs each: two at once, then one about every three hours.
    const warehouse = await openAt(where, { workers: 100, load_jobs_share: 0.01, surroundings });
    await landUpTo(warehouse, 3);
    expect(waits).toEqual([expect.closeTo(3 * 3_600_000, -6)]);
    // One of the ten load jobs is reserved for retries, which leaves nine a day.
    expect(warehouse.landingWait?.({ stream: 'body', partition: 0 })).toBeCloseTo(86_400_000 / 9, -6);
    await warehouse.close();
  });

  test('the warehouse waits while a quota is exhausted, and lands again when the quota recovers', async () => {
    const where = await newDataset(provided);
    await control.quotas({ loadsPerDay: 2 });
    const uploads = async (): Promise<number> => (await control.state()).calls.upload ?? 0;
    const before = await uploads();
    const attempted = attempt(where, 4);
    // Waits until the server has accepted two uploads, and has refused the third upload more than once.
    await until('five uploads', uploads, (count) => count >= before + 5);
    await control.quotas('off');
    expect(await attempted).toBe('done');
    expect(await heldAt(where)).toEqual(wanted(4));
  });

  test('if an exhausted quota does not recover, the process fails with the error code for the quota, and the next process resumes', async () => {
    const where = await newDataset(provided);
    await control.quotas({ loadsPerDay: 2 });
    expect(await attempt(where, 4, { patience: { ...patience, forMs: 500 } })).toBe('AORTA-BIGQUERY-QUOTA');
    // A new day begins on the server's clock.
    await control.advance(86_400_000);
    expect(await attempt(where, 4)).toBe('done');
    expect(await heldAt(where)).toEqual(wanted(4));
  });
});
