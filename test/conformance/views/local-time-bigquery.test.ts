import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import type { BigQuery } from '@google-cloud/bigquery';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTable, timeZoneTable } from '../../../connectors/bigquery/tables/declared.ts';
import { createView } from '../../../connectors/bigquery/tables/plan.ts';
import { fillStatements } from '../../../connectors/bigquery/time-zones.ts';
import { bigQueryViews } from '../../../connectors/bigquery/views-dialect.ts';
import { isShown } from '../../../connectors/warehouses/views/dialect.ts';
import { people } from './local-time.people.ts';
import {
  columns,
  dailyQuery,
  expected,
  expectedDays,
  rowsOf,
  samplesQuery,
  sorted,
  spansQuery,
  viewsOf,
} from './local-time.suite.ts';

const problem = await whyNoBigQuery();

describe.skipIf(problem !== undefined)(`BigQuery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let client: BigQuery;
  const name = `aorta_local_time_${process.pid}`;
  beforeAll(async () => {
    provided = await provideBigQuery();
    client = provided.client();
    await client.createDataset(name);
  });
  afterAll(async () => {
    if (provided?.provider === 'project') await client.dataset(name).delete({ force: true });
    await provided?.stop();
  });

  async function rows(query: string): Promise<string[]> {
    const [found] = await client.query({ query, wrapIntegers: false });
    const plain = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    return sorted(found.map((row) => Object.values(row as Record<string, unknown>).map(plain)));
  }

  test('BigQuery has the spans and local times of the model', async () => {
    const dataset = { project: provided.project, dataset: name };
    const dialect = bigQueryViews(dataset);
    const persons = fc
      .sample(people, { numRuns: 8, seed: 25 })
      .flatMap((some, group) => some.map((person) => ({ ...person, user: `${group}-${person.user}` })));
    await client.query({ query: createTable(dataset, timeZoneTable) });
    await client.query({ query: `${fillStatements(dataset).join(';\n')};` });
    const inserted = rowsOf(dialect, persons);
    for (const [table, own] of Object.entries(columns)) {
      const definitions = Object.entries(own).map(([column, type]) => `${column} ${type}`);
      await client.query({ query: `create table ${dialect.table(table)} (${definitions.join(', ')})` });
      const values = (inserted[table] ?? []).map((row) => `(${row.join(', ')})`);
      if (values.length > 0) await client.query({ query: `insert into ${dialect.table(table)} values ${values.join(', ')}` });
    }
    for (const view of viewsOf(dialect).filter(isShown)) await client.query({ query: createView(dataset, view) });
    const { spans, samples } = expected(persons);
    expect(samples.length).toBeGreaterThan(80);
    const seconds = (instant: string) => `unix_seconds(${instant})`;
    expect(await rows(spansQuery(dialect, seconds))).toEqual(spans);
    expect(await rows(samplesQuery(dialect, seconds))).toEqual(samples);
    expect(await rows(dailyQuery(dialect))).toEqual(expectedDays(persons));
  });
});
