import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAortaError } from '@aorta/runtime';
import {
  type Column,
  type ElementField,
  elementFields,
  readEvent,
  type StreamName,
  type TableDeclaration,
  tables,
} from '@aorta/schemas';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import type { LandingBatch, Warehouse } from '../warehouse.ts';
import { runIn } from './closed-file.fixture.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** Tests databases that were last written with different declarations or settings. */

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the declarations with changed columns. A column is removed if the change returns undefined. */
function declared(change: (table: string, column: Column) => Column | undefined): readonly TableDeclaration[] {
  return tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => change(table.name, column)).filter((column) => column !== undefined),
  }));
}

const lacking = (missing: Readonly<Record<string, readonly string[]>>) =>
  declared((table, column) => (missing[table]?.includes(column.name) ? undefined : column));

/**
 * Declarations of an earlier version. It lacks some number and string columns that no view reads. Some of them are constant
 * within each event,
 * and others differ between samples.
 */
const earlier = lacking({
  activity: ['daily_movement_m', 'source_logo'],
  blood_pressure: ['sample_id', 'grouping', 'source_name'],
});

async function use<T>(more: object, work: (warehouse: Warehouse) => Promise<T>): Promise<T> {
  const warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
    ...more,
  });
  try {
    return await work(warehouse);
  } finally {
    await warehouse.close();
  }
}

const sql = (...statements: readonly string[]): Promise<unknown[][]> => runIn(path, ...statements);

const without = (column: string, id: number): string[] => [
  `create table landed.copy as select * exclude (${column}) from landed.e${id}`,
  `drop view landed.e${id}`,
  `drop table landed.r${id}`,
  `alter table landed.copy rename to r${id}`,
  `create view landed.e${id} as select * from landed.r${id}`,
];

function batch(stream: StreamName, from: number, type: string, ...data: object[]): LandingBatch {
  const records = data.map((one, index) => {
    const receipt = {
      source: 's',
      partition: '0',
      offset: from + index,
      received_at: Date.UTC(2026, 2, 28, 13) * 1000 + from + index,
      delivery_id: null,
      header_facts: 0,
      body_bytes: 1,
      body_crc32: 1,
      arrived_at: null,
    };
    const reading = readEvent(stream as 'activity', type, { user_id: 'u', data: one }, receipt);
    if (reading.kind !== 'record') throw new Error(reading.reason);
    return reading.record;
  });
  return { stream, incarnation: 'i', from, to: from + records.length, records };
}

const activity = (from: number, ...data: object[]) => batch('activity', from, 'daily.data.activity.created', ...data);
const heartRate = (from: number, ...data: object[]) =>
  batch(
    'timeseries',
    from,
    'daily.data.heartrate.created',
    ...data.map((sample) => ({ source: { provider: 'oura', type: 'ring', name: 'Oura' }, data: [sample] })),
  );
const pressure = (from: number, ...samples: object[]) =>
  batch('blood_pressure', from, 'daily.data.blood_pressure.created', {
    source: { provider: 'omron', type: 'cuff', name: 'Omron' },
    data: samples,
  });
const at = (minute: number) => `2026-03-28T12:${String(minute).padStart(2, '0')}:00Z`;
const day = (id: string, low: number, logo = 'logo.svg') => ({ id, daily_movement: low, source: { logo }, steps: low * 2 });

const activities = 'select id, steps, daily_movement_m, source_logo from activity order by id';
const readings =
  "select strftime(start_at, '%M'), systolic_mmhg, sample_id::double, grouping->>'$', source_name from blood_pressure order by 1";

describe('a database of an earlier version', () => {
  test('an upgrade adds columns in place, without losing existing rows or waiting batches', async () => {
    await use({ tables: earlier }, async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1), day('b', 2)));
      await warehouse.land(pressure(0, { timestamp: at(1), systolic: 121, id: 81, grouping: 'mmHg' }));
      await warehouse.merge('all');
      await warehouse.land(activity(2, day('b', 3), day('c', 4)));
      await warehouse.land(pressure(1, { timestamp: at(2), systolic: 122, id: 82, grouping: 'mmHg' }));
    });
    const before = await sql('select id, steps, updated_at, _offset from activity order by id');
    await use({}, async (warehouse) => {
      expect(warehouse.backlog()).toEqual({ batches: 2, records: 3 });
      // One statement merges the batches of the earlier version together with batches of this version.
      await warehouse.land(activity(4, day('c', 5), day('d', 6)));
      const [a, b] = [at(3), at(4)];
      await warehouse.land(
        pressure(2, { timestamp: a, systolic: 123, id: 83, grouping: 'mmHg' }, { timestamp: b, systolic: 124, id: 84 }),
      );
      await warehouse.merge('all');
    });
    expect(before).toEqual([
      ['a', '2', null, '0'],
      ['b', '4', null, '1'],
    ]);
    expect(await sql(activities)).toEqual([
      ['a', '2', null, null],
      ['b', '6', null, null],
      ['c', '10', 5, 'logo.svg'],
      ['d', '12', 6, 'logo.svg'],
    ]);
    expect(await sql(readings)).toEqual([
      ['01', 121, null, null, null],
      ['02', 122, null, null, null],
      ['03', 123, 83, 'mmHg', 'Omron'],
      ['04', 124, 84, null, 'Omron'],
    ]);
    expect(await sql("select count(*) from duckdb_tables() where schema_name = 'landed'")).toEqual([['0']]);
  });

  test('an upgrade adds columns to deliveries and to waiting batches', async () => {
    await use({}, async (warehouse) => {
      await warehouse.land(heartRate(0, { timestamp: at(1), value: 61 }));
      await warehouse.merge('all');
      await warehouse.land(heartRate(1, { timestamp: at(2), value: 62 }));
    });
    await sql('alter table deliveries drop column resource', ...without('d_resource', 2));
    await use({}, async (warehouse) => {
      await warehouse.land(heartRate(2, { timestamp: at(3), value: 63 }));
      await warehouse.merge('all');
    });
    expect(await sql('select source_offset, resource from deliveries order by 1')).toEqual([
      ['0', null],
      ['1', null],
      ['2', 'heartrate'],
    ]);
  });

  test('the tables are published once after an upgrade, although nothing was merged', async () => {
    await use({ tables: earlier }, async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1)));
      await warehouse.merge('all');
      await warehouse.publish('now');
    });
    await use({}, async (warehouse) => {
      expect(await warehouse.publish('due')).toBe(true);
      const reader = await openDuckDbReader({ path });
      for await (const rows of (await reader.query('select daily_movement_m from activity')).rows) expect(rows).toEqual([[null]]);
      await reader.close();
    });
    await use({}, async (warehouse) => expect(await warehouse.publish('due')).toBe(false));
  });

  test.each([
    'drop view heartrate',
    'create or replace view heartrate as select 1',
    "comment on view heartrate is 'of somebody else'",
  ])('opening the file restores a view after a manual change: %s', async (statement) => {
    const definition = "select sql, comment from duckdb_views() where view_name = 'heartrate'";
    await use({}, async () => {});
    const before = await sql(definition);
    await sql(statement);
    await use({}, async () => {});
    expect(before).toHaveLength(1);
    expect(await sql(definition)).toEqual(before);
  });

  test('this version can read a file before upgrading it, and treats missing tables as empty', async () => {
    await use({}, async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1)));
      await warehouse.merge('all');
    });
    await sql('drop table sleep', 'drop table control.blood_pressure_samples');
    const reader = await openDuckDbReader({ path });
    expect(await reader.rows()).toMatchObject({ activity: 1, sleep: 0, blood_pressure: 0 });
    await reader.close();
  });

  test('if a new column is never null, existing rows and waiting batches get its default', async () => {
    const withDefault = declared((table, column) =>
      table === 'activity' && column.name === 'source_logo' ? { ...column, nullable: false, default: 'UTC' } : column,
    );
    await use({ tables: earlier }, async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1)));
      await warehouse.merge('all');
      await warehouse.land(activity(1, day('b', 2)));
    });
    await use({ tables: withDefault }, async (warehouse) => {
      await warehouse.land(activity(2, day('c', 3)));
      await warehouse.merge('all');
    });
    expect(await sql(activities)).toEqual([
      ['a', '2', null, 'UTC'],
      ['b', '4', null, 'UTC'],
      ['c', '6', 3, 'logo.svg'],
    ]);
    const nullable = "select is_nullable from duckdb_columns() where table_name = 'activity' and column_name = 'source_logo'";
    expect(await sql(nullable)).toEqual([[false]]);
    // An older version does not write the column, so its rows get the default.
    await use({ tables: earlier }, async (warehouse) => {
      await warehouse.land(activity(3, day('d', 4)));
      await warehouse.merge('all');
    });
    expect((await sql(activities)).at(-1)).toEqual(['d', '8', null, 'UTC']);
  });

  test('a partly upgraded file is upgraded completely', async () => {
    await use({}, async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1)));
      await warehouse.land(heartRate(0, { timestamp: at(1), value: 61, unit: 'bpm' }));
    });
    await sql(
      'alter table activity drop column daily_movement_m',
      'drop table control.timeseries_samples',
      ...without('c_source_logo', 1),
      'drop view heartrate',
    );
    await use({}, (warehouse) => warehouse.merge('all'));
    expect(await sql(activities)).toEqual([['a', '2', 1, null]]);
    expect(await sql('select heartrate_bpm from heartrate')).toEqual([[61]]);
  });

  test.each<[string, (column: Column) => Column, string]>([
    [
      'has a different type',
      (column) => ({ ...column, type: 'string' }),
      'column daily_movement_m of activity is DOUBLE instead of VARCHAR',
    ],
    [
      'is never null and has no default',
      (column) => ({ ...column, name: 'new_m', nullable: false }),
      'column new_m of activity is missing and has no default',
    ],
  ])('an older file is refused and left unchanged if a declared column %s', async (_, change, words) => {
    await use({}, async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1)));
      await warehouse.merge('all');
    });
    const shape = 'select table_name, column_name, data_type from duckdb_columns() where not internal order by all';
    const before = await sql(shape);
    const other = [
      ...declared((table, column) => (table === 'activity' && column.name === 'daily_movement_m' ? change(column) : column)),
      { ...tables[0]!, name: 'of_the_new_version', stream: 'none' },
    ];
    const refused = await use({ tables: other }, async () => undefined).catch((error: unknown) => error);
    expect(isAortaError(refused) && `${refused.code} ${refused.message}`).toContain('AORTA-WAREHOUSE-COLUMN');
    expect((refused as Error).message).toContain(words);
    expect(await sql(shape)).toEqual(before);
  });
});

describe('a database of a later version', () => {
  test('an earlier version that updates rows in a newer file clears the columns that it does not know', async () => {
    await use({}, async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1), day('b', 2)));
      await warehouse.land(pressure(0, { timestamp: at(1), systolic: 121, id: 81, grouping: 'mmHg' }));
      await warehouse.merge('all');
      await warehouse.land(activity(2, day('c', 3)));
    });
    await use({ tables: earlier }, async (warehouse) => {
      await warehouse.land(activity(3, day('b', 4), day('d', 5)));
      await warehouse.land(pressure(1, { timestamp: at(1), systolic: 131, id: 91 }, { timestamp: at(2), systolic: 132 }));
      await warehouse.merge('all');
    });
    await use({}, async () => undefined);
    expect(await sql(activities)).toEqual([
      ['a', '2', 1, 'logo.svg'],
      ['b', '8', null, null],
      ['c', '6', null, null],
      ['d', '10', null, null],
    ]);
    expect(await sql(readings)).toEqual([
      ['01', 131, null, null, null],
      ['02', 132, null, null, null],
    ]);
  });

  test('batches of unknown streams wait for a version that knows them', async () => {
    await use({}, async (warehouse) => warehouse.land(activity(0, day('a', 1))));
    await sql("update control.batches set stream = 'of_the_future'", "update control.positions set stream = 'of_the_future'");
    await use({}, async (warehouse) => {
      await warehouse.land(activity(0, day('b', 2)));
      await warehouse.merge('all');
    });
    expect(await sql('select stream from control.batches')).toEqual([['of_the_future']]);
    await sql("update control.batches set stream = 'activity'");
    await use({}, (warehouse) => warehouse.merge('all'));
    expect(await sql('select id from activity order by id')).toEqual([['a'], ['b']]);
  });
});

describe('a privacy class', () => {
  const places = declared((table, column) =>
    table === 'activity' && column.name === 'source_logo' ? { ...column, class: 'location' } : column,
  );
  const location = (on: boolean) => ({ tables: places, privacy: privacyOptions.parse({ location: on }) });

  test('fields of a class that is switched off are no longer landed, and their remaining values are reported', async () => {
    await use(location(true), async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1), day('b', 2)));
      await warehouse.merge('all');
      await warehouse.land(activity(2, day('c', 3)));
    });
    await use(location(false), async (warehouse) => {
      await warehouse.land(activity(3, day('b', 4), day('d', 5)));
      await warehouse.merge('all');
    });
    const left = [
      ['a', '2', 1, 'logo.svg'],
      ['b', '8', 4, null],
      ['c', '6', 3, null],
      ['d', '10', 5, null],
    ];
    expect(await sql(activities)).toEqual(left);
    const reader = await openDuckDbReader({ path, tables: places });
    expect(await reader.withheldValues(privacyOptions.parse({ location: false }))).toEqual([
      { table: 'activity', column: 'source_logo', values: 1 },
    ]);
    expect(await reader.withheldValues(privacyOptions.parse({ location: true }))).toEqual([]);
    await reader.close();
  });

  test('fields of a class that is switched on are landed from then on', async () => {
    await use(location(false), async (warehouse) => {
      await warehouse.land(activity(0, day('a', 1)));
      await warehouse.merge('all');
      await warehouse.land(activity(1, day('b', 2)));
    });
    expect(
      await sql(
        "select count(*) from duckdb_columns() where column_name in ('source_logo', 'c_source_logo') and (table_name = 'activity' or schema_name = 'landed')",
      ),
    ).toEqual([['0']]);
    await use(location(true), async (warehouse) => {
      await warehouse.land(activity(2, day('c', 3)));
      await warehouse.merge('all');
    });
    expect(await sql('select id, source_logo from activity order by id')).toEqual([
      ['a', null],
      ['b', null],
      ['c', 'logo.svg'],
    ]);
  });
});

describe('a list of objects', () => {
  const flows = (change: (field: ElementField) => ElementField | undefined) =>
    declared((table, column) => {
      const fields = table === 'menstrual_cycle' && column.name === 'menstrual_flow' ? elementFields(column.type) : undefined;
      return fields === undefined
        ? column
        : { ...column, type: { list: fields.map(change).filter((field) => field !== undefined) } };
    });
  const withoutFlow = flows((field) => (field.name === 'flow' ? undefined : field));
  const withoutLists = lacking({ menstrual_cycle: ['menstrual_flow', 'cervical_mucus'] });
  const cycle = (from: number, id: string, flow: string) =>
    batch('menstrual_cycle', from, 'daily.data.menstrual_cycle.created', {
      id,
      menstrual_flow: [
        { date: '2026-03-01', flow },
        { date: '2026-03-02', flow: '{"a": "}' },
      ],
    });
  const seen = 'select id, ordinal, local_date::varchar, flow from menstrual_cycle_menstrual_flow order by 1, 2';
  const landAndMerge = (more: object, ...batches: LandingBatch[]) =>
    use(more, async (warehouse) => {
      for (const one of batches) await warehouse.land(one);
      await warehouse.merge('all');
    });
  const landOnly = (more: object, one: LandingBatch) => use(more, (warehouse) => warehouse.land(one));

  test('an upgrade adds fields to a list in tables and in waiting batches', async () => {
    await landAndMerge({ tables: withoutFlow }, cycle(0, 'a', 'heavy'));
    await landOnly({ tables: withoutFlow }, cycle(1, 'b', 'heavy'));
    await landAndMerge({}, cycle(2, 'c', 'light'));
    expect(await sql(seen)).toEqual([
      ['a', '1', '2026-03-01', null],
      ['a', '2', '2026-03-02', null],
      ['b', '1', '2026-03-01', null],
      ['b', '2', '2026-03-02', null],
      ['c', '1', '2026-03-01', 'light'],
      ['c', '2', '2026-03-02', '{"a": "}'],
    ]);
  });

  test('a new list is empty in existing rows and in waiting batches', async () => {
    await landAndMerge({ tables: withoutLists }, cycle(0, 'a', 'heavy'));
    await landOnly({ tables: withoutLists }, cycle(1, 'b', 'heavy'));
    await landAndMerge({}, cycle(2, 'c', 'light'));
    expect(await sql('select id, len(menstrual_flow), len(cervical_mucus) from menstrual_cycle order by id')).toEqual([
      ['a', '0', '0'],
      ['b', '0', '0'],
      ['c', '2', '0'],
    ]);
    // The earlier version can still merge records. It leaves the list empty in the rows that it adds or updates.
    await landAndMerge({ tables: withoutLists }, cycle(3, 'c', 'spotting'), cycle(4, 'd', 'spotting'));
    expect(await sql('select id, len(menstrual_flow) from menstrual_cycle order by id')).toEqual([
      ['a', '0'],
      ['b', '0'],
      ['c', '0'],
      ['d', '0'],
    ]);
  });

  test('a version that knows fewer fields of a list sets the other fields to null in rows that it updates', async () => {
    await landAndMerge({}, cycle(0, 'a', 'heavy'), cycle(1, 'b', 'heavy'));
    await landOnly({}, cycle(2, 'c', 'heavy'));
    await landAndMerge({ tables: withoutFlow }, cycle(3, 'b', 'light'));
    await use({}, async () => undefined);
    expect((await sql(seen)).map(([id, , , flow]) => [id, flow])).toEqual([
      ['a', 'heavy'],
      ['a', '{"a": "}'],
      ['b', null],
      ['b', null],
      ['c', null],
      ['c', null],
    ]);
  });

  test('a list field that is switched off is no longer landed or shown, and remaining values are counted', async () => {
    const tables = flows((field) => (field.name === 'flow' ? { ...field, class: 'location' } : field));
    const off = privacyOptions.parse({ location: false });
    await landAndMerge({ tables }, cycle(0, 'a', 'planted-heavy'), cycle(1, 'b', 'heavy'));
    await landAndMerge({ tables, privacy: off }, cycle(2, 'b', 'planted-light'), cycle(3, 'c', 'planted-light'));
    expect(
      await sql(
        'select * exclude (user_id, provider, source_type, source, local_date) from menstrual_cycle_menstrual_flow order by 1, 2',
      ),
    ).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
      ['b', '2'],
      ['c', '1'],
      ['c', '2'],
    ]);
    expect(await sql("select count(*) from menstrual_cycle c where c::varchar like '%planted-light%'")).toEqual([['0']]);
    const reader = await openDuckDbReader({ path, tables });
    expect(await reader.withheldValues(off)).toEqual([{ table: 'menstrual_cycle', column: 'menstrual_flow[].flow', values: 2 }]);
    await reader.close();
    // If the whole list is switched off, its view is dropped.
    const none = declared((table, column) =>
      table === 'menstrual_cycle' && column.name === 'menstrual_flow' ? { ...column, class: 'location' } : column,
    );
    await use({ tables: none, privacy: off }, async () => undefined);
    expect(await sql("select count(*) from duckdb_views() where view_name = 'menstrual_cycle_menstrual_flow'")).toEqual([['0']]);
  });

  test('a file is refused if a list field has a different type', async () => {
    await landAndMerge({}, cycle(0, 'a', 'heavy'));
    const other = flows((field) => (field.name === 'flow' ? { ...field, type: 'float64' } : field));
    const refused = await use({ tables: other }, async () => undefined).catch((error: unknown) => error);
    expect(isAortaError(refused) && refused.message).toContain(
      'column menstrual_flow of menstrual_cycle has flow as VARCHAR instead of DOUBLE',
    );
  });
});
