import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import type { Step, StepObserver } from '@aorta/runtime';
import {
  deliveries,
  parseInstant,
  readEvent,
  type StreamName,
  type StreamRecords,
  type TableDeclaration,
  tables,
} from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { landedTable, privacyOptions } from '../privacy.ts';
import type { Warehouse } from '../warehouse.ts';
import { openBigQueryWarehouse } from './bigquery-warehouse.ts';
import { realSurroundings } from './errors/retries.ts';
import { type BigQueryWarehouseOptions, bigQueryOptions } from './options.ts';
import { openBigQueryReader } from './reading/bigquery-reader.ts';
import { FORMAT } from './sql/facts.ts';
import { landedView } from './sql/landed-view.ts';
import { landedTablePrefix, landingSchema, readLandedTableName } from './sql/landing.ts';

const problem = await whyNoBigQuery();
const few = tables.filter(({ name }) => name === 'body' || name === 'timeseries');

type AnyRecord = StreamRecords[StreamName];

let offset = 0;
const receipt = () => ({
  source: 's',
  partition: '0',
  offset: offset++,
  received_at: parseInstant('2026-11-20T10:00:00Z') + offset,
  delivery_id: null,
  header_facts: 3,
  body_bytes: 10,
  body_crc32: 0,
  arrived_at: null,
});

function body(id: string, weight: number, user = 'u'): AnyRecord {
  const data = {
    id,
    user_id: user,
    calendar_date: '2026-11-20',
    date: '2026-11-20T00:00:00Z',
    weight,
    source: { provider: 'withings', type: 'scale' },
  };
  const type = 'daily.data.body.created';
  const reading = readEvent('body', type, { event_type: type, user_id: user, team_id: 't', data }, receipt());
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record as AnyRecord;
}

function pulse(values: readonly number[], day = '2026-11-20'): AnyRecord {
  const type = 'daily.data.heartrate.created';
  const samples = values.map((value, index) => ({
    id: index,
    timestamp: `${day}T08:00:${String(index).padStart(2, '0')}.123456+00:00`,
    start: `${day}T08:00:${String(index).padStart(2, '0')}.123456+00:00`,
    end: `${day}T08:00:${String(index).padStart(2, '0')}.123456+00:00`,
    value,
    unit: 'bpm',
    type: 'automatic',
  }));
  const data = { user_id: 'u', data: samples, source: { provider: 'oura', type: 'ring' } };
  const reading = readEvent('timeseries', type, { event_type: type, user_id: 'u', team_id: 't', data }, receipt());
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record as AnyRecord;
}

describe.skipIf(problem !== undefined && process.env.CI === undefined)(
  `BigQuery${problem === undefined ? '' : `: ${problem.message}`}`,
  () => {
    let big: ProvidedBigQuery;
    let datasets = 0;

    beforeAll(async () => {
      big = await provideBigQuery({ own: true });
    });
    afterAll(async () => {
      await big?.stop();
    });

    interface OpenDataset {
      readonly dataset: string;
      open(options?: Partial<BigQueryWarehouseOptions>): Promise<Warehouse>;
      rows(sql: string): Promise<readonly (readonly unknown[])[]>;
    }

    async function place(metadata: object = {}): Promise<OpenDataset> {
      const dataset = `run_${++datasets}`;
      await big.client().createDataset(dataset, { location: big.location ?? 'US', ...metadata });
      const settings = {
        ...bigQueryOptions.parse({
          type: 'bigquery',
          project: big.project,
          dataset,
          api_endpoint: big.apiEndpoint,
          merge_every_s: 0,
          old_after_s: 0,
          patience_s: 60,
        }),
        privacy: privacyOptions.parse({}),
        tables: few,
        patience: { pauseMs: 10, mostMs: 100, limitMs: 20 },
      };
      return {
        dataset,
        open: (options = {}) => openBigQueryWarehouse({ ...settings, ...options }),
        rows: async (sql) => {
          const reader = await openBigQueryReader({ ...settings, declared: few });
          const all: (readonly unknown[])[] = [];
          for await (const some of (await reader.query(sql)).rows) all.push(...some);
          return all;
        },
      };
    }

    const control = () => big.control!;
    const bodies = 'SELECT id, weight_kg FROM body ORDER BY id';
    const received = 'SELECT source_offset, COUNT(*) FROM deliveries GROUP BY source_offset HAVING COUNT(*) > 1';

    /** Lands a batch at the partition's current position. Without records, the batch spans five positions. */
    async function land(warehouse: Warehouse, stream: StreamName, records: readonly AnyRecord[]): Promise<void> {
      const from = warehouse.landed({ stream, partition: 0 })?.position ?? 0;
      await warehouse.land({ stream, incarnation: 'i', from, to: from + (records.length || 5), records: records as never });
    }

    test('a reopened warehouse merges the newest version of each landed row and keeps microseconds', async () => {
      const { open, rows } = await place();
      const before = await open();
      await land(before, 'body', [body('a', 80), body('b', 70)]);
      for (const records of [[], [], [body('a', 81)]]) await land(before, 'body', records);
      await land(before, 'timeseries', [pulse([60, 61]), pulse([50], '2025-01-01')]);
      await before.close();
      const warehouse = await open();
      expect([warehouse.landed({ stream: 'body', partition: 0 }), warehouse.backlog()]).toEqual([
        { incarnation: 'i', position: 13 },
        { batches: 3, records: 5 },
      ]);
      const { targets } = await warehouse.merge('all');
      expect(targets.map(({ table, range }) => `${table} ${range}`).sort()).toEqual([
        'body recent',
        'deliveries recent',
        'timeseries old',
        'timeseries recent',
      ]);
      expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
      expect(await warehouse.rows()).toMatchObject({ body: 2, timeseries: 3, deliveries: 5 });
      await warehouse.close();
      expect(await rows(bodies)).toEqual([
        ['a', 81],
        ['b', 70],
      ]);
      expect(await rows("SELECT start_at, value FROM timeseries WHERE _day = DATE '2026-11-20' ORDER BY start_at")).toEqual([
        ['2026-11-20T08:00:00.123456Z', 60],
        ['2026-11-20T08:00:01.123456Z', 61],
      ]);
      const again = await open();
      expect(again.landed({ stream: 'body', partition: 0 })).toEqual({ incarnation: 'i', position: 13 });
      await again.close();
    });

    test('a new worker can land the same records again after a dead worker’s load job completes late', async () => {
      const { open, rows } = await place();
      let ahead = 0;
      const surroundings = { ...realSurroundings, now: () => Date.now() + ahead };
      const former = await open({ workers: 2 });
      const heir = await open({ workers: 2, surroundings });
      await land(former, 'body', [body('a', 80), body('b', 70)]);
      await former.close();
      // The new worker was assigned the partition before the dead worker's table existed. It finds the table now, when it is
      // assigned a different partition.
      ahead = 10_000;
      await heir.learn?.({ stream: 'timeseries', partition: 0 });
      expect(heir.landed({ stream: 'body', partition: 0 })).toEqual({ incarnation: 'i', position: 2 });
      const records = [body('a', 80), body('b', 70), body('c', 60)];
      await heir.land({ stream: 'body', incarnation: 'i', from: 0, to: 3, records: records as never });
      expect(heir.landed({ stream: 'body', partition: 0 })).toEqual({ incarnation: 'i', position: 3 });
      // A batch that would leave a gap is refused.
      const beyond = { stream: 'body', incarnation: 'i', from: 4, to: 5, records: [body('d', 50)] as never } as const;
      await expect(heir.land(beyond)).rejects.toMatchObject({ code: 'AORTA-BUG' });
      await heir.merge('all');
      expect(await rows(bodies)).toEqual([
        ['a', 80],
        ['b', 70],
        ['c', 60],
      ]);
      await heir.close();
      const again = await open();
      expect([again.landed({ stream: 'body', partition: 0 }), again.backlog().batches]).toEqual([
        { incarnation: 'i', position: 3 },
        0,
      ]);
      await again.close();
    });

    test('a batch of a worker whose clock was ahead counts as landed when another worker first sees it', async () => {
      const { open } = await place();
      let now = Date.now();
      const clock = (ahead: number) => ({ surroundings: { ...realSurroundings, now: () => now + ahead } });
      const pace = { workers: 2, old_after_s: 60 };
      const ahead = await open({ ...pace, ...clock(7_200_000) });
      await land(ahead, 'timeseries', [pulse([60], '2026-01-01')]);
      const next = await open({ ...pace, ...clock(0) });
      const seen = now;
      const old = () => next.waitingMerges().find(({ range }) => range === 'old')!;
      expect([old().landedAt, old().dueAt]).toEqual([seen, seen + 60_000]);
      now += 10_000;
      await next.learn?.({ stream: 'body', partition: 0 });
      expect([old().landedAt, old().dueAt]).toEqual([seen, seen + 60_000]);
      await ahead.close();
      await next.close();
    });

    test('obsolete rows of control tables are deleted only when there are many of them', async () => {
      const { dataset, open, rows } = await place();
      const warehouse = await open();
      for (const id of ['a', 'b', 'c']) {
        await land(warehouse, 'body', [body(id, 80)]);
        await warehouse.merge('all');
      }
      await warehouse.close();
      const positions = 'SELECT position FROM aorta_positions ORDER BY position';
      const merged = 'SELECT COUNT(DISTINCT batch) FROM aorta_merged';
      expect([await rows(positions), await rows(merged)]).toEqual([[[1n], [2n], [3n]], [[3n]]]);
      // A process that starts two days later finds few obsolete rows and keeps them.
      const surroundings = { ...realSurroundings, now: () => Date.now() + 2 * 86_400_000 };
      const again = async (): Promise<void> => {
        const next = await open({ surroundings });
        await next.merge('all');
        expect(next.landed({ stream: 'body', partition: 0 })).toEqual({ incarnation: 'i', position: 3 });
        await next.close();
      };
      const billed = async (table: string): Promise<number> => (await control().state()).billed[`${dataset}.${table}`] ?? 0;
      const before = await billed('aorta_merged');
      await again();
      expect([await rows(positions), await rows(merged)]).toEqual([[[1n], [2n], [3n]], [[3n]]]);
      expect((await billed('aorta_merged')) - before).toBe(10 * 2 ** 20);

      const run = (sql: string) => big.client().query({ query: sql, defaultDataset: { datasetId: dataset } });
      await run(`INSERT INTO \`${dataset}.aorta_positions\` (stream, stream_partition, incarnation, position, written_at)
SELECT 'body', 0, 'i', 2, CURRENT_TIMESTAMP() FROM UNNEST(GENERATE_ARRAY(1, 1000)) AS n`);
      await run(`INSERT INTO \`${dataset}.aorta_merged\` (batch, target, extent, dates, merged_at)
SELECT CONCAT(ANY_VALUE(batch), CAST(n AS STRING)), 'body', 'recent', CAST([] AS ARRAY<DATE>), CURRENT_TIMESTAMP()
FROM \`${dataset}.aorta_merged\`, UNNEST(GENERATE_ARRAY(1, 500)) AS n GROUP BY n`);
      await again();
      expect([await rows(positions), await rows(merged)]).toEqual([[[3n]], [[0n]]]);
    });

    test('before a merge, the view of landed rows shows the newest version of each row, without erased users', async () => {
      const { dataset, open, rows } = await place();
      const warehouse = await open();
      await land(warehouse, 'body', [body('a', 80), body('b', 70), body('gone', 1, 'erased')]);
      await land(warehouse, 'timeseries', [pulse([60, 61])]);
      await warehouse.merge('all');
      await warehouse.erase('erased');
      await land(warehouse, 'body', [body('a', 81), body('c', 60), body('gone', 2, 'erased')]);
      await land(warehouse, 'timeseries', [pulse([60, 62, 63])]);
      await warehouse.close();
      const [listed] = await big.client().dataset(dataset).getTables();
      /**
       * Returns the view's query. The local server does not support wildcard tables, so the name of the only landing table
       * replaces the wildcard.
       */
      const shown = (name: string): string => {
        const target = landedTable(few.find((table) => table.name === name)!, privacyOptions.parse({}));
        const schema = landingSchema(target.stream as StreamName, target, 'updated_at');
        const { query } = landedView({ project: big.project, dataset }, target, schema);
        const prefix = landedTablePrefix(target.stream);
        const waiting = listed.filter(({ id }) => id!.startsWith(prefix));
        expect([name, waiting.length, query.includes(`${prefix}*`)]).toEqual([name, 1, true]);
        return query.replaceAll(`${prefix}*`, waiting[0]!.id!);
      };
      expect(await rows(`SELECT id, weight_kg FROM (${shown('body')}) ORDER BY id`)).toEqual([
        ['a', 81],
        ['b', 70],
        ['c', 60],
      ]);
      expect(await rows(`SELECT value FROM (${shown('timeseries')}) ORDER BY start_at`)).toEqual([[60], [62], [63]]);
      // The target tables contain only the merged rows.
      expect(await rows(bodies)).toEqual([
        ['a', 80],
        ['b', 70],
      ]);
    });

    test('a restart after a crash at any step neither loses nor duplicates rows', async () => {
      const { open, rows } = await place();
      const steps: readonly Step[] = [
        'land:begun',
        'land:durable',
        'merge:begun',
        'merge:durable',
        'batch:position',
        'batch:dropped',
      ];
      const expected: [string, number][] = [];
      for (const [index, step] of steps.entries()) {
        const records = [body(`s${index}`, index + 50), body(`t${index}`, index + 60)];
        expected.push([`s${index}`, index + 50], [`t${index}`, index + 60]);
        let left = 1;
        const onStep: StepObserver = (now) => {
          if (now === step && left-- > 0) throw new Error('simulated crash');
        };
        const crashed = await open({ onStep });
        const end = async (): Promise<void> => {
          await land(crashed, 'body', records);
          await crashed.merge('all');
        };
        await expect(end(), step).rejects.toThrow('simulated crash');
        const warehouse = await open();
        // Like the loader, the test continues at the landed position.
        const position = warehouse.landed({ stream: 'body', partition: 0 })?.position ?? 0;
        const missing = (index + 1) * 2 - position;
        if (missing > 0) await land(warehouse, 'body', records.slice(-missing));
        await warehouse.merge('all');
        expect(warehouse.backlog(), step).toEqual({ batches: 0, records: 0 });
        await warehouse.close();
      }
      expect(await rows(bodies)).toEqual(expected.sort(([a], [b]) => (a < b ? -1 : 1)));
      expect(await rows(received)).toEqual([]);
      expect(await rows('SELECT COUNT(*) FROM deliveries')).toEqual([[BigInt(steps.length * 2)]]);
    });

    test('a batch is landed exactly once even if its upload or its load job fails', async () => {
      const { open, rows } = await place();
      const warehouse = await open();
      const faults = [
        { on: 'upload', fault: { kind: 'reset', when: 'after' } },
        { on: 'upload', fault: { kind: 'reset', when: 'before' } },
        { on: 'upload', fault: { kind: 'cut' } },
        { on: 'upload', fault: { kind: 'status', status: 403, reason: 'rateLimitExceeded' } },
        { on: 'upload', times: 2, fault: { kind: 'status', status: 503, reason: 'backendError' } },
        { on: 'upload', fault: { kind: 'job-fails', reason: 'backendError' } },
        { on: 'upload', fault: { kind: 'job-fails', reason: 'somethingNew' } },
        { on: 'job-get', fault: { kind: 'status', status: 404, reason: 'notFound' } },
      ] as const;
      for (const [index, fault] of faults.entries()) {
        const rule = await control().inject(fault);
        await land(warehouse, 'body', [body(`f${index}`, 60 + index)]);
        await control().remove(rule);
      }
      expect(warehouse.backlog()).toEqual({ batches: faults.length, records: faults.length });
      await warehouse.merge('all');
      await warehouse.close();
      expect(await rows(bodies)).toEqual(faults.map((_, index) => [`f${index}`, 60 + index]));
    });

    test('a merge is applied exactly once even if a response is lost or the merge job fails', async () => {
      const { open, rows } = await place();
      const warehouse = await open();
      await land(warehouse, 'body', [body('m', 90)]);
      await control().inject({ on: 'job-insert', about: '_merge_body_', fault: { kind: 'reset', when: 'after' } });
      await control().inject({
        on: 'job-insert',
        about: '_merge_deliveries_',
        fault: { kind: 'job-fails', reason: 'jobBackendError' },
      });
      await warehouse.merge('all');
      await control().remove();
      expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
      await warehouse.close();
      expect(await rows(bodies)).toEqual([['m', 90]]);
      expect(await rows('SELECT COUNT(*) FROM deliveries')).toEqual([[1n]]);
    });

    test('landing tables ignore the dataset’s default expiration, and opening fails if one of them is missing', async () => {
      const { dataset, open } = await place({ defaultTableExpirationMs: '3600000', defaultPartitionExpirationMs: '86400000' });
      const warehouse = await open();
      await land(warehouse, 'body', [body('x', 1)]);
      await land(warehouse, 'body', [body('y', 2)]);
      await warehouse.close();
      const [listed] = await big.client().dataset(dataset).getTables();
      const landed = listed.filter(({ id }) => id!.startsWith('aorta_landed_'));
      // Other tables and their partitions do not expire, except for the changes of 35 days.
      for (const table of listed.filter((one) => !landed.includes(one))) {
        const [{ expirationTime, timePartitioning }] = await table.getMetadata();
        const expires = table.id === 'aorta_changed_days' ? String(35 * 86_400_000) : null;
        expect([table.id, expirationTime ?? null, timePartitioning?.expirationMs ?? null]).toEqual([table.id, null, expires]);
      }
      // Each batch needed only one attempt, although jobs of a different dataset have loaded batches with the same names.
      expect(landed.map(({ id }) => readLandedTableName(id!)).map((one) => [one?.from, one?.to, one?.attempt])).toEqual([
        [0, 1, 1],
        [1, 2, 1],
      ]);
      for (const table of landed) {
        const [{ expirationTime }] = await table.getMetadata();
        expect(expirationTime === undefined || Number(expirationTime) > Date.now() + 365 * 86_400_000).toBe(true);
      }
      await landed.sort((a, b) => (a.id! < b.id! ? -1 : 1))[0]!.delete();
      await expect(open()).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-BATCH-GONE', class: 'bug' });
    });

    test.each([
      ['older', FORMAT - 1, 'AORTA-WAREHOUSE-OLDER'],
      ['newer', FORMAT + 1, 'AORTA-DATA-NEWER'],
    ])('a dataset with an %s format is refused', async (_, found, code) => {
      const { dataset, open } = await place();
      await (await open()).close();
      const meta = `\`${big.project}.${dataset}.aorta_meta\``;
      await big.client().query(`UPDATE ${meta} SET value = '${found}' WHERE name = 'format'`);
      const path = `bigquery:${big.project}.${dataset}`;
      await expect(open()).rejects.toMatchObject({ code, details: { path, found, known: FORMAT } });
    });

    test('while an older and a newer version load side by side, the new column is filled and no row is lost', async () => {
      const { open, rows } = await place();
      const older: TableDeclaration[] = few.map((table) => ({
        ...table,
        columns: table.columns.filter(({ name }) => name !== 'waist_circumference_cm'),
      }));
      const old = await open({ tables: older });
      await land(old, 'body', [body('before', 70)]);
      await old.merge('all');
      // The newer version adds its column when it opens the dataset, while the older version keeps loading.
      const young = await open();
      const wide = { ...body('young', 72), waist_circumference_cm: 88 } as AnyRecord;
      await young.land({ stream: 'body', partition: 1, incarnation: 'i', from: 0, to: 1, records: [wide] as never });
      await land(old, 'body', [body('during', 71)]);
      await old.close();
      const other = await open({ tables: older });
      expect(other.backlog()).toEqual({ batches: 2, records: 2 });
      await other.merge('all');
      await other.close();
      await young.close();
      expect(await rows('SELECT id, weight_kg, waist_circumference_cm FROM body ORDER BY id')).toEqual([
        ['before', 70, null],
        ['during', 71, null],
        ['young', 72, 88],
      ]);
    });

    test('when the daily cap is reached, merges wait and landing continues', async () => {
      const { open, rows } = await place();
      const warehouse = await open({ most_per_day: 1e-9 });
      await land(warehouse, 'body', [body('c', 1)]);
      await expect(warehouse.merge('all')).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-CAP' });
      await land(warehouse, 'body', [body('d', 2)]);
      expect(warehouse.backlog()).toEqual({ batches: 2, records: 2 });
      await warehouse.close();
      const richer = await open();
      await richer.merge('all');
      await richer.close();
      expect(await rows(bodies)).toEqual([
        ['c', 1],
        ['d', 2],
      ]);
      expect(await rows("SELECT COUNT(*) > 0, SUM(billed_bytes) > 0 FROM aorta_activity WHERE what = 'merge'")).toEqual([
        [true, true],
      ]);
    });

    test('every configuration error has its own code', async () => {
      const { dataset, open } = await place();
      await expect(open({ dataset: 'nowhere' })).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-DATASET' });
      await expect(open({ location: 'EU' })).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-LOCATION', details: { found: 'US' } });
      const fail = async (status: number, reason: string, message = ''): Promise<unknown> => {
        const rule = await control().inject({
          on: 'datasets-get',
          times: 'always',
          fault: { kind: 'status', status, reason, message },
        });
        const error = await open({ patience: { forMs: 200, pauseMs: 10, mostMs: 50, limitMs: 20 } }).catch((one: unknown) => one);
        await control().remove(rule);
        return error;
      };
      const denied = 'Access Denied: Permission bigquery.datasets.get denied on dataset (or it may not exist).';
      expect(await fail(403, 'accessDenied', denied)).toMatchObject({
        code: 'AORTA-BIGQUERY-FORBIDDEN',
        details: { permission: 'bigquery.datasets.get' },
      });
      expect(await fail(401, 'authError')).toMatchObject({ code: 'AORTA-BIGQUERY-CREDENTIALS' });
      expect(await fail(403, 'accessNotConfigured')).toMatchObject({ code: 'AORTA-BIGQUERY-PROJECT' });
      expect(await fail(403, 'quotaExceeded')).toMatchObject({ code: 'AORTA-BIGQUERY-QUOTA' });
      await big
        .client()
        .dataset(dataset)
        .createTable('body', { schema: [{ name: 'id', type: 'INTEGER' }] });
      await expect(open()).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-TABLE', details: { table: 'body' } });
    });

    test('a user’s rows are erased from landed batches and tables, and the batches still count as landed', async () => {
      const { open, rows } = await place({ maxTimeTravelHours: '48' });
      const warehouse = await open();
      await land(warehouse, 'body', [body('e', 1)]);
      await warehouse.merge('all');
      await land(warehouse, 'body', [body('f', 2)]);
      const receiptOf = await warehouse.erase('u');
      expect(receiptOf).toEqual({
        tables: [
          { table: 'body', rows: 1 },
          { table: deliveries.name, rows: 1 },
        ],
        landed: 1,
        // The dataset has two days of time travel. Fail-safe is always seven days.
        kept: { timeTravelHours: 48, failSafeDays: 7 },
      });
      await warehouse.close();
      const again = await open();
      expect(again.landed({ stream: 'body', partition: 0 })).toEqual({ incarnation: 'i', position: 2 });
      await again.merge('all');
      expect(again.backlog()).toEqual({ batches: 0, records: 0 });
      // A running merge may be about to insert landed rows of this user. To abort it, the erasure updates the table's fence
      // even though the table has no rows of the user yet.
      await land(again, 'body', [body('g', 3, 'v')]);
      const fence = async () => Number((await rows('SELECT merges FROM aorta_fence_body'))[0]![0]);
      const before = await fence();
      expect(await again.erase('v')).toEqual({ tables: [], landed: 1, kept: { timeTravelHours: 48, failSafeDays: 7 } });
      expect(await fence()).toBe(before + 1);
      await again.merge('all');
      await again.close();
      expect(await rows(bodies)).toEqual([]);
    });
  },
);
