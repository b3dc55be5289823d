import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aorta, type Report } from '../faults/command-line.ts';

/** Loads a good event of four streams, each followed by an event whose type has an ending that the stream does not read. */

const folder = mkdtempSync(join(tmpdir(), 'aorta-endings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = { provider: 'oura', type: 'ring' };
const event = (event_type: string, data: object) => ({ event_type, user_id: 'u-1', data });
const heartrate = (value: number, timestamp: string) => ({ source, data: [{ timestamp, unit: 'bpm', value, type: 'manual' }] });
const connected = (provider: string) => ({
  provider: { name: provider, slug: provider },
  resource_availability: { sleep: { status: 'available' } },
});
const pulled = { provider: 'oura', start_date: '2026-01-01T00:00:00Z', end_date: '2026-03-01T00:00:00Z', is_final: true };

const good = [
  event('daily.data.workouts.created', { id: 'w-1', title: 'Hill repeats', distance: 10_500, source }),
  event('daily.data.heartrate.created', heartrate(60, '2026-03-28T10:00:00Z')),
  event('provider.connection.created', connected('oura')),
];
const other = [
  event('daily.data.workouts.deleted', { id: 'w-1' }),
  event('daily.data.heartrate.deleted', heartrate(61, '2026-03-28T11:00:00Z')),
  event('provider.connection.created.v2', connected('fitbit')),
  event('historical.data.sleep.failed', pulled),
];

const words = (...more: string[]) => [...more, '--config', 'aorta.yaml'];

async function answer(...given: string[]): Promise<unknown> {
  const { code, out, err } = await aorta(folder, words(...given, '--json'));
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

/** Everything in the warehouse that a reader of the four events could change. */
const shown = async (): Promise<unknown> => ({
  workouts: await answer('query', 'select id, title, distance_m, provider, _version_time from workouts'),
  heartrate: await answer('query', 'select start_at, value from heartrate order by start_at'),
  connections: await answer('query', 'select provider, status from connections'),
  completions: await answer('query', 'select count(*) as n from historical_completions'),
  days: await answer('query', 'select local_date, workouts from person_days'),
  pulls: await answer('pulls'),
});

async function load(name: string, events: readonly object[]): Promise<Report> {
  writeFileSync(join(folder, name), `${events.map((one) => JSON.stringify(one)).join('\n')}\n`);
  return (await answer('load', name, '--received-at', '2026-03-29T00:00:00Z')) as Report;
}

beforeAll(() => {
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `sources: []
warehouse: { type: duckdb, path: ./warehouse.duckdb }
service: { base_url: "https://api.example.com/", key: planted-key }
historical_pulls: {}
`,
  );
});

test('events with other endings are kept whole as `unrouted`, and change neither tables nor views', async () => {
  expect(await load('good.ndjson', good)).toMatchObject({ received: 3, unrouted: 0 });
  const before = await shown();
  expect(before).toMatchObject({
    workouts: [{ id: 'w-1', title: 'Hill repeats', distance_m: 10_500, provider: 'oura' }],
    heartrate: [{ value: 60 }],
    connections: [{ provider: 'oura', status: 'connected' }],
  });
  const report = await load('other.ndjson', other);
  expect(report).toMatchObject({ received: 4, redelivered: 0, streams: {}, unrouted: 4, dead_letters: {} });
  expect(await shown()).toEqual(before);
  expect(
    await answer('query', "select event_type, stream from deliveries where stream = 'unrouted' order by source_offset"),
  ).toEqual(other.map(({ event_type }) => ({ event_type, stream: 'unrouted' })));
});
