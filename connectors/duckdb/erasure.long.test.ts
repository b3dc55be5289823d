import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventStream, readEvent, type StreamName, type StreamRecords } from '@aorta/schemas';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import type { Warehouse } from '../warehouse.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';
import { publishedPath } from './published-copy.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Promise<Warehouse> =>
  openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
    clock: () => 0,
  });

const MINUTE = 60_000_000;
const begin = Date.UTC(2026, 2, 28, 13) * 1000;

/** Returns one event of each kind for a user, with its stream. `number` distinguishes events of the same user. */
function events(user: string, number: number): [EventStream, string, object][] {
  const sample = (minute: number) => ({
    timestamp: new Date((begin - (number * 10 + minute) * MINUTE) / 1000).toISOString(),
    value: 60 + minute,
    unit: 'bpm',
  });
  const source = { provider: 'oura', type: 'ring' };
  return [
    ['activity', 'daily.data.activity.created', { id: `${user}-${number}`, user_id: user, steps: number, source }],
    ['timeseries', 'daily.data.heartrate.created', { user_id: user, source, data: [sample(0), sample(1)] }],
    ['connections', 'provider.connection.created', { user_id: user, provider: { slug: 'oura' } }],
  ];
}

function record(user: string, [stream, type, data]: [EventStream, string, object], offset: number): StreamRecords[EventStream] {
  const receipt = {
    source: 's',
    partition: '0',
    offset,
    received_at: begin + offset,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: 0,
    arrived_at: null,
  };
  const reading = readEvent(
    stream,
    type,
    { event_type: type, user_id: user, client_user_id: `client-of-${user}`, data },
    receipt,
  );
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record as StreamRecords[EventStream];
}

async function land(
  warehouse: Warehouse,
  users: readonly string[],
  number: number,
  { incarnation, from }: { readonly incarnation: string; readonly from: number },
): Promise<void> {
  const byStream = new Map<StreamName, StreamRecords[StreamName][]>();
  for (const [index, user] of users.entries())
    for (const [at, event] of events(user, number).entries()) {
      const list = byStream.get(event[0]) ?? [];
      list.push(record(user, event, number * 100 + index * 10 + at));
      byStream.set(event[0], list);
    }
  for (const [stream, records] of byStream)
    await warehouse.land({ stream, incarnation, from, to: from + records.length, records });
}

const CHANGED = 'control.changed_person_days';

/** Lists the tables and views of a closed file that contain a text. Names of time zones may contain it, too. */
async function whereIs(file: string, word: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const found: string[] = [];
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  for (const [schema, name] of await rows(
    "select schema_name, table_name from duckdb_tables() where table_name <> 'time_zone_transitions'",
  )) {
    const [count] = await rows(`select count(*) from ${schema}.${name} t where (t::varchar) like '%${word}%'`);
    if (Number(count![0]) > 0) found.push(`${schema}.${name}`);
  }
  const views = await rows(
    `select schema_name || '.' || view_name from duckdb_views() where not internal and sql like '%${word}%'`,
  );
  found.push(...views.map(([name]) => `view ${name}`));
  connection.closeSync();
  instance.closeSync();
  return found.sort();
}

test('an erasure removes a user from tables and landed batches, and a replay does not bring the user back', async () => {
  const people = ['ada', 'bob'];
  let warehouse = await open();
  await land(warehouse, people, 1, { incarnation: 'i', from: 0 });
  await warehouse.merge('all');
  // Lands batches without merging. Some contain both users, and some only one, whose id is then a literal in a view.
  await land(warehouse, people, 2, { incarnation: 'i', from: 2 });
  await land(warehouse, ['ada'], 3, { incarnation: 'i', from: 4 });
  await warehouse.publish('now');

  const receipt = await warehouse.erase('ada');
  expect(receipt).toEqual({
    tables: [
      { table: 'activity', rows: 1 },
      { table: 'connection_events', rows: 1 },
      { table: 'deliveries', rows: 3 },
      { table: 'timeseries', rows: 2 },
    ],
    landed: 6,
  });
  await warehouse.close();
  // Incremental models need the days of the user, to delete them.
  expect(await whereIs(path, 'ada')).toEqual([CHANGED]);
  expect(await whereIs(publishedPath(path), 'ada')).toEqual([CHANGED]);

  warehouse = await open();
  await warehouse.merge('all');
  expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
  // Replays everything. The reopened warehouse knows about the erasure only from the file.
  for (const number of [1, 2, 3]) await land(warehouse, people, number, { incarnation: 'again', from: number * 2 });
  await warehouse.merge('all');
  expect(await warehouse.rows()).toMatchObject({ activity: 3, timeseries: 6, connection_events: 3, deliveries: 9 });
  expect(await warehouse.erase('ada')).toEqual({ tables: [], landed: 0 });
  await warehouse.close();
  expect(await whereIs(path, 'ada')).toEqual([CHANGED]);
  expect(await whereIs(path, 'bob')).not.toEqual([]);

  const reader = await openDuckDbReader({ path });
  const { rows } = await reader.query('select user_id, count(*) from timeseries group by all');
  const all: unknown[] = [];
  for await (const chunk of rows) all.push(...chunk);
  expect(all).toEqual([['bob', 6n]]);
  await reader.close();
});

test('35 days after an erasure, nothing in the file names the user any more', async () => {
  let warehouse = await open();
  await land(warehouse, ['ada', 'bob'], 1, { incarnation: 'i', from: 0 });
  await warehouse.merge('all');
  await warehouse.erase('ada');
  await warehouse.close();
  for (const [days, left] of [
    [34, [CHANGED]],
    [2, []],
  ] as const) {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(`update ${CHANGED} set changed_at = changed_at - interval ${days} day`);
    await connection.run(`update control.suppressed set suppressed_at = suppressed_at - interval ${days} day`);
    connection.closeSync();
    instance.closeSync();
    warehouse = await open();
    await land(warehouse, ['bob'], days, { incarnation: 'i', from: days === 34 ? 2 : 3 });
    await warehouse.merge('all');
    await warehouse.close();
    expect(await whereIs(path, 'ada')).toEqual(left);
  }
  expect(await whereIs(path, 'bob')).toContain(CHANGED);
});

test('an erasure of an unknown user deletes nothing but excludes the user from later merges', async () => {
  const warehouse = await open();
  await land(warehouse, ['bob'], 1, { incarnation: 'i', from: 0 });
  await warehouse.merge('all');
  expect(await warehouse.erase("ada' or true --")).toEqual({ tables: [], landed: 0 });
  expect(await warehouse.erase('ada')).toEqual({ tables: [], landed: 0 });
  await land(warehouse, ['ada', 'bob'], 2, { incarnation: 'i', from: 1 });
  await warehouse.merge('all');
  expect(await warehouse.rows()).toMatchObject({ activity: 2, timeseries: 4, connection_events: 2, deliveries: 6 });
  await warehouse.close();
});
