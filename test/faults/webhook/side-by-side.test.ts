import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventHubs } from '@aorta/event-hubs-server';
import { randomOf } from '@aorta/people';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { end, Receiver } from './receiver.ts';
import { attempt, messages, type SentMessage, stepsOfHour } from './service.ts';

/** Everything the views show and the content of the tables, without where and when an event arrived. */
const compared = [
  'select * exclude (_received_at, _version_time, _origin, _offset, _loaded_at) from activity order by id',
  'select * exclude (_received_at, _origin, _offset, _loaded_at) from timeseries order by user_id, start_at',
  // The status follows the last event received, which depends on the interleaving.
  'select user_id, provider, errors from connections order by all',
  'select event_type, sum(deliveries) as deliveries, sum(samples) as samples, sum(body_bytes) as bytes from event_volume group by all order by all',
  'select event_type, provider, deliveries, users from freshness order by all',
  'select user_id, provider, resource, sent, received, missing from completeness order by all',
];

/** Sends messages to a webhook and to a hub, and returns what the tables and views contain afterwards. */
async function tablesAfter(
  sent: readonly SentMessage[],
  steps: readonly { readonly to: 'webhook' | 'hub'; readonly message: SentMessage }[],
): Promise<{ readonly rows: unknown[]; readonly copies: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
  const server = await startEventHubs({ hubs: [{ name: 'health', partitions: 2 }] });
  try {
    const hub = `{ type: event-hubs, connection: "${server.connectionString}", hubs: [health], claim_s: 0.5 }`;
    const receiver = await Receiver.create(folder, [hub]);
    const child = await receiver.start();
    for (const { to, message } of steps) {
      if (to === 'webhook') expect(await attempt(message, receiver.service)).toBe(204);
      else await server.faults.append({ hub: 'health', partition: partitionOf(message), events: [hubEvent(message)] });
    }
    await end(child, 'SIGTERM');
    expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });

    const database = await DuckDBInstance.create(join(folder, 'health.duckdb'));
    const connection = await database.connect();
    try {
      // The service would report these numbers of sent objects.
      for (const [key, objects] of Map.groupBy(sent.flatMap(createdObjects), ({ user, resource }) => `${user}|${resource}`))
        await connection.run(
          `insert into sent_resources by name (select '${key.split('|')[0]}' as user_id, 'oura' as provider, '${key.split('|')[1]}' as resource,
            ${objects.length} as sent_count, '' as event_type, '' as team_id, now() as _received_at, 0 as _origin, 0 as _offset, 1 as _reader, now() as _loaded_at)`,
        );
      const rows: unknown[] = [];
      for (const sql of compared) rows.push((await connection.runAndReadAll(sql)).getRowObjectsJson());
      const [[copies]] = (await connection.runAndReadAll('select count(*) from delivery_copies')).getRows() as [[bigint]];
      return { rows, copies: Number(copies) };
    } finally {
      connection.disconnectSync();
      database.closeSync();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Event {
  readonly event_type: string;
  readonly user_id: string;
  readonly data: object;
}

const eventOf = ({ body }: SentMessage): Event => JSON.parse(body) as Event;
const partitionOf = (message: SentMessage): string => String(Number(eventOf(message).user_id.at(-1)) % 2);

/** Returns the event as the service appends it to a hub: the same bytes, and an id of its own. */
function hubEvent(message: SentMessage) {
  const { event_type, user_id } = eventOf(message);
  return {
    body: Buffer.from(message.body).toString('base64'),
    properties: { 'event-type': event_type, 'user-id': user_id, 'idempotency-key': `hub-${message.id}` },
  };
}

function createdObjects(message: SentMessage): { readonly user: string; readonly resource: string }[] {
  const { event_type: type, user_id: user } = eventOf(message);
  const resource = type === 'provider.connection.created' ? 'connection' : /^daily\.data\.(\w+)\.created$/.exec(type)?.[1];
  return resource === undefined ? [] : [{ user, resource }];
}

/** The messages of some users, a timeseries, a connection that breaks, and one that is made again with the same content. */
function history(seed: number): SentMessage[] {
  const some = messages(seed, 60);
  const again = some[10]!;
  const { user_id } = eventOf(again);
  const broken = { user_id, provider: 'oura', error_type: 'token_refresh_failed', error_details: 'd', message: 'm' };
  const withEnd = (end: string): string => again.id.replace(/.$/, again.id.endsWith(end) ? 'z' : end);
  return [
    ...some,
    ...Array.from({ length: 10 }, (_, hour) => stepsOfHour({ hour, value: 100 + hour, secondsAgo: 3600, provider: 'oura' })),
    { id: withEnd('a'), body: again.body },
    { id: withEnd('b'), body: JSON.stringify({ ...eventOf(again), event_type: 'provider.connection.error', data: broken }) },
  ];
}

test.each([1, 2, 3])(
  'webhook and hub side by side give the tables of one of them, in any interleaving (seed %i)',
  async (seed) => {
    const sent = history(seed);
    const random = randomOf(seed);
    const alone = await tablesAfter(
      sent,
      sent.map((message) => ({ to: 'hub' as const, message })),
    );
    expect(alone.copies).toBe(0);
    expect(JSON.stringify(alone.rows.at(-1))).not.toMatch(/"missing":"[1-9]/);

    // Each source delivers in its own order, and a third of the messages gets lost on the way to the webhook.
    const hub = shuffled(sent, random).map((message) => ({ to: 'hub' as const, message }));
    const webhook = shuffled(sent, random)
      .filter(() => random.between(0, 3) >= 1)
      .map((message) => ({ to: 'webhook' as const, message }));
    const both = await tablesAfter(sent, shuffled([...hub, ...webhook], random));
    expect(both.rows).toEqual(alone.rows);
    expect(both.copies).toBe(webhook.length);
  },
);

test('an event that neither of two sources delivers stays a gap', async () => {
  const sent = history(4);
  const lost = new Set([sent[1], sent[70]]);
  const arrived = sent.filter((message) => !lost.has(message));
  const steps = arrived.flatMap((message) => [
    { to: 'hub' as const, message },
    { to: 'webhook' as const, message },
  ]);
  const { rows } = await tablesAfter(sent, steps);
  const gaps = (rows.at(-1) as { readonly missing: string }[]).filter(({ missing }) => missing !== '0');
  expect(gaps.map(({ missing }) => missing)).toEqual(['1', '1']);
});

function shuffled<T>(list: readonly T[], random: ReturnType<typeof randomOf>): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.whole(0, left.length - 1), 1)[0]!);
}
