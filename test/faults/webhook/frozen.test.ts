import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { messageId } from '@aorta/service/message-id';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { end, Receiver } from './receiver.ts';
import { attempt, messages, type SentMessage, stepsOfHour } from './service.ts';

/**
 * Freezes a receiver after it has stored a message, for longer than its session. The sender gets no answer and repeats the
 * message, so another receiver stores it a second time.
 */

const problem = await whyNoBroker();

/** Tables with one row per delivery, and tables and views that count deliveries. */
const compared = [
  'select * exclude (_loaded_at) from connection_events order by _received_at, user_id',
  'select * exclude (_loaded_at) from historical_completions order by _received_at',
  'select * exclude (_loaded_at) from raw_events order by _received_at',
  'select * exclude (_loaded_at) from continuous_query_results order by _received_at',
  'select * exclude (_loaded_at) from delivery_failures order by _received_at',
  'select * exclude (_loaded_at, arrived_at, _day) from deliveries order by received_at, delivery_id',
  'select * exclude (_loaded_at, _origin, _offset) from activity order by id',
  'select * exclude (_loaded_at, _origin, _offset) from timeseries order by start_at',
  'select * from event_volume order by all',
  'select event_type, provider, deliveries, users from freshness order by all',
  'select * from connections order by all',
];

describe.skipIf(problem !== undefined)('a receiver that freezes before the sender has its answer', () => {
  const root = mkdtempSync(join(tmpdir(), 'aorta-frozen-'));
  let broker: ProvidedBroker;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    broker = await provideBroker();
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await broker?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** Delivers messages to two receivers in turn. If `freezes`, the first one freezes after each of its messages, and the second one gets the message again. */
  async function tablesAfter(sent: readonly SentMessage[], freezes: boolean): Promise<unknown[]> {
    const more = [
      `streams: { type: kafka, brokers: ['${broker.brokers}'], prefix: '${randomUUID()}.', partitions: 2 }`,
      'redelivery_window: { offsets: 0 }',
    ].join('\n');
    const folders = ['first', 'second'].map((name) => join(mkdtempSync(join(root, 'run-')), name));
    for (const folder of folders) mkdirSync(folder);
    const [first, second] = (await Promise.all(folders.map((folder) => Receiver.create(folder, [], more)))) as [
      Receiver,
      Receiver,
    ];
    expect(await aorta(folders[0]!, ['apply'])).toMatchObject({ code: 0 });
    const [one, other] = (await Promise.all([first, second].map((receiver) => receiver.start()))) as [ChildProcess, ChildProcess];
    running.push(one, other);
    for (const message of sent) {
      expect(await attempt(message, first.service)).toBe(204);
      if (!freezes) continue;
      one.kill('SIGSTOP');
      expect(await attempt(message, second.service)).toBe(204);
      if (message !== sent.at(-1)) one.kill('SIGCONT');
    }
    // The other receiver takes over all partitions after the session of the frozen one.
    await end(other, 'SIGTERM');
    expect(await aorta(folders[1]!, ['run', '--once'])).toMatchObject({ code: 0 });
    one.kill('SIGCONT');
    await end(one, 'SIGTERM');
    expect(await aorta(folders[1]!, ['run', '--once'])).toMatchObject({ code: 0 });
    const tables: unknown[] = [];
    for (const sql of compared) tables.push(JSON.parse((await aorta(folders[1]!, ['query', '--json', sql])).stdout));
    return tables;
  }

  test('every message is in the tables once, even with the redelivery window switched off', async () => {
    const sent = [...messages(1, 12), stepsOfHour({ hour: 1, value: 10, secondsAgo: 60 }), ...others()];
    const [frozen, calm] = [await tablesAfter(sent, true), await tablesAfter(sent, false)];
    for (const [index, rows] of calm.entries()) expect([compared[index], frozen[index]]).toEqual([compared[index], rows]);
    expect(calm.slice(0, 5).map((rows) => (rows as unknown[]).length)).toEqual([2, 1, 1, 1, 1]);
    expect((calm[5] as unknown[]).length).toBe(sent.length);
  });
});

/** Returns one message for each other table with one row per delivery. */
function others(): SentMessage[] {
  const user_id = '00000000-0000-4000-8000-000000000001';
  const events: readonly (readonly [type: string, data: object])[] = [
    [
      'historical.data.sleep.created',
      { user_id, provider: 'oura', start_date: '2025-12-01', end_date: '2026-01-10', is_final: true },
    ],
    ['raw.oura.sleep.created', { id: 'x', provider: 'oura' }],
    ['continuous_query.result_table.changed', [{ query_id: 'q', user_id }]],
    ['message.attempt.exhausted', { msgId: 'msg_1', endpointId: 'ep_1' }],
  ];
  return events.map(([event_type, data], index) => ({
    id: messageId(Date.now() - (index + 1) * 1000, event_type),
    body: JSON.stringify({ event_type, user_id, data }),
  }));
}
