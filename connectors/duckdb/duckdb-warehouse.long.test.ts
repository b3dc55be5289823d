import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isAortaError, silentLogger } from '@aorta/runtime';
import { readEvent, type StreamRecords } from '@aorta/schemas';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import type { Warehouse } from '../warehouse.ts';
import { runIn } from './closed-file.fixture.ts';
import { Database } from './database.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { FORMAT } from './format.ts';
import { duckDbOptions } from './options.ts';
import { publishedPath } from './published-copy.ts';

let folder: string;
let path: string;
let opened: Warehouse[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'data', 'warehouse.duckdb');
  opened = [];
});
afterEach(async () => {
  for (const warehouse of opened) await warehouse.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(more: object = {}): Promise<Warehouse> {
  const warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
    ...more,
  });
  opened.push(warehouse);
  return warehouse;
}

async function shut(warehouse: Warehouse): Promise<void> {
  opened = opened.filter((one) => one !== warehouse);
  await warehouse.close();
}

async function query(sql: string): Promise<unknown[][]> {
  const reader = await openDuckDbReader({ path });
  try {
    const rows: unknown[][] = [];
    for await (const chunk of (await reader.query(sql)).rows) rows.push(...chunk.map((row) => [...row]));
    return rows;
  } finally {
    await reader.close();
  }
}

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (isAortaError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'no failure';
}

const receipt = (offset: number) => ({
  source: 's',
  partition: '0',
  offset,
  received_at: Date.UTC(2026, 2, 28) * 1000 + offset,
  delivery_id: null,
  header_facts: 0,
  body_bytes: 1,
  body_crc32: 1,
  arrived_at: null,
});

function connection(offset: number, data: object): StreamRecords['connections'] {
  const reading = readEvent('connections', 'provider.connection.created', { user_id: 'u', data }, receipt(offset));
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record;
}

const batchOf = (records: StreamRecords['connections'][], from = 0) => ({
  stream: 'connections' as const,
  incarnation: 'i',
  from,
  to: from + records.length,
  records,
});

async function landMany(warehouse: Warehouse, count: number, most: number): Promise<void> {
  for (let from = 0; from < count; ) {
    const size = Math.min(most, count - from, warehouse.landsAtMost!({ stream: 'connections', partition: 0 }));
    const batch = warehouse.gather!({ stream: 'connections', incarnation: 'i', from });
    for (let at = from; at < from + size; at += 1000)
      batch.add(
        Array.from({ length: Math.min(1000, from + size - at) }, (_, index) => connection(at + index, { provider: 'oura' })),
      );
    from += size;
    await batch.land(from);
    await warehouse.merge('due');
  }
}

describe('many events', () => {
  test('many events fill row groups, so that no row group is written twice', async () => {
    const warehouse = await open();
    const group = 122_880;
    await landMany(warehouse, 2 * group + 500, 50_000);
    const { targets } = await warehouse.merge('all');
    await warehouse.settled!();
    expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
    expect(targets.filter(({ table }) => table === 'deliveries').map(({ rows }) => rows)).toContain(500);
    await warehouse.publish('now');
    await shut(warehouse);
    for (const table of ['connection_events', 'deliveries']) {
      const sizes = await runIn(
        path,
        `select sum(count)::integer from pragma_storage_info('${table}') where column_name = 'user_id' and segment_type = 'VARCHAR' group by row_group_id order by row_group_id`,
      );
      expect(sizes.flat()).toEqual([group, group, 500]);
    }
  });

  test('events landed during a merge are merged exactly once, even after a restart', async () => {
    const steps: string[] = [];
    let warehouse = await open({ onStep: (step: string) => void steps.push(step) });
    const land = (from: number, to: number): Promise<void> =>
      warehouse.land({
        stream: 'connections',
        incarnation: 'i',
        from,
        to,
        records: Array.from({ length: to - from }, (_, index) => connection(from + index, { provider: 'oura' })),
      });
    await land(0, 20_000);
    const merging = warehouse.merge('all');
    for (let from = 20_000; from < 20_050; from++) await land(from, from + 1);
    await merging;
    // Some of these batches became durable before the merge did.
    expect(steps.filter((step) => step === 'land:durable')).toHaveLength(51);
    expect(steps.slice(1, steps.indexOf('merge:durable'))).toContain('land:durable');
    await shut(warehouse);
    warehouse = await open();
    expect(warehouse.landed({ stream: 'connections', partition: 0 })?.position).toBe(20_050);
    await warehouse.merge('all');
    expect(await warehouse.rows()).toMatchObject({ connection_events: 20_050, deliveries: 20_050 });
  });

  test('a publication that is not due does not wait for the running merge', async () => {
    let now = Date.UTC(2026, 2, 28);
    const warehouse = await open({ clock: () => now });
    await landMany(warehouse, 1, 1);
    await warehouse.merge('all');
    expect(await warehouse.publish('now')).toBe(true);
    const batch = warehouse.gather!({ stream: 'connections', incarnation: 'i', from: 1 });
    batch.add(Array.from({ length: 20_000 }, (_, index) => connection(1 + index, { provider: 'oura' })));
    await batch.land(20_001);
    // After this time a merge is due, but a publication is not.
    now += 6_000;
    await warehouse.merge('due');
    expect(await warehouse.publish('due')).toBe(false);
    expect(warehouse.backlog().records).toBe(20_000);
    await warehouse.settled!();
    expect(warehouse.backlog().records).toBe(0);
    expect(await warehouse.publish('now')).toBe(true);
  });

  test('landed events do not pile up if merges are slower than landing', async () => {
    // With this setting, the first old sample makes a merge due. Without a limit, landing could continue during the merge.
    const warehouse = await open({ old_rows: 1 });
    const samples = Array.from({ length: 5000 }, (_, index) => ({
      timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      unit: 'bpm',
      value: index,
    }));
    const data = { source: 'oura', data: samples };
    const eventOf = (offset: number): StreamRecords['timeseries'] => {
      const body = { event_type: 'daily.data.heartrate.created', user_id: `u${offset}`, data };
      const reading = readEvent('timeseries', body.event_type, body, receipt(offset));
      if (reading.kind !== 'record') throw new Error(reading.reason);
      return reading.record;
    };
    let most = 0;
    for (let from = 0; from < 240; from += 40) {
      const records = Array.from({ length: 40 }, (_, index) => eventOf(from + index));
      await warehouse.land({ stream: 'timeseries', incarnation: 'i', from, to: from + 40, records });
      await warehouse.merge('due');
      most = Math.max(most, warehouse.backlog().records);
    }
    // 100 events are half a million samples. The backlog is at most one merge and one batch.
    expect(most).toBeLessThanOrEqual(100 + 40);
    await warehouse.merge('all');
    expect((await warehouse.rows()).timeseries).toBe(1_200_000);
  });

  test('if two batches of a stream are begun before either is landed, only one of them can be landed', async () => {
    const warehouse = await open();
    const gather = (partition: number) => {
      const batch = warehouse.gather!({ stream: 'connections', partition, incarnation: 'i', from: 0 });
      batch.add([connection(partition, { provider: 'oura' })]);
      return batch;
    };
    const [one, other] = [gather(0), gather(1)];
    await one.land(1);
    await expect(other.land(1)).rejects.toMatchObject({ code: 'AORTA-BUG' });
    await gather(1).land(1);
    await warehouse.merge('all');
    expect((await warehouse.rows()).connection_events).toBe(2);
  });
});

describe('newer versions of summaries', () => {
  const [COUNT, AT_ONCE] = [40_960, 10_240];
  const activity = (id: number, offset: number): StreamRecords['activity'] => {
    const updated_at = new Date(Date.UTC(2026, 2, 28) + offset).toISOString();
    const data = { user_id: 'u', id: `id-${id}`, steps: offset, updated_at };
    const reading = readEvent('activity', 'daily.data.activity.updated', { user_id: 'u', data }, receipt(offset));
    if (reading.kind !== 'record') throw new Error(reading.reason);
    return reading.record;
  };
  let landed: number;
  /** Lands and merges `AT_ONCE` summaries that are newer than all earlier ones. Returns the statements that change the table. */
  const merged = async (warehouse: Warehouse, idOf: (index: number) => number): Promise<string[]> => {
    const records = Array.from({ length: AT_ONCE }, (_, index) => activity(idOf(landed + index), landed + index));
    await warehouse.land({ stream: 'activity', incarnation: 'i', from: landed, to: landed + AT_ONCE, records });
    landed += AT_ONCE;
    using run = vi.spyOn(Database.prototype, 'run');
    const { targets } = await warehouse.merge('all');
    expect(targets).toContainEqual(expect.objectContaining({ table: 'activity', rows: AT_ONCE }));
    return run.mock.calls.flatMap(([, sql]) => /^(?:\w+ )+activity\b/.exec(sql) ?? []);
  };

  test('newer versions replace rows with one deletion and one insertion, and without a large growth of the file', async () => {
    landed = 0;
    const warehouse = await open();
    while (landed < COUNT) expect(await merged(warehouse, (index) => index)).toEqual(['insert into activity']);
    await warehouse.publish('now');
    const size = statSync(publishedPath(path)).size;
    while (landed < 4 * COUNT) {
      // A single MERGE, or a statement per row, would take more than a hundred times as long.
      const statements = await merged(warehouse, (index) => (index * 7919) % COUNT);
      expect(statements).toEqual(['delete from activity', 'insert into activity']);
      await warehouse.publish('now');
    }
    const from = 3 * COUNT;
    const totals = `select count(*), count(distinct id), min(steps) >= ${from}, sum(steps) from activity`;
    expect(await query(totals)).toEqual([[BigInt(COUNT), BigInt(COUNT), true, BigInt((COUNT * (2 * from + COUNT - 1)) / 2)]]);
    expect(statSync(publishedPath(path)).size).toBeLessThan(4 * size);
  });
});

describe('a DuckDB warehouse', () => {
  test('the file of a warehouse is readable only by its owner', async () => {
    const warehouse = await open();
    await landMany(warehouse, 1, 1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    // The write-ahead log next to the file contains the last commits.
    expect(statSync(`${path}.wal`).mode & 0o777).toBe(0o600);
  });

  test('neither identifying columns nor unknown fields that may contain them are landed', async () => {
    const warehouse = await open();
    await warehouse.land(
      batchOf([connection(0, { provider: { slug: 'oura' }, external_user_id: 'planted@example.org', nick_name: 'planted' })]),
    );
    await warehouse.merge('all');
    await warehouse.publish('now');
    await shut(warehouse);
    const columns = (await query('describe connection_events')).map(([name]) => name);
    expect(columns).toContain('provider');
    expect(columns).not.toContain('external_user_id');
    expect(columns).not.toContain('extra');
    // grep exits with 1 if no file of the warehouse contains the text.
    expect(spawnSync('grep', ['-rqa', 'planted', folder]).status).toBe(1);
    expect(spawnSync('grep', ['-rqa', 'oura', folder]).status).toBe(0);
  });

  test('a batch that leaves a gap is refused, and a repeated batch is ignored', async () => {
    const warehouse = await open();
    const records = [connection(0, { provider: 'oura' }), connection(1, { provider: 'oura' })];
    await warehouse.land(batchOf(records));
    await warehouse.land(batchOf(records));
    expect(warehouse.landed({ stream: 'connections', partition: 0 })).toEqual({ incarnation: 'i', position: 2 });
    expect(await failure(warehouse.land(batchOf(records, 5)))).toContain('AORTA-BUG');
    await warehouse.merge('all');
    expect((await warehouse.rows()).connection_events).toBe(2);
  });

  test('each partition of a stream is landed from its own position, even if positions have gaps', async () => {
    const at = (partition: number, from: number, to: number, offset: number) => ({
      ...batchOf([connection(offset, { provider: 'oura' })]),
      partition,
      from,
      to,
    });
    const warehouse = await open();
    await warehouse.land(at(0, 0, 9, 0));
    await warehouse.land(at(3, 40, 52, 1));
    await warehouse.land(at(3, 52, 53, 2));
    expect(await failure(warehouse.land(at(3, 60, 61, 3)))).toContain('AORTA-BUG');
    expect(warehouse.backlog()).toEqual({ batches: 3, records: 3 });
    await shut(warehouse);
    const again = await open();
    expect([0, 3, 4].map((partition) => again.landed({ stream: 'connections', partition })?.position)).toEqual([
      9,
      53,
      undefined,
    ]);
    expect(again.backlog()).toEqual({ batches: 3, records: 3 });
    // Lands the same batch again, as after a crash between landing and commit.
    await again.land(at(3, 52, 53, 2));
    await again.merge('all');
    expect((await again.rows()).connection_events).toBe(3);
  });

  test('a new incarnation of a stream is landed from its beginning', async () => {
    const warehouse = await open();
    await warehouse.land(batchOf([connection(0, { provider: 'oura' }), connection(1, { provider: 'oura' })]));
    await warehouse.land({ ...batchOf([connection(7, { provider: 'oura' })]), incarnation: 'j' });
    expect(warehouse.landed({ stream: 'connections', partition: 0 })).toEqual({ incarnation: 'j', position: 1 });
    await warehouse.merge('all');
    expect((await warehouse.rows()).connection_events).toBe(3);
  });

  test('an error reports landed rows that disappeared before they were merged', async () => {
    const warehouse = await open();
    await warehouse.land(batchOf([connection(0, { provider: 'oura' })]));
    await shut(warehouse);
    await runIn(path, 'drop table landed.r1');
    expect(await failure(open())).toContain('landed batch 1 is gone');
  });

  test('a file written by a newer version of Aorta is refused', async () => {
    await shut(await open());
    await runIn(path, 'update control.format set format = 99');
    expect(await failure(open())).toContain('AORTA-DATA-NEWER');
  });

  test('a file that an older version wrote is refused and left unchanged', async () => {
    const found = 4;
    const statements = [
      'create schema control',
      'create table control.format as select 4 as format',
      'create table control.mine (a integer)',
    ];
    mkdirSync(dirname(path));
    const relations = 'select schema_name, table_name from duckdb_tables() order by all';
    const before = await runIn(path, ...statements, relations);
    const refusal = { code: 'AORTA-WAREHOUSE-OLDER', details: { path, found, known: FORMAT } };
    await expect(open()).rejects.toMatchObject(refusal);
    await expect(openDuckDbReader({ path })).rejects.toMatchObject(refusal);
    expect(await runIn(path, relations)).toEqual(before);
  });

  test('a file that is not a database is reported without quoting its content', async () => {
    await shut(await open());
    writeFileSync(path, 'glucose 7.77123 '.repeat(1000));
    const said = await failure(open());
    expect(said).toContain('AORTA-WAREHOUSE-UNREADABLE');
    expect(said).not.toContain('7.77123');
  });
});

describe('the published copy', () => {
  const insideAnotherProcess = (file: string): string => {
    const script = `import { DuckDBInstance } from '@duckdb/node-api'; try { await DuckDBInstance.create(process.argv[1]); console.log('opened'); } catch { console.log('refused'); }`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', script, file], {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    }).stdout.trim();
  };

  test('the published copy is readable while the writer runs, and copying does not release the writer’s lock', async () => {
    const warehouse = await open();
    await warehouse.land(batchOf([connection(0, { provider: 'oura' })]));
    await warehouse.merge('all');
    expect(insideAnotherProcess(path)).toBe('refused');
    expect(await warehouse.publish('now')).toBe(true);
    expect(await query('select count(*) from connections')).toEqual([[1n]]);
    // A process loses a POSIX lock when it closes any descriptor of the file, so another process must make the copy.
    expect(insideAnotherProcess(path)).toBe('refused');
    expect(statSync(publishedPath(path)).mode & 0o777).toBe(0o400);
  });

  test('the copy is published no more often than configured, and only after changes', async () => {
    let now = 1_000_000;
    const warehouse = await open({ clock: () => now, publish_every_s: 30 });
    expect(await warehouse.publish('due'), 'readers get a first copy at once').toBe(true);
    expect(await warehouse.publish('now')).toBe(false);
    await warehouse.land(batchOf([connection(0, { provider: 'oura' })]));
    await warehouse.merge('all');
    now += 29_000;
    expect(await warehouse.publish('due')).toBe(false);
    now += 1_000;
    expect(await warehouse.publish('due')).toBe(true);
  });

  test('a reader reports a missing copy if a writer has just started', async () => {
    await open();
    const script = `import { openDuckDbReader } from './duckdb-reader.ts'; await openDuckDbReader({ path: process.argv[1] }).catch((error) => console.log(error.code));`;
    const said = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script, path], {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    }).stdout;
    expect(said.trim()).toBe('AORTA-WAREHOUSE-UNPUBLISHED');
  });

  test('before the first publication, a reader of the file delays the writer but does not make it fail', async () => {
    await shut(await open());
    const script = `import { openDuckDbReader } from './duckdb-reader.ts';
      const reader = await openDuckDbReader({ path: process.argv[1] });
      process.stdout.write('open');
      process.stdin.on('end', () => reader.close()).resume();`;
    const other = spawn(process.execPath, ['--input-type=module-typescript', '-e', script, path], {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      await once(other.stdout, 'data');
      const waiting = Promise.withResolvers<void>();
      const opening = open({ logger: { ...silentLogger, info: () => waiting.resolve() } });
      await Promise.race([waiting.promise, opening.then(() => Promise.reject(new Error('both have the file')))]);
      other.stdin.end();
      expect(await (await opening).publish('due')).toBe(true);
    } finally {
      other.kill('SIGKILL');
    }
  });

  test('a published copy does not change for a reader that has it open', async () => {
    const warehouse = await open();
    await warehouse.publish('now');
    const reader = await openDuckDbReader({ path });
    await warehouse.land(batchOf([connection(0, { provider: 'oura' })]));
    await warehouse.merge('all');
    await warehouse.publish('now');
    expect((await reader.rows()).connection_events).toBe(0);
    await reader.close();
    expect(await query('select count(*) from connection_events')).toEqual([[1n]]);
  });
});

describe('a query', () => {
  let shared: string;
  // Queries change nothing, so one warehouse suffices.
  beforeAll(async () => {
    shared = mkdtempSync(join(tmpdir(), 'aorta-'));
    path = join(shared, 'warehouse.duckdb');
    opened = [];
    const warehouse = await open();
    await warehouse.publish('now');
    await shut(warehouse);
  });
  beforeEach(() => {
    path = join(shared, 'warehouse.duckdb');
  });
  afterAll(() => rmSync(shared, { recursive: true, force: true }));

  test.each([
    'insert into activity select * from activity',
    'delete from deliveries',
    'create table x (a integer)',
    'drop table activity',
    "attach '/tmp/other.duckdb'",
    'set enable_external_access = true',
    'reset enable_external_access',
    'load httpfs',
    'select 1; select 2',
    '',
    'call pragma_version()',
  ])('the query %s is refused because it is not a single SELECT', async (sql) => {
    expect(await failure(query(sql))).toContain('AORTA-QUERY-NOT-READ-ONLY');
  });

  test.each([
    "copy (select 1) to '/tmp/aorta-should-not-exist.csv'",
    "select * from read_csv('/etc/passwd')",
    "select * from '/etc/passwd'",
    "from read_text('/etc/hostname')",
    "export database '/tmp/x'",
  ])('the query %s cannot access files', async (sql) => {
    expect(await failure(query(sql))).toMatch(/AORTA-QUERY-(FAILED|NOT-READ-ONLY)/);
  });

  test('the values that a query returns are converted to types that JSON supports', async () => {
    expect(
      await query(
        "select timestamptz '2026-03-28 01:02:03.000004+00' a, timestamptz '1969-12-31 23:59:59.5+00' b, date '2026-03-28' c, 9223372036854775807 d, 'nan'::double e, [1, null] f, {x: date '2026-01-01'} g, null h, timestamp '2026-03-28 00:00:00' i",
      ),
    ).toEqual([
      [
        '2026-03-28T01:02:03.000004Z',
        '1969-12-31T23:59:59.500000Z',
        '2026-03-28',
        9223372036854775807n,
        'NaN',
        [1, null],
        { x: '2026-01-01' },
        null,
        '2026-03-28T00:00:00',
      ],
    ]);
  });

  test.each([
    ['selec 1', 'syntax error near "selec"'],
    ['select nothing from activity', 'there is no column "nothing"'],
    ['select * from nothing', 'there is no table "nothing"'],
    ["select cast('7.77123x' as integer)", 'could not be converted'],
  ])('the query %s fails with Aorta’s own message', async (sql, words) => {
    const said = await failure(query(sql));
    expect(said).toContain(words);
    expect(said).not.toContain('7.77123');
  });

  test('a query fails if the warehouse does not exist', async () => {
    expect(await failure(openDuckDbReader({ path: join(folder, 'none.duckdb') }))).toContain('AORTA-WAREHOUSE-MISSING');
  });
});
