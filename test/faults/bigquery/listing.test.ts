import { type BigQueryControl, type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { attempt, BATCH, heldAt, landUpTo, newDataset, openAt, type Where, wanted } from './place.ts';

/**
 * BigQuery lists tables with eventual consistency: a listing may omit a landed batch, and a lookup by name may fail at
 * first.
 */

const problem = await whyNoBigQuery({ own: true });

describe.skipIf(problem !== undefined)(
  `a listing that omits landed batches${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let provided: ProvidedBigQuery;
    let control: BigQueryControl;
    beforeAll(async () => {
      provided = await provideBigQuery({ own: true });
      control = provided.control!;
    });
    afterEach(() => control?.remove());
    afterAll(() => provided?.stop());

    /** Returns the part of a landing table's name that contains the start and end positions of the batch. */
    const at = (from: number): string => `_${from}_${from + BATCH}_`;

    async function landed(batches: number): Promise<Where> {
      const where = await newDataset(provided);
      const warehouse = await openAt(where);
      await landUpTo(warehouse, batches);
      await warehouse.close();
      return where;
    }

    test.each([
      ['for some time', 6],
      ['forever', 'always'],
    ] as const)('a new process finds and merges a batch that the listings omit %s', async (_, times) => {
      const where = await landed(3);
      const rule = await control.inject({ on: 'tables-list', times, fault: { kind: 'omits', tables: [at(BATCH)] } });
      expect(await attempt(where, 4)).toBe('done');
      expect((await control.state()).hits[rule]).toBeGreaterThan(0);
      await control.remove();
      expect(await heldAt(where)).toEqual(wanted(4));
    });

    test('a process waits for a later listing if two successive batches are missing', async () => {
      const where = await landed(4);
      const fault = { kind: 'omits', tables: [at(BATCH), at(2 * BATCH)] } as const;
      const rule = await control.inject({ on: 'tables-list', times: 5, fault });
      expect(await attempt(where, 4)).toBe('done');
      expect((await control.state()).hits[rule]).toBe(5);
      await control.remove();
      expect(await heldAt(where)).toEqual(wanted(4));
    });

    test('one of several workers remembers the last batch that it landed, and merges this batch', async () => {
      const where = await newDataset(provided);
      let now = Date.now();
      const warehouse = await openAt(where, { workers: 2, clock: () => now });
      await landUpTo(warehouse, 2);
      now += 600_000;
      const rule = await control.inject({ on: 'tables-list', times: 'always', fault: { kind: 'omits', tables: [at(BATCH)] } });
      await warehouse.merge('all');
      expect((await control.state()).hits[rule]).toBeGreaterThan(0);
      expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
      await warehouse.close();
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test('a batch that a merge did not find is looked up several times before it is reported as gone', async () => {
      const where = await landed(1);
      const warehouse = await openAt(where);
      const missing = { kind: 'status', status: 404, reason: 'notFound', message: 'Not found: Table' } as const;
      const jobs = await control.inject({ on: 'job-insert', about: '_merge_body_', fault: { ...missing, kind: 'job-fails' } });
      const looks = await control.inject({ on: 'tables-get', about: at(0), times: 3, fault: missing });
      await warehouse.merge('all');
      const { hits } = await control.state();
      expect([hits[jobs], hits[looks]]).toEqual([1, 3]);
      await warehouse.close();
      await control.remove();
      expect(await heldAt(where)).toEqual(wanted(1));
    });

    test('a batch whose table was deleted is reported as gone, even by the process that landed it', async () => {
      const where = await newDataset(provided);
      const warehouse = await openAt(where, { workers: 2 });
      await landUpTo(warehouse, 2);
      const dataset = provided.client().dataset(where.dataset);
      const [all] = await dataset.getTables();
      const name = all.map(({ id }) => id!).find((id) => id.includes(at(BATCH)))!;
      await dataset.table(name).delete();
      await expect(warehouse.merge('all')).rejects.toMatchObject({
        code: 'AORTA-BIGQUERY-BATCH-GONE',
        details: { batch: name },
      });
      await warehouse.close();
    });
  },
);
