import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aorta } from './command.ts';

let folder: string;
let server: EventHubsServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-event-hubs-'));
  server = await startEventHubs({ hubs: [{ name: 'health', partitions: 2 }] });
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function configure(connection: string): void {
  const source = `{ type: event-hubs, connection: "${connection}", hubs: [Health], claim_s: 0.5 }`;
  writeFileSync(join(folder, 'aorta.yaml'), `sources: [${source}]\nwarehouse: { type: duckdb, path: w.duckdb }\n`);
}

async function publish(partition: string, ...ids: string[]): Promise<void> {
  const events = ids.map((id) => {
    const data = { id, calendar_date: '2026-03-30', steps: 8123, source: { provider: 'oura', type: 'ring' } };
    const body = JSON.stringify({ event_type: 'daily.data.activity.created', user_id: 'u-1', data });
    return {
      body: Buffer.from(body).toString('base64'),
      properties: { 'event-type': 'daily.data.activity.created', 'user-id': 'u-1', 'idempotency-key': `of-${id}` },
    };
  });
  await server.faults.append({ hub: 'health', partition, events });
}

const received = async () => JSON.parse((await aorta(folder, ['run', '--once', '--json'])).stdout);

test('a run loads events from a hub into the tables, and the next run loads only newer events', async () => {
  configure(server.connectionString);
  await publish('0', 'a', 'b');
  await publish('1', 'c');
  expect(await received()).toMatchObject({ received: 3, streams: { activity: 3 }, tables: { activity: 3, deliveries: 3 } });
  expect(await received()).toMatchObject({ received: 0, tables: { activity: 3 } });
  // Deletes the snapshot of the redelivery window, then publishes one event again and adds a new one.
  rmSync(join(folder, 'w.duckdb.streams', 'redelivery-window'), { recursive: true, force: true });
  await publish('1', 'c', 'd');
  expect(await received()).toMatchObject({ received: 2, redelivered: 1, tables: { activity: 4, deliveries: 5 } });
});

test('doctor and run report a wrong key without a retry, and without showing the key', async () => {
  const wrong = server.connectionString.replace(/SharedAccessKey=[^;]+/, 'SharedAccessKey=bm90LXRoZS1rZXk=');
  configure(wrong);
  const [doctor, run] = await Promise.all([aorta(folder, ['doctor']), aorta(folder, ['run', '--once'])]);
  // Each command sends one token. All retries together would take minutes.
  expect((await server.faults.state()).counts).toMatchObject({ connections: 2, tokens: 2 });
  expect([doctor.code, run.code]).toEqual([1, 1]);
  expect(doctor.stdout).toMatch(
    /✗ hub health +The Event Hubs namespace 127\.0\.0\.1:\d+ does not allow this source to listen to health\./,
  );
  expect(run.stderr).toContain('AORTA-HUB-REFUSED');
  for (const { stdout, stderr } of [doctor, run]) expect(stdout + stderr).not.toContain('bm90LXRoZS1rZXk');
  configure(server.connectionString);
  expect((await aorta(folder, ['doctor'])).stdout).toMatch(/✓ hub health +2 partitions with 0 events, group \$Default/);
});

test('a run exits with code 75 if the host is unreachable, so that a supervisor restarts it later', async () => {
  configure(server.connectionString.replace(/:\d+;/, ':1;'));
  const { code, stderr } = await aorta(folder, ['run', '--once']);
  expect(code).toBe(75);
  expect(stderr).toContain('AORTA-HUB-UNREACHABLE');
});
