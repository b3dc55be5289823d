import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { builtIn, composeRegistry } from '@aorta/connectors/registry';
import { load, openWarehouse, type Row } from 'aorta';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSetting } from '../../../pipelines/aorta/config/configuration.ts';
import { ConfigurationRefused } from '../../../pipelines/aorta/errors.ts';
import { activityEvent } from '../../bench/events.ts';
import { warehouseConformance } from '../warehouse.ts';
import { type SqliteSettings, warehouse as sqlite } from './adapter.ts';
import { sqlite as sqliteModule } from './module.ts';
import { openSqliteReader } from './reader.ts';
import { openSqliteWarehouse } from './warehouse.ts';

/* Follows the instructions in `connectors/README.md` for adding a warehouse. The adapter in this folder needs no changes to other code. */

const registry = composeRegistry({ warehouses: [...builtIn.warehouses, sqlite] });
const privacy = privacyOptions.parse({});

async function rowsOf(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

warehouseConformance('a custom warehouse', {
  create: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'own-warehouse-'));
    const settings: SqliteSettings = { type: 'sqlite', path: join(folder, 'warehouse.sqlite') };
    return {
      open: () => openSqliteWarehouse({ settings, privacy }),
      read: () => openSqliteReader(settings),
      remove: () => rm(folder, { recursive: true }),
    };
  },
  runs: 20 * Number(process.env.SOAK ?? 1),
  landsApart: { lacks: 'landing merges a batch in the same transaction' },
  gathersOldDates: { lacks: 'an upsert costs the same for every date' },
  showsPulls: { lacks: 'it creates no views other than those of its tables' },
});

describe('the adapter of a custom warehouse', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-warehouse-'));
    await writeFile(join(folder, 'aorta.yaml'), 'warehouse: { type: sqlite, path: own.sqlite }\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (name: string, first: number, count: number): Promise<void> => {
    const lines = Array.from({ length: count }, (_, at) => `${JSON.stringify(activityEvent(first + at))}\n`);
    return writeFile(join(folder, name), lines.join(''));
  };
  const choice = () => ({ folder, adapters: { warehouses: [sqlite] } });

  test('its options are read and checked like those of the built-in warehouses', async () => {
    const setting = readSetting({}, {}, folder, { registry });
    expect([setting.configuration.warehouse.type, setting.place.warehouse]).toEqual(['sqlite', join(folder, 'own.sqlite')]);
    await writeFile(join(folder, 'aorta.yaml'), 'warehouse: { type: sqlite, pth: own.sqlite }\n');
    expect(() => readSetting({}, {}, folder, { registry })).toThrow(ConfigurationRefused);
  });

  test('the loader thread loads each event into a custom warehouse once, and a query returns it', async () => {
    await write('a.ndjson', 0, 30);
    expect((await load('a.ndjson', choice())).report.tables).toEqual({ activity: 30, deliveries: 30 });
    await write('b.ndjson', 20, 20);
    expect((await load(['a.ndjson', 'b.ndjson'], choice())).report.tables).toEqual({ activity: 40, deliveries: 50 });
    await using tables = openWarehouse(choice());
    const rows = await rowsOf(tables.query('select count(*) as n, count(distinct id) as ids from activity'));
    expect(rows).toEqual([{ n: 40n, ids: 40n }]);
  });

  test('a query that is not a single SELECT is refused', async () => {
    await write('a.ndjson', 0, 1);
    await load('a.ndjson', choice());
    await using tables = openWarehouse(choice());
    const refused = (sql: string) => expect(rowsOf(tables.query(sql))).rejects;
    for (const sql of ['delete from rows_activity', "attach 'x' as x", '', 'select 1; select 2', 'pragma user_version'])
      await refused(sql).toMatchObject({ code: 'AORTA-QUERY-NOT-READ-ONLY' });
    await refused('select nothing from activity').toMatchObject({ code: 'AORTA-QUERY-FAILED' });
  });

  test('withheldValues() finds values that a privacy class now withholds, in columns and in lists', async () => {
    const visit = { created_at: '2026-03-28T12:00:00Z', status: 'confirmed', data: { why: 'x' } };
    const appointment = { id: 'visit', user_id: 'u', order_id: 'o', events: [visit] };
    const events = [
      { event_type: 'provider.connection.error', user_id: 'u', data: { provider: { slug: 'oura' }, message: 'x' } },
      { event_type: 'labtest.appointment.created', user_id: 'u', data: appointment },
    ];
    await writeFile(join(folder, 'a.ndjson'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await load('a.ndjson', choice());
    await using reader = await openSqliteReader({ type: 'sqlite', path: join(folder, 'own.sqlite') });
    expect(await reader.withheldValues(privacy)).toEqual([]);
    const found = await reader.withheldValues({ ...privacy, free_text: false });
    expect(found.filter(({ column }) => column !== 'extra')).toEqual([
      { table: 'connection_events', column: 'message', values: 1 },
      { table: 'lab_appointments', column: 'events[].data', values: 1 },
    ]);
  });

  test('aorta doctor can report the number of rows and the columns that the next run will add', async () => {
    const settings: SqliteSettings = { type: 'sqlite', path: join(folder, 'own.sqlite') };
    await expect(openSqliteReader(settings)).rejects.toMatchObject({ code: 'AORTA-WAREHOUSE-MISSING' });
    await write('a.ndjson', 0, 2);
    await load('a.ndjson', choice());
    const reader = await openSqliteReader(settings);
    expect(await sqliteModule.probe(reader, settings, false)).toMatchObject([
      { state: 'ok', found: `sqlite:${settings.path} opens, 4 rows` },
    ]);
    expect(await reader.tableDifferences(privacy)).toEqual([]);
    expect(await reader.tableDifferences({ ...privacy, identifiers: true })).not.toEqual([]);
    await reader.close();
    // After a privacy class is enabled, the next run adds its columns.
    const identified = { ...privacy, identifiers: true };
    await (await openSqliteWarehouse({ settings, privacy: identified })).close();
    await using widened = openWarehouse(choice());
    expect(await rowsOf(widened.query('select count(*) as n from activity'))).toEqual([{ n: 2n }]);
    await using again = await openSqliteReader(settings);
    expect(await again.tableDifferences(identified)).toEqual([]);
  });
});
