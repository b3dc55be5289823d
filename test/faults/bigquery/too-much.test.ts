import { type BigQueryControl, type Fault, type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { openBigQueryReader } from '@aorta/connectors/bigquery/module';
import { createMetrics } from '@aorta/runtime/prometheus';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bigQueryMetrics } from '../../../connectors/bigquery/metrics.ts';
import { BATCH, heldAt, idOf, landUpTo, newDataset, openAt, settingsOf, type Where, wanted } from './place.ts';

/** Tests merges whose statements need more resources than BigQuery allows. */

const problem = await whyNoBigQuery({ own: true });

/** The service's errors for a statement that it cannot plan, and for a job that runs out of memory. */
const tooComplex: Fault = {
  kind: 'status',
  status: 400,
  reason: 'resourcesExceeded',
  message:
    'Resources exceeded during query execution: Not enough resources for query planning - too many subqueries or query is too complex.',
};
const outOfMemory: Fault = {
  kind: 'job-fails',
  reason: 'resourcesExceeded',
  message:
    'Resources exceeded during query execution: The query could not be executed in the allotted memory. Peak usage: 120% of limit.',
};

/** Matches a landing table that a merge statement reads, but not its name in the merge record that the statement inserts. */
const LANDED = '.aorta_landed_body_';

describe.skipIf(problem !== undefined)(
  `merges that are too large for BigQuery${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let provided: ProvidedBigQuery;
    let control: BigQueryControl;
    beforeAll(async () => {
      provided = await provideBigQuery({ own: true });
      control = provided.control!;
    });
    afterEach(() => control?.remove());
    afterAll(() => provided?.stop());

    test.each([
      ['its planning fails', tooComplex],
      ['its job runs out of memory', outOfMemory],
    ])('a merge of many batches is split in half if %s', async (_, fault) => {
      const where = await newDataset(provided);
      const warehouse = await openAt(where);
      await landUpTo(warehouse, 5);
      // A merge names a batch once, and its script twice: three batches are refused by the estimate, and two by the insertion.
      const rule = await control.inject({ on: 'job-insert', about: LANDED, aboutTimes: 3, times: 'always', fault });
      const { targets } = await warehouse.merge('all');
      expect((await control.state()).hits[rule]).toBeGreaterThan(0);
      expect(targets.filter(({ table }) => table === 'body').reduce((sum, { rows }) => sum + rows, 0)).toBe(5 * BATCH);
      expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
      await warehouse.close();
      expect(await heldAt(where)).toEqual(wanted(5));
    });

    /** Returns the name of the landing table of the batch that begins at the offset `from`. */
    async function landedAt(where: Where, from: number): Promise<string> {
      const [all] = await provided.client().dataset(where.dataset).getTables();
      return all
        .map(({ id }) => id!)
        .find((id) => id.startsWith('aorta_landed_body__') && id.includes(`_${from}_${from + BATCH}_`))!;
    }

    test('a batch that fails even alone is set aside, reported and retried later, and the other batches are merged', async () => {
      const where = await newDataset(provided);
      const metrics = createMetrics({ catalogue: bigQueryMetrics });
      let now = Date.now();
      const warehouse = await openAt(where, { metrics, clock: () => now });
      await landUpTo(warehouse, 4);
      const bad = await landedAt(where, BATCH);
      const rule = await control.inject({ on: 'job-insert', about: `.${bad}`, times: 'always', fault: tooComplex });
      await expect(warehouse.merge('all')).rejects.toMatchObject({
        code: 'AORTA-BIGQUERY-BATCH-ASIDE',
        details: { batch: bad },
      });
      // The other batches are merged. The failed batch keeps its landing table and is still part of the backlog.
      expect((await heldAt(where)).ids).toEqual(wanted(4).ids.filter((id) => !aside.includes(id)));
      expect(await landedAt(where, BATCH)).toBe(bad);
      expect(warehouse.backlog().batches).toBeGreaterThan(0);
      // As for every waiting merge, `dueAt` is the time of the next attempt.
      const waits = { batches: 1, rows: BATCH, dueAt: now + 3_600_000, heldBy: 'AORTA-BIGQUERY-BATCH-ASIDE' };
      expect(warehouse.waitingMerges()).toMatchObject([
        { table: 'body', ...waits },
        { table: 'deliveries', ...waits },
      ]);
      expect(await metrics.text()).toMatch(/aorta_warehouse_batches_set_aside\{table="body"\} 1/);
      await warehouse.merge('due');
      await warehouse.settled!();
      const reader = await openBigQueryReader(settingsOf(where));
      const reasons = (await reader.costs!(1)).waits.map(({ reason }) => reason);
      await reader.close();
      expect(reasons.some((reason) => reason.includes('AORTA-BIGQUERY-BATCH-ASIDE'))).toBe(true);

      // The next round does not retry the batch, so new batches need not wait for it.
      const asked = (await control.state()).hits[rule];
      await landUpTo(warehouse, 5);
      await warehouse.merge('due');
      await warehouse.settled!();
      expect((await control.state()).hits[rule]).toBe(asked);
      expect((await heldAt(where)).ids).toContain(idOf(4 * BATCH));

      // When the retry is due, it succeeds and the tables are complete.
      await control.remove();
      now += 2 * 3_600_000;
      await warehouse.merge('due');
      await warehouse.settled!();
      expect(await metrics.text()).not.toContain('aorta_warehouse_batches_set_aside{table="body"} 1');
      await warehouse.merge('all');
      expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
      await warehouse.close();
      expect(await heldAt(where)).toEqual(wanted(5));
    });

    const aside = Array.from({ length: BATCH }, (_, index) => idOf(BATCH + index));
  },
);
