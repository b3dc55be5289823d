import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import { deliveryCopiesView } from '../../../connectors/warehouses/views/copies.ts';
import { eventVolumeView } from '../../../connectors/warehouses/views/event-volume.ts';
import { freshnessView } from '../../../connectors/warehouses/views/freshness.ts';

/** Tests which deliveries are copies of another source's, with rows that the test itself inserts. */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`
    create table deliveries (source varchar, source_partition varchar, source_offset bigint, received_at timestamptz,
      event_type varchar, user_id varchar, provider varchar, stream varchar, samples bigint, redelivered boolean,
      dead_letter_reason varchar, body_bytes bigint, body_crc32 bigint, _loaded_at timestamptz)`);
  for (const { name, query } of [deliveryCopiesView, eventVolumeView, freshnessView].map((view) => view(duckDbViews)))
    await connection.run(`create view ${name} as ${query}`);
});
afterAll(() => connection.disconnectSync());

interface Row {
  readonly source: string;
  readonly partition: number;
  readonly offset: number;
  /** Hours since 2026-01-01T00:00:00Z. */
  readonly hour: number;
  readonly type?: string | null;
  readonly user?: string | null;
  readonly bytes?: number;
  readonly crc32?: number | null;
  readonly stream?: string;
  readonly redelivered?: boolean;
}

const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`);

async function insert(rows: readonly Row[]): Promise<void> {
  await connection.run('delete from deliveries');
  if (rows.length === 0) return;
  const values = rows.map(
    ({ source, partition, offset, hour, type = 't', user = 'u', bytes = 1, crc32 = 1, stream = 's', redelivered = false }) =>
      `(${text(source)}, '${partition}', ${offset}, '2026-01-01T00:00:00Z'::timestamptz + to_hours(${hour}), ${text(type)},
        ${text(user)}, null, '${stream}', 10, ${redelivered}, ${stream === 'dead_letters' ? "'no_id'" : 'null'}, ${bytes}, ${crc32}, now())`,
  );
  await connection.run(`insert into deliveries values ${values.join(', ')}`);
}

const place = ({ source, partition, offset }: Pick<Row, 'source' | 'partition' | 'offset'>): string =>
  `${source}/${partition}/${offset}`;

async function copies(rows: readonly Row[]): Promise<string[]> {
  await insert(rows);
  const found = await connection.runAndReadAll('select source, source_partition, source_offset from delivery_copies');
  return found
    .getRows()
    .map(([source, partition, offset]) => `${source}/${partition}/${offset}`)
    .toSorted();
}

const hub = (offset: number, hour: number, more: Partial<Row> = {}): Row => ({
  source: 'hub',
  partition: 0,
  offset,
  hour,
  ...more,
});
const hook = (offset: number, hour: number, more: Partial<Row> = {}): Row => ({ ...hub(offset, hour, more), source: 'webhook' });

test.each<[string, readonly Row[], readonly string[]]>([
  ['one source has no copies', [hub(1, 0), hub(2, 1)], []],
  ['the later of two sources has the copy', [hub(1, 0), hook(1, 1)], ['webhook/0/1']],
  ['at the same time, the order of the names decides', [hub(1, 0), hook(1, 0)], ['webhook/0/1']],
  ['48 hours apart', [hook(1, 0), hub(1, 48)], ['hub/0/1']],
  ['more than 48 hours apart', [hook(1, 0), hub(1, 49)], []],
  ['three sources', [hook(1, 0), hub(1, 1), { ...hub(1, 2), source: 'kafka' }], ['hub/0/1', 'kafka/0/1']],
  ['the same content twice, from both', [hub(1, 0), hub(2, 1), hook(1, 2), hook(2, 3)], ['webhook/0/1', 'webhook/0/2']],
  ['the same content twice, once from the first', [hub(1, 0), hook(1, 1), hook(2, 2)], ['webhook/0/1']],
  ['another partition of the same source', [hub(1, 0), hub(1, 1, { partition: 1 })], []],
  ['another length', [hub(1, 0), hook(1, 1, { bytes: 2 })], []],
  ['another CRC-32', [hub(1, 0), hook(1, 1, { crc32: 2 })], []],
  ['another user', [hub(1, 0), hook(1, 1, { user: 'v' })], []],
  ['another event type', [hub(1, 0), hook(1, 1, { type: 'v' })], []],
  ['no user and no event type', [hub(1, 0, { user: null, type: null }), hook(1, 1, { user: null, type: null })], ['webhook/0/1']],
  ['a delivery that was read is no copy of a dead letter', [hub(1, 0, { stream: 'dead_letters' }), hook(1, 1)], []],
  ['a redelivery has no copies', [hub(1, 0, { redelivered: true }), hook(1, 1)], []],
  ['rows of an older version have no CRC-32', [hub(1, 0, { crc32: null }), hook(1, 1, { crc32: null })], []],
  ['a loss long ago does not matter', [hook(1, 0), hub(1, 100), hook(2, 101)], ['webhook/0/2']],
  [
    // A migration: the content is the same every day. The webhook ends after the hub has begun.
    'the same content every day, through a change from one source to another',
    [
      ...Array.from({ length: 30 }, (_, day) => hook(day, day * 24)),
      ...Array.from({ length: 30 }, (_, day) => hub(day, (day + 20) * 24 + 1)),
    ],
    Array.from({ length: 10 }, (_, day) => `hub/0/${day}`),
  ],
])('%s', async (_, rows, expected) => {
  expect(await copies(rows)).toEqual([...expected].toSorted());
});

/** Reads the deliveries in order, with a stack of deliveries without a pair for each two sources. */
function expectedCopies(rows: readonly Row[]): string[] {
  const order = rows.toSorted(
    (a, b) => a.hour - b.hour || a.source.localeCompare(b.source) || a.partition - b.partition || a.offset - b.offset,
  );
  const found = new Set<string>();
  for (const ofContent of Map.groupBy(order, ({ user, crc32 }) => `${user} ${crc32}`).values()) {
    const sources = [...new Set(ofContent.map(({ source }) => source))];
    for (const [index, one] of sources.entries()) {
      for (const other of sources.slice(index + 1)) {
        let waiting: Row[] = [];
        let last = Number.NEGATIVE_INFINITY;
        for (const row of ofContent) {
          if (row.hour - last > 48) waiting = [];
          last = row.hour;
          if (row.source !== one && row.source !== other) continue;
          if (waiting.length === 0 || waiting[0]!.source === row.source) waiting.push(row);
          else if (row.hour - waiting.pop()!.hour <= 48) found.add(place(row));
        }
      }
    }
  }
  return [...found].toSorted();
}

test('copies equal those that a program finds by reading the deliveries in order', async () => {
  const delivery = fc.record({
    source: fc.constantFrom('hub', 'kafka', 'webhook'),
    partition: fc.integer({ min: 0, max: 1 }),
    hour: fc.integer({ min: 0, max: 240 }),
    user: fc.constantFrom('u', 'v'),
    crc32: fc.constantFrom(1, 2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(delivery, { maxLength: 40 }), async (list) => {
      const rows = list.map((one, offset) => ({ ...one, offset }));
      expect(await copies(rows)).toEqual(expectedCopies(rows));
    }),
    { numRuns: 100 },
  );
});

test('if one of two sources delivers every event, each event counts once, in every interleaving and after every loss', async () => {
  const event = fc.record({
    user: fc.constantFrom('u', 'v'),
    crc32: fc.integer({ min: 1, max: 3 }),
    hour: fc.integer({ min: 0, max: 23 }),
    delay: fc.integer({ min: -6, max: 18 }),
    lost: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
      const rows = events.flatMap(({ user, crc32, hour, delay, lost }, offset) => [
        hub(offset, hour, { user, crc32 }),
        ...(lost ? [] : [hook(offset, hour + delay, { user, crc32 })]),
      ]);
      expect(rows.length - (await copies(rows)).length).toBe(events.length);
      expect(await total('event_volume', 'deliveries')).toBe(events.length);
      expect(await total('event_volume', 'samples')).toBe(events.length * 10);
      expect(await total('freshness', 'deliveries')).toBe(events.length);
    }),
    { numRuns: 40 },
  );
});

async function total(view: string, column: string): Promise<number> {
  const [[found]] = (await connection.runAndReadAll(`select coalesce(sum(${column}), 0) from ${view}`)).getRows() as [[bigint]];
  return Number(found);
}
