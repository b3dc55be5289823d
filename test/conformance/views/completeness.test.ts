import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import { completenessView } from '../../../connectors/warehouses/views/completeness.ts';

/**
 * Tests the counts with rows that the test itself inserts. `test/e2e/service.test.ts` checks that Aorta inserts such rows
 * when it loads events.
 */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`
    create table deliveries (source varchar default 'hub', source_partition varchar default '0', source_offset bigint,
      received_at timestamptz, event_type varchar, delivery_id varchar, user_id varchar default 'u', provider varchar default 'oura',
      samples bigint, redelivered boolean default false, dead_letter_reason varchar, body_bytes bigint default 1, body_crc32 bigint);
    create table backfills (user_id varchar default 'u', provider varchar default 'oura', resource varchar, from_day varchar,
      to_day varchar, objects bigint, finished_at timestamptz);
    create table sent_resources (user_id varchar default 'u', provider varchar default 'oura', resource varchar, sent_count bigint,
      oldest_data timestamptz, newest_data timestamptz, last_attempt_at timestamptz, last_attempt_status varchar, _received_at timestamptz)`);
});
afterAll(() => connection.disconnectSync());

let offset = 0;
const at = (hour: number): string => `'2026-01-01T${String(hour).padStart(2, '0')}:00:00Z'::timestamptz`;

/** Returns the statement that inserts a delivery. `samples` is `null` for a summary. */
const came = (
  hour: number,
  type: string,
  samples: number | null,
  { id, as, from = 'hub', crc32 }: { id?: string; as?: string; from?: string; crc32?: number } = {},
): string =>
  `insert into deliveries (source, source_offset, received_at, event_type, samples, delivery_id, redelivered, dead_letter_reason, body_crc32)
   values ('${from}', ${++offset}, ${at(hour)}, '${type}', ${samples}, ${id === undefined ? 'null' : `'${id}'`}, ${as === 'redelivered'},
     ${as === 'dead' ? "'no_id'" : 'null'}, ${crc32 ?? offset})`;
const sent = (resource: string, count: number | null): string =>
  `insert into sent_resources (resource, sent_count) values ('${resource}', ${count})`;
const backfill = (hour: number, resource: string, objects: number, from = '2025-01-01'): string =>
  `insert into backfills (resource, from_day, to_day, objects, finished_at) values ('${resource}', '${from}', '2026-01-01', ${objects}, ${at(hour)})`;

const steps = 'daily.data.steps.created';

const cases: readonly [string, readonly string[], object][] = [
  ['no delivery arrived', [sent('steps', 10)], { received: 0, backfilled: 0, gap: 10, closed_by_backfill: 0, missing: 10 }],
  ['every object arrived', [sent('steps', 10), came(1, steps, 4), came(2, steps, 6)], { received: 10, gap: 0, missing: 0 }],
  ['a summary is one object', [sent('sleep', 2), came(1, 'daily.data.sleep.created', null)], { received: 1, missing: 1 }],
  ['updates are not counted', [sent('steps', 5), came(1, 'daily.data.steps.updated', 5)], { received: 0, missing: 5 }],
  [
    'a delivery counts once, by its id or else by its offset',
    [sent('steps', 10), came(1, steps, 3, { id: 'd' }), came(2, steps, 3, { id: 'd' }), came(3, steps, 2), came(4, steps, 2)],
    { received: 7, missing: 3 },
  ],
  [
    'redeliveries and dead letters are not counted',
    [sent('steps', 3), came(1, steps, 3, { as: 'redelivered' }), came(1, steps, 3, { as: 'dead' })],
    { received: 0, missing: 3 },
  ],
  [
    'an event that two sources delivered counts once, so the gap of another event stays visible',
    [
      sent('steps', 9),
      came(1, steps, 3, { crc32: -1 }),
      came(2, steps, 3, { crc32: -1, from: 'webhook' }),
      came(3, steps, 3, { crc32: -2, from: 'webhook' }),
    ],
    { received: 6, missing: 3 },
  ],
  [
    'two events of the same content count twice, even if the first arrives again with its id',
    [
      sent('steps', 6),
      came(1, steps, 3, { id: 'a', crc32: -1 }),
      came(1, steps, 3, { id: 'a', crc32: -1 }),
      came(2, steps, 3, { id: 'b', crc32: -1, from: 'webhook' }),
      came(3, steps, 3, { id: 'c', crc32: -1, from: 'webhook' }),
    ],
    { received: 6, missing: 0 },
  ],
  ['more objects arrived than were sent', [sent('steps', 3), came(1, steps, 9)], { gap: 0, closed_by_backfill: 0, missing: 0 }],
  [
    'a backfill closes the gap with the objects that had not arrived',
    [sent('steps', 10), came(1, steps, 7), backfill(2, 'steps', 10)],
    { received: 7, backfilled: 10, gap: 3, closed_by_backfill: 3, missing: 0 },
  ],
  [
    'a backfill of objects that had arrived closes nothing',
    [sent('steps', 10), came(1, steps, 7), backfill(2, 'steps', 5)],
    { backfilled: 5, closed_by_backfill: 0, missing: 3 },
  ],
  [
    'two backfills may have found the same objects',
    [sent('steps', 10), came(1, steps, 4), backfill(2, 'steps', 6), backfill(2, 'steps', 6, '2024-01-01')],
    { backfilled: 6, closed_by_backfill: 2, missing: 4 },
  ],
  [
    'a closed gap stays closed while more arrives, and later losses are a gap',
    [sent('steps', 21), came(1, steps, 7), backfill(2, 'steps', 10), came(3, steps, 9)],
    { received: 16, gap: 5, closed_by_backfill: 3, missing: 2 },
  ],
  [
    'a resource may have a different name in its API path',
    [sent('body_weight', 4), came(1, 'daily.data.weight.created', 4)],
    { received: 4, missing: 0 },
  ],
  ['connections are counted', [sent('connection', 2), came(1, 'provider.connection.created', null)], { received: 1, missing: 1 }],
  ['a resource without events of a provider has no count', [sent('order', 4)], { received: null, gap: null, missing: null }],
  [
    'a resource that the service does not count has no gap',
    [sent('steps', null), came(1, steps, 4)],
    { received: 4, gap: null, missing: null },
  ],
];

test.each(cases)('%s', async (_, rows, expected) => {
  for (const table of ['deliveries', 'backfills', 'sent_resources']) await connection.run(`delete from ${table}`);
  for (const row of rows) await connection.run(row);
  const found = await connection.runAndReadAll(completenessView(duckDbViews).query!);
  const [row] = found.getRowObjects();
  const plain = Object.fromEntries(
    Object.entries(row!).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
  expect(plain).toMatchObject(expected);
});
