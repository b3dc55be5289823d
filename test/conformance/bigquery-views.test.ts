import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { landedTable, privacyOptions } from '@aorta/connectors';
import {
  type ColumnType,
  tables as declared,
  deliveries,
  elementFields,
  type StreamName,
  type StreamRecords,
  sampleValue,
  streamNames,
  timeseriesResources,
  type ValueType,
} from '@aorta/schemas';
import type { BigQuery } from '@google-cloud/bigquery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countStatement, eraseSteps, USER_PARAMETER } from '../../connectors/bigquery/sql/erase.ts';
import { beginStatements, factsOf } from '../../connectors/bigquery/sql/facts.ts';
import { type LandingSchema, landedTableName, landingSchema } from '../../connectors/bigquery/sql/landing.ts';
import { type MergeBatch, mergeStatement } from '../../connectors/bigquery/sql/merge.ts';
import type { Dataset } from '../../connectors/bigquery/sql/types.ts';
import { tableResource, wantedTables } from '../../connectors/bigquery/tables/declared.ts';
import { createView } from '../../connectors/bigquery/tables/plan.ts';
import { fillStatements } from '../../connectors/bigquery/time-zones.ts';
import { bigQueryViews } from '../../connectors/bigquery/views-dialect.ts';
import { partitionDay } from '../../connectors/warehouses/merging/landed-dates.ts';
import { isShown } from '../../connectors/warehouses/views/dialect.ts';
import { views } from '../../connectors/warehouses/views/views.ts';
import { describedEvents } from '../catalogue/catalogue.ts';
import { fetchedEvents } from '../catalogue/fetched.ts';
import { branchesOf, fullEvent, minimalEvent, nullsEvent } from '../catalogue/generate.ts';
import { type DeliveryLine, type Loaded, loaded } from '../catalogue/loaded.ts';

/** Loads every event with BigQuery's statements, and compares each table and view with DuckDB's. */

const problem = await whyNoBigQuery();

/** Depends on the time of processing. DuckDB also keeps more of it than BigQuery. */
const ofProcessingOnly = 'changed_person_days';

/** Views that only the real service can run, because the local server does not support their functions. */
const notHere: readonly string[] = ['meal_foods', 'continuous_query_rows'];

const tables = declared.map((table) => landedTable(table, privacyOptions.parse({})));

function lines(): DeliveryLine[] {
  const events = describedEvents.flatMap((facts, number) => [
    ...Array.from({ length: branchesOf(facts) }, (_, branch) => fullEvent(facts, number * 10 + branch, `full ${branch}`, branch)),
    minimalEvent(facts, number * 10 + 8),
    nullsEvent(facts, number * 10 + 9),
  ]);
  const linesOf = (some: typeof events, source: string) =>
    some.map(({ facts, body }) => ({ headers: { 'x-vital-event-type': facts.type }, body: JSON.stringify(body), source }));
  return [
    ...linesOf(events, 'hub'),
    // Some events occur twice. The one that is received later wins.
    ...linesOf(
      events.filter((_, index) => index % 7 === 0),
      'hub',
    ),
    // A second source delivers some events too.
    ...linesOf(
      events.filter((_, index) => index % 5 === 0),
      'webhook',
    ),
    ...fetchedEvents,
  ];
}

const instant = (micros: number): string => {
  const whole = Math.floor(micros / 1_000_000);
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}.${String(micros - whole * 1_000_000).padStart(6, '0')}Z`;
};

function single(type: ValueType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'timestamp') return instant(value as number);
  if (type === 'date') return new Date((value as number) * 86_400_000).toISOString().slice(0, 10);
  return typeof value === 'bigint' ? String(value) : value;
}

/** Returns a value as it must appear in the load file. */
function written(type: ColumnType, value: unknown): unknown {
  if (typeof type === 'string') return single(type, value);
  const fields = elementFields(type);
  const list = (value ?? []) as readonly unknown[];
  if (fields === undefined) return list.map((one) => single(type.list as ValueType, one));
  return list.map((one) =>
    Object.fromEntries(fields.map((field) => [field.name, single(field.type, (one as Record<string, unknown>)[field.name])])),
  );
}

function rowOf({ columns, samples }: LandingSchema, record: StreamRecords[StreamName]): string {
  const row: Record<string, unknown> = {};
  for (const { name, type, value } of columns) row[name] = written(type, value(record));
  if (samples !== undefined) {
    const arrays = record as unknown as Record<string, readonly unknown[]>;
    row._samples = arrays.start_at!.map((_, index) =>
      Object.fromEntries(samples.map(({ name, type }) => [name, written(type, sampleValue(arrays[name]!, index))])),
    );
  }
  return `${JSON.stringify(row)}\n`;
}

const daysOf = (micros: readonly number[]): number[] => [...new Set(micros.map(partitionDay))].sort((a, b) => a - b);

describe.skipIf(problem !== undefined)(`BigQuery and DuckDB${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let client: BigQuery;
  let dataset: Dataset;
  const folder = mkdtempSync(join(tmpdir(), 'aorta-'));

  beforeAll(async () => {
    provided = await provideBigQuery();
    client = provided.client();
    dataset = { project: provided.project, dataset: `aorta_views_${process.pid}` };
    await client.createDataset(dataset.dataset);
  });
  afterAll(async () => {
    if (provided?.provider === 'project') await client.dataset(dataset.dataset).delete({ force: true });
    await provided?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(query: string, params?: Record<string, string>): Promise<Record<string, unknown>[]> {
    if (params === undefined) return (await client.query({ query, wrapIntegers: true }))[0] as Record<string, unknown>[];
    const [job] = await client.createQueryJob({ query, params });
    return (await job.getQueryResults({ wrapIntegers: true }))[0] as Record<string, unknown>[];
  }

  /** Lands records in one batch, or in two if they have samples. Returns each batch with the days of its samples and receipts. */
  async function land(stream: StreamName, records: readonly StreamRecords[StreamName][], attempt = 1) {
    const schema = landingSchema(
      stream,
      tables.find((table) => table.stream === stream),
      'updated_at',
    );
    const half = stream === 'timeseries' ? Math.ceil(records.length / 2) : records.length;
    const batches: { batch: MergeBatch; samples: number[]; receipts: number[] }[] = [];
    for (const [at, part] of [records.slice(0, half), records.slice(half)].entries()) {
      if (part.length === 0) continue;
      const key = { stream, partition: 0, incarnation: 'i', from: at * half, to: at * half + part.length, attempt };
      const table = landedTableName({ ...key, revision: schema.revision });
      const file = join(folder, `${table}.ndjson`);
      writeFileSync(file, part.map((record) => rowOf(schema, record)).join(''));
      await client.dataset(dataset.dataset).createTable(table, { schema: { fields: schema.fields } as never });
      const [job] = await client.dataset(dataset.dataset).table(table).load(file, { sourceFormat: 'NEWLINE_DELIMITED_JSON' });
      expect(job.status?.errorResult).toBeUndefined();
      const starts = part.flatMap((record) => ('start_at' in record ? record.start_at : []));
      batches.push({
        batch: { table, stream, fields: schema.fields, days: [] },
        samples: daysOf(starts),
        receipts: daysOf(part.map(({ receipt }) => receipt.received_at)),
      });
    }
    return batches;
  }

  test("both warehouses have the same rows in every table and view, and an erasure removes the user's rows", async () => {
    await loaded(lines(), async (duckDb) => {
      for (const wanted of wantedTables(tables))
        await client.dataset(dataset.dataset).createTable(wanted.name, tableResource(wanted) as never);
      await run(`${beginStatements(dataset, factsOf([]), 'ab'.repeat(32))!.join(';\n')};`);
      await run(`${fillStatements(dataset).join(';\n')};`);

      const all: Awaited<ReturnType<typeof land>> = [];
      for (const stream of streamNames) {
        const records = [...(await duckDb.stream(stream)).values()];
        const batches = await land(stream, records);
        all.push(...batches);
        const target = tables.find((table) => table.stream === stream);
        if (target === undefined || batches.length === 0) continue;
        const folded = batches
          .map(({ batch, samples }) => ({ ...batch, days: target.partition === undefined ? [] : samples }))
          .filter(({ days }) => target.partition === undefined || days.length > 0);
        const { sql } = mergeStatement({ dataset, target, extent: 'recent', batches: folded });
        await run(sql);
        // A second merge must change nothing, because no landed row is newer than the merged row.
        if (target.shape === 'timeseries' || target.name === 'lab_orders') await run(sql);
      }
      const receipts = all.map(({ batch, receipts: days }) => ({ ...batch, days }));
      await run(mergeStatement({ dataset, target: deliveries, extent: 'recent', batches: receipts }).sql);

      const problems: string[] = [];
      for (const { name } of [...tables, deliveries]) problems.push(...(await differing(duckDb, name)));
      for (const view of views(bigQueryViews(dataset), tables, declared, {}).filter(isShown)) {
        const { name } = view;
        if (provided.provider !== 'project' && notHere.includes(name)) continue;
        // The views of resources differ only in their names, so the test compares only some of them.
        const resource = timeseriesResources.findIndex((one) => one.resource === name);
        if (resource % 20 > 0) continue;
        try {
          await run(createView(dataset, view));
          if (name !== ofProcessingOnly) problems.push(...(await differing(duckDb, name)));
        } catch (error) {
          problems.push(`${name}: ${(error as Error).message.slice(0, 300)}`);
        }
      }
      expect(problems).toEqual([]);
      expect((await duckDb.rows('delivery_copies')).length).toBeGreaterThan(describedEvents.length / 5);

      const [{ user_id: user }] = (await duckDb.rows('activity')) as unknown as [{ user_id: string }];
      const from = [...tables.filter(({ name }) => name === 'activity' || name === 'timeseries'), deliveries];
      const landed = all.map(({ batch }) => batch).filter(({ stream }) => stream === 'activity' || stream === 'timeseries');
      for (const { sql } of eraseSteps(dataset, from, landed)) await run(sql, { [USER_PARAMETER]: user });
      // A replay lands the same events again. The erased user's rows must not reappear.
      const again = await land('activity', [...(await duckDb.stream('activity')).values()], 2);
      const [activity] = from;
      await run(mergeStatement({ dataset, target: activity!, extent: 'recent', batches: again.map(({ batch }) => batch) }).sql);
      for (const { name } of from) {
        const { fields } = wantedTables(tables).find((table) => table.name === name)!;
        const [count] = await run(countStatement(dataset, name, fields), { [USER_PARAMETER]: user });
        expect([name, plain(count!.found)]).toEqual([name, '#0']);
      }
    });
  });

  /** Describes how a table or view differs between BigQuery and DuckDB. Shows at most one row from each. */
  async function differing(duckDb: Loaded, name: string): Promise<string[]> {
    const here = (await duckDb.rows(name)).map(plainRow).sort();
    const there = (await run(`SELECT * FROM \`${dataset.project}.${dataset.dataset}.${name}\``)).map(plainRow).sort();
    if (here.length === there.length && here.every((row, index) => row === there[index])) return [];
    const odd = here.find((row) => !there.includes(row));
    const other = there.find((row) => !here.includes(row));
    return [`${name}: ${here.length} rows and ${there.length}\n  DuckDB   ${odd}\n  BigQuery ${other}`];
  }
});

/** Columns that depend on the time of processing. */
const ofProcessing = new Set(['_loaded_at', 'last_loaded_at', 'age_s']);

function plainRow(row: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(row)
    .filter(([name]) => !ofProcessing.has(name))
    .map(([name, value]): [string, unknown] => [name, plain(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries);
}

/** Normalizes a value from either client. Times lose trailing zeros, numbers become strings, and JSON is parsed. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint' || typeof value === 'number') return `#${Number(value)}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object') {
    const keys = Object.keys(value);
    if (keys.includes('integerValue') || (keys.includes('type') && (value as { type: unknown }).type === 'BigQueryInt'))
      return `#${Number((value as { value: string }).value)}`;
    if (keys.length === 1 && keys[0] === 'value') return plain((value as { value: unknown }).value);
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, one]): [string, unknown] => [name, plain(one)])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value))
    return value.replace(/\.?0*$/, (end) => (end.startsWith('.') ? '' : end)).replace(/(\.\d*?)0+$/, '$1');
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return value.replace(/\.?0*Z$/, (end) => (end.startsWith('.') ? 'Z' : end)).replace(/(\.\d*?)0+Z$/, '$1Z');
  if (/^[[{]/.test(value)) {
    try {
      return plain(JSON.parse(value));
    } catch {
      return value;
    }
  }
  return value;
}
