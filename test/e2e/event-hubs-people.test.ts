import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { type EventHubsServer, type HubRouting, publishDeliveries, startEventHubs } from '@aorta/event-hubs-server';
import { type Delivery, deliveries } from '@aorta/people';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientsOf, receive } from '../conformance/event-hubs/clients.ts';
import type { AnyDelivery } from '../model/delivery.ts';
import { modelTables, type Tables } from '../model/model.ts';
import { ordered, printedTables } from '../model/printed.ts';
import { aorta } from './command.ts';

/**
 * The matchers route the created and updated events of a summary to different hubs. The tables must equal the model's
 * tables for the same events, no matter in which order the hubs are read.
 */

const routing: HubRouting = {
  default_event_hub: 'samples',
  event_hub_matchers: [
    { event_type_regex: '\\.updated$', event_hub: 'updated' },
    { event_type_prefix: 'daily.data.activity.', event_hub: 'summaries' },
  ],
};
const hubs = ['summaries', 'updated', 'samples'];

/** The model covers only these resources. It supports neither microseconds nor sample members that only some providers send. */
const known = /^daily\.data\.(activity|heartrate|steps|glucose)\./;
const leftOut = (name: string, value: unknown): boolean =>
  ['app_id', 'device_id', 'source_id'].includes(name) || (name === 'provider' && typeof value === 'object');
const simple = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) => (leftOut(name, value) ? undefined : value)).replace(
      /(T\d\d:\d\d:\d\d\.\d{3})\d{3}/g,
      '$1',
    ),
  );
const all: readonly Delivery[] = deliveries({ seed: 11, people: 4, days: 3 })
  .filter(({ headers }) => known.test(headers['event-type']!))
  .map((delivery) => ({ ...delivery, body: simple(delivery.body) }))
  .toArray();
const half = Math.floor(all.length / 2);

let server: EventHubsServer;
let root: string;
const folderOf = (name: string): string => join(root, name);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'aorta-hubs-people-'));
  server = await startEventHubs({ hubs: hubs.map((name) => ({ name, partitions: 2 })) });
});
afterAll(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

async function publish(some: readonly Delivery[]): Promise<void> {
  const { events } = await publishDeliveries({ connectionString: server.connectionString, routing, deliveries: some });
  expect(events).toBe(some.length);
}

/** Runs `aorta run --once`, which loads the events of these hubs into the warehouse `name`. */
async function run(name: string, of: readonly string[]): Promise<{ received: number; dead_letters: object }> {
  const source = `{ type: event-hubs, connection: "${server.connectionString}", hubs: [${of.join(', ')}] }`;
  const file = `${name}.yaml`;
  writeFileSync(folderOf(file), `sources: [${source}]\nwarehouse: { type: duckdb, path: ${name}.duckdb }\n`);
  const { code, stdout, stderr } = await aorta(root, ['run', '--once', '--json', '--config', file]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Returns the deliveries that the official client reads from the hubs. */
async function held(): Promise<AnyDelivery[]> {
  const found: AnyDelivery[] = [];
  for (const { name, partitions } of (await server.faults.state()).hubs) {
    await using clients = clientsOf(server, name);
    for (const { id, last } of partitions) {
      if (last < 0) continue;
      for (const event of await receive(clients.consumer(), id, last + 1, { skipParsingBodyAsJson: true })) {
        const { 'content-encoding': encoding, ...headers } = event.properties as Record<string, string>;
        const body = encoding === 'gzip' ? gunzipSync(event.body as Buffer) : (event.body as Buffer);
        found.push({
          source: 'event-hubs',
          partition: `${name}/${id}`,
          offset: event.sequenceNumber,
          receivedAt: event.enqueuedTimeUtc.getTime(),
          headers,
          body: JSON.parse(body.toString('utf8')),
        });
      }
    }
  }
  return found;
}

async function tablesOf(name: string): Promise<Tables> {
  const reader = await openDuckDbReader({ path: folderOf(`${name}.duckdb`) });
  try {
    return ordered(await printedTables(reader));
  } finally {
    await reader.close();
  }
}

/** Compares row by row, because a diff of ten thousand rows is unreadable. */
function same(actual: Tables, expected: Tables): void {
  for (const [name, rows] of Object.entries(expected)) {
    expect(actual[name], name).toHaveLength(rows.length);
    const at = rows.findIndex((row, index) => !isDeepStrictEqual(row, actual[name]![index]));
    expect({ name, row: actual[name]![at] }).toEqual({ name, row: rows[at] });
  }
}

test('after several runs, the tables equal the model’s tables, no matter in which order the runs read the hubs', async () => {
  await publish(all.slice(0, half));
  expect(await run('together', hubs)).toMatchObject({ received: half, dead_letters: {} });
  await publish(all.slice(half));
  // A new process resumes from the checkpoints.
  expect((await run('together', hubs)).received).toBe(all.length - half);
  expect((await run('together', hubs)).received).toBe(0);

  const expected = ordered(modelTables(await held(), { window: 20_000 }));
  expect(expected.deliveries).toHaveLength(all.length);
  const summaries = Map.groupBy(
    all.filter(({ headers }) => headers['event-type']!.startsWith('daily.data.activity.')),
    ({ body }) => (body as { data: { id: string } }).data.id,
  );
  const spread = [...summaries.values()].filter(
    (versions) => new Set(versions.map(({ headers }) => headers['event-type'])).size > 1,
  );
  expect(spread.length, 'summaries from two hubs').toBeGreaterThan(5);
  same(await tablesOf('together'), expected);

  // Reads the updated events before the created ones.
  await run('apart', ['updated']);
  await run('apart', ['samples', 'updated']);
  await run('apart', hubs);
  same(await tablesOf('apart'), expected);
});
