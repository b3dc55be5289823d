import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { beforeAll, expect, test, vi } from 'vitest';
import type { LibraryConnection, RequestQueue } from './internals.ts';
import { library } from './workarounds.ts';

const require = createRequire(import.meta.url);

beforeAll(() => void library());

test('the installed version of kafkajs is the one that the workarounds are written for', () => {
  expect((require('kafkajs/package.json') as { version: string }).version).toBe('2.2.4');
});

test('every method that the workarounds use exists', () => {
  const of = (path: string): object => (require(`kafkajs/src/${path}`) as { prototype: object }).prototype;
  const methods: Record<string, readonly string[]> = {
    'network/requestQueue': [
      'scheduleCheckPendingRequests',
      'checkPendingRequests',
      'sendSocketRequest',
      'canSendSocketRequestImmediately',
      'maybeThrottle',
      'scheduleRequestTimeoutCheck',
      'destroy',
    ],
    'cluster/brokerPool': ['refreshMetadata', 'refreshMetadataIfNecessary'],
    'network/connection': ['disconnect', 'send'],
    'broker/saslAuthenticator': ['authenticate'],
    'consumer/consumerGroup': [
      'joinAndSync',
      'fetch',
      'recoverFromOffsetOutOfRange',
      'resolveOffset',
      'heartbeat',
      'leave',
      'assigned',
    ],
    'consumer/runner': ['start', 'stop', 'fetch'],
    'consumer/offsetManager': ['getCoordinator', 'seek', 'commitOffsets'],
    broker: ['fetch', 'heartbeat', 'leaveGroup', 'offsetFetch', 'offsetCommit', 'listOffsets', 'initProducerId', 'disconnect'],
    'network/connectionPool': ['send'],
    cluster: [
      'findBroker',
      'refreshMetadata',
      'findLeaderForPartitions',
      'findGroupCoordinator',
      'markOffsetAsCommitted',
      'addMultipleTargetTopics',
    ],
  };
  for (const [path, names] of Object.entries(methods)) {
    for (const name of names) expect(of(path), `${path}: ${name}`).toHaveProperty(name, expect.any(Function));
  }
});

function queueOf(maxInFlightRequests: number | null): RequestQueue & {
  push(request: object): void;
  maybeThrottle(milliseconds: number): void;
  fulfillRequest(answer: object): void;
} {
  const Queue = require('kafkajs/src/network/requestQueue') as new (options: object) => ReturnType<typeof queueOf>;
  const logger = { debug: () => {}, warn: () => {} };
  return new Queue({
    maxInFlightRequests,
    requestTimeout: 60_000,
    enforceRequestTimeout: false,
    clientId: 'c',
    broker: 'b',
    logger,
  });
}

function request(correlationId: number, sent: number[]): object {
  const entry = { correlationId, apiKey: 1, apiVersion: 1, apiName: 'x', resolve: () => {}, reject: () => {} };
  return { entry, expectResponse: true, sendRequest: () => void sent.push(correlationId) };
}

test('disconnecting a destroyed socket leaves no listener on it', async () => {
  const socket = new Socket();
  socket.destroy();
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: LibraryConnection };
  const requestQueue = { waitForPendingRequests: async () => {}, destroy: () => {} };
  const connection = { socket, requestQueue, logDebug: () => {} };
  for (let time = 0; time < 3; time++) await prototype.disconnect.call(connection as unknown as LibraryConnection);
  expect(socket.listenerCount('connect')).toBe(0);
});

test('a connection without pending requests sets no timer', () => {
  vi.useFakeTimers();
  try {
    const queue = queueOf(null);
    const sent: number[] = [];
    queue.push(request(1, sent));
    queue.fulfillRequest({ correlationId: 1, payload: {}, size: 0 });
    queue.checkPendingRequests();
    expect(sent).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a throttled request is sent when the throttling ends, and queued requests are checked every 10 ms', () => {
  vi.useFakeTimers();
  try {
    const throttled = queueOf(null);
    const sent: number[] = [];
    throttled.maybeThrottle(200);
    throttled.push(request(1, sent));
    vi.advanceTimersByTime(150);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);

    const busy = queueOf(1);
    busy.push(request(2, sent));
    busy.push(request(3, sent));
    vi.advanceTimersByTime(10);
    expect(vi.getTimerCount()).toBe(1);
    busy.fulfillRequest({ correlationId: 2, payload: {}, size: 0 });
    expect(sent).toEqual([1, 2, 3]);
    vi.advanceTimersByTime(20);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

interface Encoded {
  readonly buffer: Buffer;
}

/** Position of the attributes in a batch. */
const ATTRIBUTES_AT = 22;
/** The attribute which means that the broker set the timestamps. */
const LOG_APPEND_TIME = 8;

/** Encodes a batch with the library and decodes it again. */
async function throughLibrary(
  records: readonly object[],
  more: object = {},
  attributes = 0,
): Promise<{ records: Record<string, unknown>[] }> {
  const encode = require('kafkajs/src/protocol/recordBatch/record/v0') as (record: object) => Encoded;
  const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0') as { RecordBatch(batch: object): Promise<Encoded> };
  const decode = require('kafkajs/src/protocol/recordBatch/v0/decoder') as (
    decoder: object,
  ) => Promise<{ records: Record<string, unknown>[] }>;
  const Decoder = require('kafkajs/src/protocol/decoder') as new (buffer: Buffer) => object;
  const encoded = records.map((record, offsetDelta) => encode({ key: null, timestampDelta: 0, offsetDelta, ...record }));
  const batch = await RecordBatch({ records: encoded, lastOffsetDelta: records.length - 1, ...more });
  const { buffer } = batch;
  buffer[ATTRIBUTES_AT]! |= attributes;
  return await decode(new Decoder(buffer));
}

test('headers keep their order, repeated names and null values', async () => {
  const headers = [
    ['b', Buffer.from('1')],
    ['7', null],
    ['toString', Buffer.alloc(0)],
    ['b', Buffer.from('2')],
  ] as const;
  const { records } = await throughLibrary([{ value: Buffer.from('x'), headers }]);
  expect(records[0]!.headers).toEqual(headers);
});

test('a decoded record equals the record that was encoded', async () => {
  const written = [
    { key: Buffer.from('k'), value: Buffer.alloc(20_000, 7), headers: [], timestampDelta: 0 },
    { key: null, value: null, headers: [['é', Buffer.from('v')]], timestampDelta: -90_000_000_000 },
    { key: Buffer.alloc(0), value: Buffer.from('x'), headers: [], timestampDelta: 2 ** 42 },
  ];
  const context = { firstOffset: '4503599627370495', firstTimestamp: '1700000000000', maxTimestamp: '1700000000000' };
  const { records } = await throughLibrary(written, context);
  expect(records.map(({ key, value, headers, offset, timestamp }) => ({ key, value, headers, offset, timestamp }))).toEqual(
    written.map(({ timestampDelta, ...record }, at) => ({
      ...record,
      offset: String(4503599627370495 + at),
      timestamp: String(1_700_000_000_000 + timestampDelta),
    })),
  );
  // With this attribute, one timestamp set by the broker applies to the whole batch.
  const stamped = await throughLibrary(written, context, LOG_APPEND_TIME);
  expect(stamped.records.map(({ timestamp }) => timestamp)).toEqual(written.map(() => '1700000000000'));
});

test('an offset above 2^53 does not decode to a safe integer', async () => {
  const { records } = await throughLibrary([{ value: null, headers: [] }], { firstOffset: '9223372036854775807' });
  expect(Number.isSafeInteger(Number(records[0]!.offset))).toBe(false);
});

test('a compacted batch still ends at its original last offset', async () => {
  const whole = await throughLibrary([{ value: Buffer.from('x'), headers: [] }]);
  expect(whole.records.map(({ offset }) => offset)).toEqual(['0']);
  const splitCall = await throughLibrary([{ value: Buffer.from('x'), headers: [] }], { lastOffsetDelta: 9 });
  expect(splitCall.records.map(({ offset, isControlRecord }) => [offset, isControlRecord])).toEqual([
    ['0', false],
    ['9', true],
  ]);
  const empty = await throughLibrary([], { lastOffsetDelta: 4 });
  expect(empty.records.map(({ offset, isControlRecord }) => [offset, isControlRecord])).toEqual([['4', true]]);
});
