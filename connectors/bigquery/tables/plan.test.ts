import { describe, expect, test } from 'vitest';
import type { ShownView } from '../../warehouses/views/dialect.ts';
import type { TableResource } from '../client/client.ts';
import { dataset, named, tables } from '../sql/landed.fixture.ts';
import { tableResource, type WantedTable, wantedTables } from './declared.ts';
import { tableDifferences } from './difference.ts';
import { type PlanInput, planWarehouse, viewLabels } from './plan.ts';

const wanted = wantedTables(tables);
const one = (name: string): WantedTable => wanted.find((table) => table.name === name)!;

const real = (table: WantedTable): TableResource => ({ type: 'TABLE', ...tableResource(table) });

const withColumns = (name: string, change: (field: NonNullable<TableResource['schema']>['fields']) => unknown): TableResource => {
  const found = real(one(name));
  return { ...found, schema: { fields: change(found.schema!.fields!) as never } };
};

const plan = (input: Partial<PlanInput>) =>
  planWarehouse({ dataset, foundDataset: {}, tables: wanted, views: [], found: new Map(), ...input });

const differences = (name: string, found: TableResource | undefined) =>
  tableDifferences(dataset, one(name), found).map(({ kind, what, sql }) => ({ kind, what, sql }));

const latest: ShownView = {
  name: 'latest',
  doc: 'One row.',
  columns: [{ name: 'one', type: 'int64', unit: 'count', doc: "The number '1'." }],
  query: 'SELECT 1 AS one',
};

const described: TableResource = {
  type: 'VIEW',
  labels: viewLabels(latest.query),
  description: 'One row.',
  schema: { fields: [{ name: 'one', type: 'INTEGER', description: "The number '1'. (count)" }] },
};

describe('plan', () => {
  test('the plan for an empty project creates everything', async () => {
    const views = [latest];
    const list = plan({ foundDataset: undefined, location: 'EU', views });
    expect(list.every(({ kind }) => kind === 'create')).toBe(true);
    expect(list.map(({ of }) => of)).toEqual(['dataset', ...wanted.map(() => 'table'), 'view']);
    await expect(`${list.map(({ sql }) => sql).join(';\n\n')};\n`).toMatchFileSnapshot('../sql/golden/create.sql');
  });

  test('the plan is empty if everything is as declared, even if the dataset contains other tables', () => {
    const found = new Map([...wanted.map((table) => [table.name, real(table)] as const), ['other', { type: 'TABLE' }]]);
    expect(plan({ found })).toEqual([]);
  });

  test('the plan adds missing columns as nullable and adds missing fields to lists', () => {
    const found = withColumns('lab_orders', (fields) =>
      fields!
        .filter(({ name }) => name !== 'user_id' && name !== 'icd_codes')
        .map((field) => (field.name === 'events' ? { ...field, fields: field.fields!.slice(1) } : field)),
    );
    const list = tableDifferences(dataset, one('lab_orders'), found);
    expect(list.map(({ kind, what }) => [kind, what])).toEqual([
      ['change', 'column user_id is missing'],
      ['change', 'field events[].event_id is missing'],
      ['change', 'column icd_codes is missing'],
    ]);
    expect(list[0]!.sql).toContain('ADD COLUMN IF NOT EXISTS user_id STRING OPTIONS');
    const { fields } = (list[0]!.resource as { schema: { fields: { name: string; mode: string }[] } }).schema;
    expect(fields.find(({ name }) => name === 'user_id')?.mode).toBe('NULLABLE');
    expect(fields.find(({ name }) => name === 'icd_codes')?.mode).toBe('REPEATED');
    // The patch adds columns and keeps the order of the existing ones.
    expect(fields.slice(0, found.schema!.fields!.length).map(({ name }) => name)).toEqual(
      found.schema!.fields!.map(({ name }) => name),
    );
  });

  test('the plan relaxes and widens columns, and accepts a column that is already wider', () => {
    const change = (name: string, by: object) =>
      withColumns('sleep', (fields) => fields!.map((field) => (field.name === name ? { ...field, ...by } : field)));
    expect(differences('sleep', change('team_id', { mode: 'REQUIRED' }))).toMatchObject([
      { kind: 'change', sql: 'ALTER TABLE `my-project.health.sleep` ALTER COLUMN team_id DROP NOT NULL' },
    ]);
    expect(differences('sleep', change('efficiency', { type: 'INTEGER' }))).toMatchObject([
      { kind: 'change', sql: 'ALTER TABLE `my-project.health.sleep` ALTER COLUMN efficiency SET DATA TYPE FLOAT64' },
    ]);
    expect(differences('sleep', change('score', { type: 'NUMERIC' }))).toEqual([]);
    // INT64 and INTEGER are the same type.
    expect(differences('sleep', change('score', { type: 'INT64' }))).toEqual([]);
  });

  test('the plan relaxes a required column of a privacy class that was switched off', () => {
    const withheld = { ...one('sleep'), withheld: ['secret_name'] };
    const found = withColumns('sleep', (fields) => [...fields!, { name: 'secret_name', type: 'STRING', mode: 'REQUIRED' }]);
    const [change, ...others] = tableDifferences(dataset, withheld, found);
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      kind: 'change',
      sql: 'ALTER TABLE `my-project.health.sleep` ALTER COLUMN secret_name DROP NOT NULL',
    });
    const { schema } = change!.resource as { schema: { fields: readonly { name: string; mode?: string }[] } };
    expect(schema.fields.at(-1)).toMatchObject({ name: 'secret_name', mode: 'NULLABLE' });
    expect(schema.fields.length).toBe(found.schema!.fields!.length);
  });

  test('the plan refuses a different type, partition or key, and suggests a statement', () => {
    const found = withColumns('timeseries', (fields) =>
      fields!.map((field) => (field.name === 'value' ? { ...field, type: 'STRING' } : field)),
    );
    const list = tableDifferences(dataset, one('timeseries'), {
      ...found,
      timePartitioning: { type: 'MONTH', field: '_day' },
      tableConstraints: { primaryKey: { columns: ['user_id'] } },
    });
    expect(list.map(({ kind, what }) => [kind, what])).toEqual([
      ['refused', 'column value is STRING instead of FLOAT64'],
      ['refused', 'is partitioned by _day (MONTH) instead of _day'],
      [
        'refused',
        'has the primary key user_id instead of user_id, resource, provider, source_type, start_at, sample_type, source_workout_id',
      ],
    ]);
    for (const { why, sql } of list) {
      expect(why).toBeTruthy();
      expect(sql).toContain('`my-project.health.timeseries`');
    }
  });

  test('a suggested copy selects columns by name, because columns added later may be in a different position', () => {
    const { schema } = real(one('deliveries'));
    const [first, second, ...rest] = schema!.fields!;
    const found: TableResource = {
      ...real(one('deliveries')),
      schema: { fields: [...rest, { name: 'theirs', type: 'STRING' }, second!] },
      timePartitioning: { type: 'DAY', field: 'received_at' },
    };
    const sql = differences('deliveries', found).find(({ kind }) => kind === 'refused')!.sql!;
    const names = [second!, ...rest].map(({ name }) => name).join(', ');
    expect(sql).toContain(`INSERT INTO \`my-project.health.deliveries_new\` (${names})\nSELECT ${names} FROM`);
    expect(sql).not.toContain('theirs');
    expect(`SELECT ${names}`).not.toContain(` ${first!.name},`);
    expect(sql.split(';\n').slice(2)).toEqual([
      'ALTER TABLE `my-project.health.deliveries` RENAME TO deliveries_before',
      'ALTER TABLE `my-project.health.deliveries_new` RENAME TO deliveries',
    ]);
  });

  test('the plan removes every setting that would expire rows', () => {
    const found: TableResource = {
      ...real(one('deliveries')),
      expirationTime: '1900000000000',
      timePartitioning: { type: 'DAY', field: '_day', expirationMs: '86400000' },
    };
    expect(differences('deliveries', found).map(({ sql }) => sql)).toEqual([
      'ALTER TABLE `my-project.health.deliveries` SET OPTIONS (expiration_timestamp = NULL)',
      'ALTER TABLE `my-project.health.deliveries` SET OPTIONS (partition_expiration_days = NULL)',
    ]);
  });

  test('the plan does not change a table that Aorta did not create', () => {
    const somebodys = { type: 'TABLE', schema: { fields: [{ name: 'id', type: 'INTEGER' }] } };
    expect(differences('sleep', somebodys)).toEqual([
      {
        kind: 'refused',
        what: 'was not created by Aorta and has incompatible columns: column id is INT64 instead of STRING',
        sql: 'ALTER TABLE `my-project.health.sleep` RENAME TO sleep_before',
      },
    ]);
    expect(differences('sleep', { type: 'VIEW' })).toMatchObject([{ kind: 'refused', what: 'is a view' }]);
    const strange = withColumns('sleep', (fields) => [...fields!, { name: 'select', type: 'STRING', mode: 'REQUIRED' }]);
    expect(differences('sleep', strange)).toEqual([
      {
        kind: 'refused',
        what: 'column select is required but not declared',
        sql: 'ALTER TABLE `my-project.health.sleep` ALTER COLUMN `select` DROP NOT NULL',
      },
    ]);
  });

  test('the plan refuses a dataset in a different location', () => {
    const found = new Map(wanted.map((table) => [table.name, real(table)] as const));
    expect(plan({ foundDataset: { location: 'US' }, location: 'us', found })).toEqual([]);
    expect(plan({ foundDataset: { location: 'US' }, location: 'EU', found })).toMatchObject([
      { kind: 'refused', of: 'dataset', what: 'is in US, but EU is configured' },
    ]);
  });

  test('the plan replaces a view with a different query, but never a view that Aorta did not create', () => {
    const view = latest;
    const found = new Map(wanted.map((table) => [table.name, real(table)] as const));
    const of = (there: TableResource) => plan({ views: [view], found: new Map([...found, ['latest', there]]) });
    expect(of({ ...described, view: { query: view.query } })).toEqual([]);
    expect(of({ type: 'VIEW', labels: viewLabels('SELECT 2') })).toMatchObject([{ kind: 'change' }]);
    expect(of({ type: 'VIEW', labels: viewLabels(view.query), view: { query: 'SELECT 3' } })).toMatchObject([{ kind: 'change' }]);
    expect(of({ type: 'VIEW' })).toMatchObject([{ kind: 'refused' }]);
  });

  test('the plan describes a view and its columns if a description is missing or differs', () => {
    const found = new Map(wanted.map((table) => [table.name, real(table)] as const));
    const of = (there: TableResource) => plan({ views: [latest], found: new Map([...found, ['latest', there]]) });
    for (const there of [
      { ...described, description: 'Another row.' },
      { ...described, schema: { fields: [{ name: 'one', type: 'INTEGER' }] } },
      { ...described, schema: { fields: [{ name: 'one', type: 'INTEGER', description: "The number '2'. (count)" }] } },
    ])
      expect(of(there)).toMatchObject([
        {
          kind: 'change',
          of: 'view',
          what: 'has different descriptions',
          sql: expect.stringContaining(
            "(\n  one OPTIONS (description = 'The number \\'1\\'. (count)')\n)\nOPTIONS (description = 'One row.', ",
          ),
          resource: { description: 'One row.' },
          columns: new Map([['one', "The number '1'. (count)"]]),
        },
      ]);
  });

  test('tables are clustered by team first if teams share them', () => {
    const [sleep] = wantedTables([named('sleep')], 'column').filter(({ name }) => name === 'sleep');
    expect(sleep!.cluster).toEqual(['team_id', 'user_id', 'id']);
    expect(one('sleep').cluster).toEqual(['user_id', 'id']);
  });
});
