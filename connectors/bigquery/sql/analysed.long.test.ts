import { type Analyser, type DeclaredTable, startAnalyser } from '@aorta/bigquery-server/analyser';
import { deliveries, type StreamName, streamNames } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TableResource } from '../client/client.ts';
import { activityStatement, costStatement, spentStatement, waitsStatement } from '../cost/activity.ts';
import { tableResource, wantedTables } from '../tables/declared.ts';
import { tableDifferences } from '../tables/difference.ts';
import { tableFields } from '../tables/fields.ts';
import { planWarehouse } from '../tables/plan.ts';
import {
  controlTables,
  fenceTables,
  forgetMergedStatement,
  positionsStatement,
  prunePositionsStatement,
  readMergedStatement,
  readPositionsStatement,
} from './control.ts';
import { countStatement, eraseSteps, USER_PARAMETER } from './erase.ts';
import { beginStatements, factsOf } from './facts.ts';
import { dataset, landed, tableOf, tables } from './landed.fixture.ts';
import { landedView } from './landed-view.ts';
import { landedTablePrefix, landingSchema } from './landing.ts';
import { mergeStatement } from './merge.ts';

/** Uses GoogleSQL's own analyser to check every statement that the warehouse can send. */

const name = (table: string): string => `${dataset.project}.${dataset.dataset}.${table}`;
const days = [14_610, 20_540, 20_541];

const batchesOf = (stream: StreamName) => [landed(stream, 0, days), landed(stream, 100, days, ['extra', '_samples.unit'])];

const known: DeclaredTable[] = [
  ...[...controlTables, ...fenceTables([...tables, deliveries].map((table) => table.name))].map((table) => ({
    name: name(table.name),
    columns: table.fields,
  })),
  ...[...tables, deliveries].map((table) => ({ name: name(table.name), columns: tableFields(table) })),
  ...streamNames.flatMap(batchesOf).map((batch) => ({ name: name(batch.table), columns: batch.fields })),
];

let analyser: Analyser;
beforeAll(async () => {
  analyser = await startAnalyser();
});
afterAll(() => analyser.close());

async function accepted(sql: string): Promise<void> {
  expect(await analyser.analyse(sql, known)).toMatchObject({ accepted: true });
}

describe('GoogleSQL analyser', () => {
  test.each(tables.map((table) => [table.name, table] as const))('accepts the merge into %s', async (_, target) => {
    const batches = batchesOf(target.stream as StreamName);
    await accepted(mergeStatement({ dataset, target, extent: 'recent', batches }).sql);
  });

  test('accepts a merge into deliveries from every stream at once', async () => {
    const batches = streamNames.flatMap(batchesOf);
    await accepted(mergeStatement({ dataset, target: deliveries, extent: 'recent', batches }).sql);
  });

  test('accepts the statements that read and write control tables', async () => {
    const position = { stream: 'sleep', partition: 3, incarnation: "i'", position: 17 };
    const statements = [
      ...(beginStatements(dataset, factsOf([]), 'ab'.repeat(32)) ?? []).filter((one) => one.startsWith('INSERT')),
      positionsStatement(dataset, [position, { ...position, partition: 4 }]),
      readPositionsStatement(dataset),
      prunePositionsStatement(dataset, days[0]! * 86_400_000),
      readMergedStatement(dataset),
      forgetMergedStatement(dataset, ['a', 'b']),
    ];
    for (const statement of statements) await accepted(statement);
  });

  test('accepts the statements that write and read costs and waits', async () => {
    const activity = {
      at: 0,
      worker: "w'",
      what: 'merge',
      target: 'sleep',
      estimatedBytes: 1,
      billedBytes: 2,
      slotMs: 3,
      waitedMs: 0,
    } as const;
    const statements = [
      activityStatement(dataset, [activity, { ...activity, what: 'wait', target: '', reason: 'a quota' }]),
      spentStatement(dataset, "w'", days[0]! * 86_400_000),
      costStatement(dataset, days[0]! * 86_400_000, 7),
      waitsStatement(dataset, days[0]! * 86_400_000),
    ];
    for (const statement of statements) await accepted(statement);
  });

  test('accepts the views of landed rows, which read many tables through a wildcard', async () => {
    const wildcards = tables.map((table) => {
      const schema = landingSchema(table.stream as StreamName, table, 'updated_at');
      return { name: name(`${landedTablePrefix(table.stream)}*`), columns: schema.fields };
    });
    const all = [...known, ...wildcards];
    for (const table of tables) {
      const { query } = landedView(dataset, table, landingSchema(table.stream as StreamName, table, 'updated_at'));
      const analysis = await analyser.analyse(query, all);
      expect(analysis).toMatchObject({ accepted: true });
      const shown = tableFields(table).filter((field) => field.name !== '_loaded_at');
      expect(analysis.accepted && analysis.columns.map((one) => one.name)).toEqual(shown.map((one) => one.name));
    }
  });

  test('accepts the statements of an erasure, which pass the user as a parameter', async () => {
    const parameters = [{ name: USER_PARAMETER, type: 'STRING' }];
    const batches = streamNames.flatMap(batchesOf);
    const steps = eraseSteps(dataset, [...tables, deliveries], batches).map(({ sql }) => sql);
    const counts = batches.map((batch) => countStatement(dataset, batch.table, batch.fields));
    await expect(steps.filter((_, step) => step === 0 || step > batches.length).join('\n')).toMatchFileSnapshot(
      'golden/erase.sql',
    );
    for (const sql of [...steps, ...counts])
      expect(await analyser.analyse(sql, known, { parameters })).toMatchObject({ accepted: true });
  });

  test('accepts the statements that create a new warehouse', async () => {
    const plan = planWarehouse({
      dataset,
      location: 'EU',
      foundDataset: undefined,
      tables: wantedTables(tables),
      views: [],
      found: new Map(),
    });
    for (const { sql } of plan) expect(await analyser.analyse(sql!, [])).toMatchObject({ accepted: true });
  });

  test('accepts the statements that change a table, except SET DATA TYPE, which it does not know yet', async () => {
    const wanted = wantedTables(tables).find((table) => table.name === 'lab_orders')!;
    const { name: table, ...resource } = { name: wanted.name, ...(tableResource(wanted) as TableResource) };
    const fields = resource.schema!.fields!;
    const without = { ...resource, type: 'TABLE', schema: { fields: fields.filter((field) => field.name !== 'icd_codes') } };
    const found: TableResource = { ...without, description: 'another', expirationTime: '1', tableConstraints: {} };
    const statements = tableDifferences(dataset, wanted, found).map(({ sql }) => sql!);
    expect(statements.length).toBe(4);
    const columns = found.schema!.fields!;
    for (const sql of statements)
      expect(await analyser.analyse(sql, [{ name: name(table), columns }])).toMatchObject({ accepted: true });
  });

  test('accepts the statements suggested to the operator for refused changes', async () => {
    const wanted = wantedTables(tables).find((table) => table.name === 'timeseries')!;
    const resource = tableResource(wanted) as TableResource;
    const fields = resource.schema!.fields!.map((field) => (field.name === 'value' ? { ...field, type: 'STRING' } : field));
    const odd = [...fields, { name: 'select', type: 'STRING', mode: 'REQUIRED' }];
    const partitioned = { ...resource, timePartitioning: { type: 'MONTH', field: '_day' } };
    const keyed = { ...resource, tableConstraints: { primaryKey: { columns: ['user_id'] } } };
    const { labels: _, ...somebodys } = resource;
    const all = [{ ...resource, schema: { fields: odd } }, partitioned, keyed, { ...somebodys, schema: { fields } }];
    for (const found of all) {
      const refused = tableDifferences(dataset, wanted, { type: 'TABLE', ...found }).filter(({ kind }) => kind === 'refused');
      expect(refused.length).toBeGreaterThan(0);
      const columns = found.schema!.fields!;
      for (const { sql } of refused)
        expect(await analyser.analyse(sql!, [{ name: name(wanted.name), columns }])).toMatchObject({ accepted: true });
    }
  });

  test('refuses a statement with an unknown column', async () => {
    const batches = batchesOf('sleep');
    const { sql } = mergeStatement({ dataset, target: tableOf('sleep')!, extent: 'recent', batches });
    expect(await analyser.analyse(sql.replace('l.score', 'l.scores'), known)).toMatchObject({ accepted: false, statement: 4 });
  });
});
