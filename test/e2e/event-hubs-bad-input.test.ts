import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type EventHubsServer, type RawEvent, startEventHubs } from '@aorta/event-hubs-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { aorta, type Ended } from './command.ts';

/** Tests wrong configurations and malformed events through the command line. No output may contain the values below. */

const NAME = 'Ottilie Planted';
const USER = 'planted-user-4711';
const KEY = 'cGxhbnRlZC1rZXk=';

let server: EventHubsServer;
let folder: string;
const said: Ended[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-hubs-bad-'));
  server = await startEventHubs({ hubs: [{ name: 'health', partitions: 1, groups: ['mine'] }] });
});
afterEach(() => {
  for (const { stdout, stderr } of said.splice(0))
    for (const planted of [NAME, USER, KEY]) expect((stdout + stderr).includes(planted), planted).toBe(false);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function say(...words: string[]): Promise<Ended> {
  const ended = await aorta(folder, words);
  said.push(ended);
  return ended;
}

function configure(fields: string): void {
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `sources:\n  - { type: event-hubs, ${fields} }\nwarehouse: { type: duckdb, path: w.duckdb }\n`,
  );
}

const connection = (): string => `connection: "${server.connectionString}"`;
const badKey = (): string => server.connectionString.replace(/SharedAccessKey=[^;]+/, `SharedAccessKey=${KEY}`);

/** The last value is the number of connections. The run looks up the hub over one, and the consumer group over another. */
test.each([
  ['a wrong key', () => `connection: "${badKey()}", hubs: [health]`, 'AORTA-HUB-REFUSED', 1],
  ['a missing hub', () => `${connection()}, hubs: [helth]`, 'AORTA-HUB-MISSING', 1],
  ['a missing consumer group', () => `${connection()}, hubs: [health], consumer_group: aorta`, 'AORTA-HUB-GROUP-MISSING', 2],
])('%s ends the run without a retry, with exit code 1 and one error', async (_, fields, code, connections) => {
  configure(fields());
  const before = (await server.faults.state()).counts;
  const ended = await say('run', '--once');
  const after = (await server.faults.state()).counts;
  // A connection sends one token, and a retry sends another one. All retries together would take minutes.
  expect(after.connections - before.connections).toBe(connections);
  expect(after.tokens - before.tokens).toBe(connections);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 1, stdout: '' });
  expect(ended.stderr.match(/\[AORTA-[A-Z-]+\]/g)).toEqual([`[${code}]`]);
});

test('a configuration with a hub in both the connection string and the list is refused, and the error names the line', async () => {
  configure(`connection: "${server.connectionString};EntityPath=health", hubs: [health]`);
  const ended = await say('validate');
  expect(ended.code).toBe(2);
  expect(ended.stdout + ended.stderr).toMatch(
    /aorta\.yaml:2: sources\[0\]\.hubs: the connection string already names a hub \(EntityPath\)/,
  );
  expect((await say('run', '--once')).code).toBe(2);
});

const type = 'daily.data.activity.created';
const headers = { 'event-type': type, 'user-id': USER };

/** Returns the body of a summary that contains the values above. */
function summary(id: string | undefined, more: object = {}): Buffer {
  const source = { provider: 'oura', type: 'ring' };
  const data = { id, calendar_date: '2026-03-30', source, note: NAME, ...more };
  return Buffer.from(JSON.stringify({ event_type: type, user_id: USER, data }));
}

const raw = (body: Buffer, properties?: RawEvent['properties']): RawEvent => ({
  body: body.toString('base64'),
  properties,
});

/** The events in the hub. If an event must become a dead letter, the expected reason follows it. */
const events: readonly (readonly [event: RawEvent, reason?: string])[] = [
  [raw(summary('plain'), headers)],
  [raw(summary('no-properties'))],
  [raw(summary('letter-case'), { 'Event-Type': type, 'USER-ID': USER })],
  [raw(gzipSync(summary('marked')), { ...headers, 'content-encoding': 'gzip' })],
  [raw(gzipSync(summary('not-marked')), headers)],
  [raw(summary('marked-by-mistake'), { ...headers, 'content-encoding': 'gzip' }), 'not_gzip'],
  [raw(summary('other-types'), { ...headers, 'idempotency-key': 7, 'team-id': true, 'content-encoding': null })],
  [raw(summary('large', { padding: 'x'.repeat(1_040_000) }), headers)],
  [raw(summary(undefined), headers), 'no_id'],
  [raw(summary('other-user'), { ...headers, 'user-id': `${USER}-2` }), 'user_disagrees'],
  [raw(summary('other-event'), { ...headers, 'event-type': 'daily.data.sleep.created' }), 'event_type_disagrees'],
  [raw(Buffer.from(`{"${NAME}": `), headers), 'not_json'],
  [raw(Buffer.from([0x22, 0xff, 0x22])), 'not_utf8'],
  [raw(Buffer.alloc(0)), 'not_json'],
  [raw(Buffer.from('7'), { 'event-type': 7 }), 'not_an_event'],
];

test('every event becomes a row or a dead letter, and the run reports how many of each', async () => {
  configure(`${connection()}, hubs: [health]`);
  await server.faults.append({ hub: 'health', partition: '0', events: events.map(([event]) => event) });
  const dead = Map.groupBy(
    events.flatMap(([, reason]) => reason ?? []),
    (reason) => reason,
  );
  const run = await say('run', '--once', '--strict', '--json');
  expect({ code: run.code, report: JSON.parse(run.stdout) }).toMatchObject({
    code: 3,
    report: {
      received: events.length,
      redelivered: 0,
      unrouted: 0,
      streams: { activity: events.length - [...dead.values()].flat().length },
      dead_letters: Object.fromEntries([...dead].map(([reason, all]) => [reason, all.length])),
      tables: { deliveries: events.length },
    },
  });
  const rows = await say('query', 'select id from activity order by _offset', '--csv', '--warehouse', 'duckdb:w.duckdb');
  expect(rows.stdout.trim().split(/\s+/).slice(1)).toEqual([
    'plain',
    'no-properties',
    'letter-case',
    'marked',
    'not-marked',
    'other-types',
    'large',
  ]);
  // A dead letter is identified by its hub, partition and sequence number.
  const list = await say('dlq', 'list');
  const positions = [...list.stdout.matchAll(/event-hubs\/health\/0\/(\d+) +(\w+)/g)].map(([, at, reason]) => [
    Number(at),
    reason,
  ]);
  expect(positions.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(
    events.flatMap(([, reason], at) => (reason === undefined ? [] : [[at, reason]])),
  );
  const last = events.length - 1;
  const shown = await aorta(folder, ['dlq', 'show', `event-hubs/health/0/${last}`, '--body']);
  expect(shown).toEqual({ code: 0, stdout: Buffer.from(events[last]![0].body!, 'base64').toString(), stderr: '' });
  await say('status');
  await say('streams');
  await say('doctor');
  expect(said).toHaveLength(6);
});
