import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { decodeRecord } from './decode-record.ts';
import { encodeRecord, type RecordToEncode } from './encode-record.ts';
import { protocolError } from './errors.ts';
import type {
  Authenticator,
  Broker,
  ConsumerGroup,
  DecodedRecordBatch,
  Encoder,
  EncoderClass,
  FetchedBatch,
  FetchedMessage,
  LibraryConnection,
  RequestQueue,
} from './internals.ts';
import { skipAborted } from './skip-aborted.ts';
import { endStoppedFetchers } from './stopped-fetchers.ts';

/** Hooks into a consumer's group, called before the library takes an irreversible step. */
export interface GroupHooks {
  /**
   * Called when the library joins or rejoins the group. Calling `join` performs the join. The library fetches only after the
   * returned promise resolves.
   */
  joining(group: ConsumerGroup, join: () => Promise<void>): Promise<void>;
  /** Called when the library fetches. Calling `fetch` performs the fetch. The returned batches are passed to `eachBatch`. */
  fetching(group: ConsumerGroup, fetch: () => Promise<FetchedBatch[]>): Promise<FetchedBatch[]>;
  /** Called when the broker reports an offset as out of range. */
  outOfRange(group: ConsumerGroup, at: { topic: string; partition: number }): Promise<void>;
}

const require = createRequire(import.meta.url);
const keepers = new WeakMap<object, GroupHooks>();

/** Attaches hooks to the group that uses this assigner. Other groups are not affected. */
export function keepGroup(assigner: object, keeper: GroupHooks): void {
  keepers.set(assigner, keeper);
}

/**
 * Applies workarounds for faults of kafkajs that no setting can avoid. They replace its methods in this process only, and work
 * even if other code loaded kafkajs before. A second call does nothing.
 */
export function applyWorkarounds(): void {
  if (isApplied) return;
  isApplied = true;
  avoidIdleTimers();
  ignoreDestroyedSockets();
  reportLostLogins();
  endStoppedFetchers();

  hookGroups();
  filterTransactions();
  dropCachedProtocol();
  decodeRecords();
  finishBatches();
  encodeHeaders();
}

let isApplied = false;

/**
 * Sets a timer only while requests are pending (every 10 ms) or throttled (until the throttling ends). Without this workaround,
 * an idle connection sets thousands of timers per second, each with a negative delay. These timers use 5 % of a CPU core, and
 * Node warns about them.
 */
function avoidIdleTimers(): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.throttleCheckTimeoutId !== null) return;
    const throttledMs = this.throttledUntil - Date.now();
    if (throttledMs <= 0 && this.pending.length === 0) return;
    const check = (): void => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    };
    this.throttleCheckTimeoutId = setTimeout(check, throttledMs > 0 ? throttledMs : 10);
  };
}

/**
 * Prevents a listener leak. Disconnecting from an unreachable broker calls `unref` on a destroyed socket repeatedly. Each call
 * waits for a connection that never comes, and after the tenth call, Node warns of a leak.
 */
function ignoreDestroyedSockets(): void {
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: LibraryConnection };
  const { disconnect } = prototype;
  prototype.disconnect = async function (this: LibraryConnection) {
    const { socket } = this;
    if (socket?.destroyed) socket.unref = () => socket;
    return disconnect.call(this);
  };
}

/**
 * Distinguishes lost connections from refused logins. kafkajs reports every failure during a login as a refusal, which would look
 * like a wrong password and prevent retries. Only a response from the broker is a refusal.
 */
function reportLostLogins(): void {
  const { prototype } = require('kafkajs/src/broker/saslAuthenticator') as { prototype: Authenticator };
  const { authenticate } = prototype;
  prototype.authenticate = async function (this: Authenticator) {
    const { connection } = this;
    let failure: unknown;
    const send: LibraryConnection['send'] = async (request) => {
      try {
        return await connection.send(request);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    this.connection = Object.create(connection, { send: { value: send } }) as LibraryConnection;
    try {
      await authenticate.call(this);
    } catch (error) {
      throw failure !== undefined && protocolError(failure) === undefined ? failure : error;
    }
  };
}

/**
 * Lets {@link GroupHooks} control joins, fetches and out-of-range offsets. Without hooks, kafkajs rejoins a group at once, so
 * the offsets of records that were already read could no longer be committed. It also silently jumps to a different offset if
 * the current one is out of range.
 */
function hookGroups(): void {
  const { prototype } = require('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
  const { joinAndSync, fetch, recoverFromOffsetOutOfRange } = prototype;
  const keeperOf = (group: ConsumerGroup): GroupHooks | undefined => keepers.get(group.assigners[0] ?? group);
  prototype.joinAndSync = function (this: ConsumerGroup) {
    const join = (): Promise<void> => joinAndSync.call(this);
    return keeperOf(this)?.joining(this, join) ?? join();
  };
  prototype.fetch = function (this: ConsumerGroup, nodeId) {
    const read = (): Promise<FetchedBatch[]> => fetch.call(this, nodeId);
    return keeperOf(this)?.fetching(this, read) ?? read();
  };
  prototype.recoverFromOffsetOutOfRange = function (this: ConsumerGroup, error) {
    return keeperOf(this)?.outOfRange(this, error) ?? recoverFromOffsetOutOfRange.call(this, error);
  };
}

/** Skips aborted transactions with {@link skipAborted}. */
function filterTransactions(): void {
  const { prototype } = require('kafkajs/src/broker') as { prototype: Broker };
  const { fetch } = prototype;
  prototype.fetch = async function (this: Broker, request) {
    const answer = await fetch.call(this, request);
    for (const { partitions } of answer.responses) partitions.forEach(skipAborted);
    return answer;
  };
}

/** Replaces the record decoder with {@link decodeRecord}. */
function decodeRecords(): void {
  replace('recordBatch/record/v0/decoder', () => decodeRecord);
}

/**
 * Makes a compacted batch end at its original last offset, by adding a control record that is never delivered. Without this
 * record, kafkajs steps through removed records offset by offset, or fetches an empty batch forever.
 */
function finishBatches(): void {
  type Decode = (decoder: object) => Promise<DecodedRecordBatch>;
  replace(
    'recordBatch/v0/decoder',
    (decode: Decode): Decode =>
      async (decoder) => {
        const batch = await decode(decoder);
        const last = String(Number(batch.firstOffset) + batch.lastOffsetDelta);
        if (batch.records.at(-1)?.offset !== last) batch.records.push(endOfBatch(batch, last));
        return batch;
      },
  );
}

function endOfBatch({ producerId, inTransaction }: DecodedRecordBatch, offset: string): FetchedMessage {
  const nothing = { key: null, value: null, headers: [], timestamp: '0' };
  return { ...nothing, offset, isControlRecord: true, batchContext: { producerId, inTransaction } };
}

/** Replaces the record encoder, because kafkajs cannot write headers with null values and reorders headers. */
function encodeHeaders(): void {
  type Encode = (record: RecordToEncode) => Encoder;
  const bytes = require('kafkajs/src/protocol/encoder') as EncoderClass;
  replace(
    'recordBatch/record/v0',
    (encode: Encode): Encode =>
      (record) => {
        return Array.isArray(record.headers) ? encodeRecord(bytes, record) : encode(record);
      },
  );
}

/** Replaces the export of a protocol module. */
function replace<T extends object>(module: string, by: (original: T) => T): void {
  const path = require.resolve(`kafkajs/src/protocol/${module}`);
  const original = require(path) as T;
  require.cache[path]!.exports = by(original);
}

/** Drops cached protocol modules that may have captured the original functions. kafkajs loads them again at the next request. */
function dropCachedProtocol(): void {
  const parts = ['requests/fetch/v', 'requests/produce/v', 'recordBatch/'];
  const inside = parts.map((part) => `/kafkajs/src/protocol/${part}`.replaceAll('/', sep));
  for (const path of Object.keys(require.cache)) {
    if (inside.some((part) => path.includes(part))) delete require.cache[path];
  }
}
