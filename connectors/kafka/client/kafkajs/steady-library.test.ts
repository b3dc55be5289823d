import { createRequire } from 'node:module';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { clockChanges } from '../../../../infra/machine/system-clock.fixture.ts';
import type { BrokerPool, ConsumerGroup, RequestQueue } from './internals.ts';
import { library } from './workarounds.ts';

const require = createRequire(import.meta.url);
const START = Date.UTC(2026, 4, 6, 12);

beforeAll(() => void library());
beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

describe.each(clockChanges)('after the system clock is %s', (_, jump) => {
  const setClock = (): void => void vi.setSystemTime(vi.getMockedSystemTime()!.getTime() + jump);

  test('the library sends heartbeats at the same interval', async () => {
    const Group = require('kafkajs/src/consumer/consumerGroup') as new (options: object) => ConsumerGroup;
    const sent: number[] = [];
    const logger = { namespace: () => logger };
    const group = new Group({ logger, topics: [], instrumentationEmitter: { emit: () => {} } });
    let second = 0;
    const coordinator = { heartbeat: async () => void sent.push(second) };
    Object.assign(group, { memberId: 'm', groupId: 'g', generationId: 1, coordinator });
    for (; second < 12; second++) {
      if (second === 5) setClock();
      await group.heartbeat({ interval: 3000 });
      vi.advanceTimersByTime(1000);
    }
    expect(sent).toEqual([0, 3, 6, 9]);
  });

  function queue(): RequestQueue & { push(request: object): void; fulfillRequest(answer: object): void } {
    const Queue = require('kafkajs/src/network/requestQueue') as new (options: object) => ReturnType<typeof queue>;
    const logger = { debug: () => {}, warn: () => {} };
    return new Queue({ maxInFlightRequests: null, requestTimeout: 30_000, enforceRequestTimeout: true, logger });
  }

  test('a request without an answer ends after its timeout, and not earlier', () => {
    const requests = queue();
    const failed: string[] = [];
    const entry = { correlationId: 1, resolve: () => {}, reject: (error: Error) => failed.push(error.name) };
    requests.scheduleRequestTimeoutCheck();
    requests.push({ entry, expectResponse: true, sendRequest: () => {} });
    vi.advanceTimersByTime(20_000);
    setClock();
    vi.advanceTimersByTime(9_900);
    expect(failed).toEqual([]);
    vi.advanceTimersByTime(300);
    expect(failed).toEqual(['KafkaJSRequestTimeoutError']);
    requests.destroy();
  });

  test('a throttled request is sent when the throttling ends', () => {
    const requests = queue();
    const sent: number[] = [];
    requests.maybeThrottle(200);
    requests.push({ entry: { correlationId: 1 }, expectResponse: true, sendRequest: () => void sent.push(1) });
    setClock();
    vi.advanceTimersByTime(150);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([1]);
  });

  test('an answer without a time of throttling delays no request', () => {
    const requests = queue();
    const sent: number[] = [];
    for (const none of [undefined, null, 0]) requests.maybeThrottle(none);
    requests.push({ entry: { correlationId: 1 }, expectResponse: true, sendRequest: () => void sent.push(1) });
    expect(sent).toEqual([1]);
  });

  test('metadata is read again when it is old, and not earlier', async () => {
    const Pool = require('kafkajs/src/cluster/brokerPool') as new (options: object) => BrokerPool;
    const logger = { namespace: () => logger };
    const connectionPoolBuilder = { build: async () => ({ host: 'b', port: 1 }) };
    const pool = new Pool({ connectionPoolBuilder, logger, metadataMaxAge: 60_000 });
    let reads = 0;
    const metadata = async () => {
      reads += 1;
      return { brokers: [], topicMetadata: [{ topic: 't' }] };
    };
    Object.assign(pool, { findConnectedBroker: async () => ({ metadata }), seedBroker: { connectionPool: {} } });
    const after = async (milliseconds: number): Promise<number> => {
      vi.advanceTimersByTime(milliseconds);
      await pool.refreshMetadataIfNecessary(['t']);
      return reads;
    };
    expect(await after(0)).toBe(1);
    expect(await after(30_000)).toBe(1);
    setClock();
    expect(await after(29_000)).toBe(1);
    expect(await after(2_000)).toBe(2);
    expect(await after(1_000)).toBe(2);
  });
});
