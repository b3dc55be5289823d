import type { ProvidedBigQuery } from '@aorta/bigquery-server';
import { applyBigQuery, openBigQueryReader, openBigQueryWarehouse } from '@aorta/connectors/bigquery/module';
import { silentLogger } from '@aorta/runtime';
import { tables } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fenceStatement } from '../../connectors/bigquery/sql/control.ts';
import { tableConformance } from '../conformance/warehouse.ts';
import { tablesOfSuite } from '../conformance/warehouse-cases.ts';
import {
  attempt,
  carryOn,
  heldAt,
  landUpTo,
  newDataset,
  openAt,
  settingsOf,
  type Where,
  wanted,
} from '../faults/bigquery/place.ts';

/** Whether the local server lacks a view, because the view uses functions or table wildcards that the server does not support. */
const notLocal = (name: string): boolean => name.endsWith('_landed') || ['meal_foods', 'continuous_query_rows'].includes(name);

/** Tests the warehouse in new datasets, on the local server (`npm test`) or in a real project (`npm run real`). */
export function bigQuerySuite(provide: () => Promise<ProvidedBigQuery>, on: 'a real project' | 'the local server'): void {
  describe('a warehouse in BigQuery', () => {
    const real = on === 'a real project';
    const made: string[] = [];
    let provided: ProvidedBigQuery;

    beforeAll(async () => {
      provided = await provide();
    });
    afterAll(async () => {
      for (const dataset of made) await provided.client().dataset(dataset).delete({ force: true });
      await provided?.stop();
    });

    async function place(metadata = {}): Promise<Where> {
      const where = await newDataset(provided, metadata);
      made.push(where.dataset);
      return where;
    }

    async function rowsOf(where: Where, query: string): Promise<Record<string, unknown>[]> {
      const defaultDataset = { projectId: where.project, datasetId: where.dataset };
      return (await provided.client().query({ query, defaultDataset }))[0] as Record<string, unknown>[];
    }

    // The clock does not advance, so no merge becomes due because of its age.
    const now = Date.now();
    tableConformance(
      'BigQuery',
      async () => {
        const settings = {
          ...settingsOf(await place()),
          tables: tablesOfSuite,
          declared: tablesOfSuite,
          clock: () => now,
          old_rows: 6,
        };
        return {
          open: () => openBigQueryWarehouse(settings),
          read: () => openBigQueryReader(settings),
          remove: () => Promise.resolve(),
        };
      },
      1,
    );

    test('a batch that two workers land and merge is in the tables once', async () => {
      const where = await place();
      const workers = [await openAt(where, { worker: 'one' }), await openAt(where, { worker: 'two' })];
      await Promise.all(workers.map((worker) => carryOn(worker, 2)));
      for (const worker of workers) await worker.close();
      expect(await attempt(where, 2)).toBe('done');
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test('landed batches are kept longer than the default expiration of tables in the dataset', async () => {
      const where = await place({ defaultTableExpirationMs: '3600000' });
      const warehouse = await openAt(where);
      await landUpTo(warehouse, 1);
      const [found] = await provided.client().dataset(where.dataset).getTables();
      const landed = found.filter(({ id }) => id!.startsWith('aorta_landed_'));
      expect(landed.length).toBe(1);
      const [{ expirationTime }] = await landed[0]!.getMetadata();
      expect(Number(expirationTime)).toBeGreaterThan(Date.now() + 365 * 86_400_000);
      await carryOn(warehouse, 1);
      await warehouse.close();
    });

    test('at the daily cap, merges wait and landing continues, and the warehouse records the billed bytes', async () => {
      const where = await place();
      expect(await attempt(where, 1, { most_per_day: 1e-9 })).toBe('AORTA-BIGQUERY-CAP');
      expect(await attempt(where, 2)).toBe('done');
      expect(await heldAt(where)).toEqual(wanted(2));
      const [billed] = await rowsOf(where, "SELECT SUM(billed_bytes) AS bytes FROM aorta_activity WHERE what = 'merge'");
      // BigQuery bills at least 10 MB for each statement.
      expect(Number(billed!.bytes)).toBeGreaterThanOrEqual(10 * 2 ** 20);
    });

    test('an erased user is in no table, and no merge brings the user back', async () => {
      const where = await place();
      const warehouse = await openAt(where);
      await carryOn(warehouse, 1);
      await landUpTo(warehouse, 2);
      await warehouse.erase('u');
      await warehouse.merge('all');
      await warehouse.close();
      expect(await heldAt(where)).toEqual({ ids: [], deliveries: 0 });
    });

    test('`apply` creates every table and view, and then has nothing left to do', async () => {
      const { type: _, ...settings } = settingsOf(await place());
      const { left } = await applyBigQuery({ ...settings, tables });
      expect(left.filter(({ name }) => real || !notLocal(name))).toEqual([]);
    });

    test('each wrong setting is reported with its own code', async () => {
      const where = await place();
      expect(await attempt({ ...where, dataset: `${where.dataset}_not` }, 1)).toBe('AORTA-BIGQUERY-DATASET');
      expect(await attempt({ ...where, location: 'asia-east1' }, 1)).toBe('AORTA-BIGQUERY-LOCATION');
      // Everyone may read this dataset, but the tests may not write to it.
      const foreign = { ...where, project: 'bigquery-public-data', dataset: 'samples', location: 'US' };
      expect(await attempt(foreign, 1)).toBe('AORTA-BIGQUERY-FORBIDDEN');
    });

    if (!real) return;

    test('a merge that conflicts with another transaction on its table is aborted, and retried after that transaction ends', async () => {
      const where = await place();
      const { project, dataset } = where;
      const warnings: unknown[] = [];
      const conflicted = Promise.withResolvers<void>();
      const warn = (_event: string, fields: object = {}): void => {
        warnings.push(fields);
        if (JSON.stringify(fields).includes('conflict')) conflicted.resolve();
      };
      const warehouse = await openAt(where, { logger: { ...silentLogger, warn } });
      await carryOn(warehouse, 1);
      await landUpTo(warehouse, 2);
      // The session updates the fence of the table and does not commit yet, just like another merge that is still running.
      const client = provided.client();
      const [holder] = await client.createQueryJob({
        query: `BEGIN TRANSACTION;\n${fenceStatement({ project, dataset }, 'body')};`,
        createSession: true,
      });
      await holder.getQueryResults();
      const [{ statistics }] = await holder.getMetadata();
      const connectionProperties = [{ key: 'session_id', value: statistics.sessionInfo.sessionId as string }];
      const merging = warehouse.merge('all');
      await Promise.race([conflicted.promise, merging]);
      expect(JSON.stringify(warnings), 'warnings about the conflict').toContain('conflict');
      await client.query({ query: 'COMMIT TRANSACTION', connectionProperties });
      await merging;
      await warehouse.close();
      expect(await heldAt(where)).toEqual(wanted(2));
      const [fence] = await rowsOf(where, 'SELECT merges FROM aorta_fence_body');
      // Two merges and the session have updated the fence. The aborted merge has not.
      expect(Number(fence!.merges)).toBe(3);
    });
  });
}
