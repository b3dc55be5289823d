import { type BigQueryControl, type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { attempt, carryOn, heldAt, landUpTo, newDataset, openAt, wanted } from './place.ts';

/** Tests several workers that share a dataset. */

const problem = await whyNoBigQuery({ own: true });

describe.skipIf(problem !== undefined)(`workers in one dataset${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let control: BigQueryControl;
  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
    control = provided.control!;
  });
  afterEach(() => control?.remove());
  afterAll(() => provided?.stop());

  test('two workers that land the same batches at the same time store each record once', async () => {
    const where = await newDataset(provided);
    const workers = [await openAt(where, { worker: 'one' }), await openAt(where, { worker: 'two', owns: () => false })];
    await Promise.all(workers.map((worker) => carryOn(worker, 2)));
    for (const worker of workers) await worker.close();
    expect(await attempt(where, 2)).toBe('done');
    expect(await heldAt(where)).toEqual(wanted(2));
  });

  test('a worker that opens the dataset while another worker drops merged batches reports no batch as lost', async () => {
    const where = await newDataset(provided);
    const one = await openAt(where);
    await landUpTo(one, 1);
    // While opening, the second worker lists the tables twice: first to create missing tables, then to find batches.
    const fault = { kind: 'status', status: 503, reason: 'backendError' } as const;
    const rule = await control.inject({ on: 'tables-list', from: 2, times: 'always', fault });
    const opening = openAt(where);
    // By the twelfth failed listing, the second worker has made all its other calls.
    const failed = async (): Promise<number> => (await control.state()).hits[rule]!;
    await until('twelve failed listings', failed, (count) => count >= 12);
    await one.merge('all');
    await landUpTo(one, 2);
    await control.remove(rule);
    const two = await opening;
    expect(two.landed({ stream: 'body', partition: 0 })).toEqual(one.landed({ stream: 'body', partition: 0 }));
    await two.merge('all');
    await two.close();
    await one.close();
    expect(await heldAt(where)).toEqual(wanted(2));
  });

  test('unmerged batches do not count as lost when their stream is recreated', async () => {
    const where = await newDataset(provided);
    const one = await openAt(where);
    await carryOn(one, 1);
    const two = await openAt(where);
    await landUpTo(two, 2);
    await two.close();
    // This worker does not know about the other worker's batch, which is still unmerged while the new incarnation is merged.
    await landUpTo(one, 1, 'recreated');
    await one.merge('all');
    await one.close();
    const next = await openAt(where);
    expect(next.landed({ stream: 'body', partition: 0 })?.incarnation).toBe('recreated');
    await next.merge('all');
    await next.close();
    expect(await heldAt(where)).toEqual(wanted(2));
  });

  test('a worker lists the batches of other workers only occasionally, because each listing is billed', async () => {
    const where = await newDataset(provided);
    const warehouse = await openAt(where, { workers: 2, merge_every_s: 300 });
    const looks = async (): Promise<number> => (await control.state()).calls['tables-list']!;
    const before = await looks();
    for (let times = 0; times < 10; times++) {
      await warehouse.merge('due');
      await warehouse.settled!();
    }
    expect((await looks()) - before).toBeLessThanOrEqual(1);
    // `merge('all')` must merge every batch that any worker has landed so far, so it lists the tables again.
    await warehouse.merge('all');
    expect(await looks()).toBeGreaterThan(before);
    await warehouse.close();
  });
});
