import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { decodeRecord } from './decode-record.ts';
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
  FetchedPartition,
  LibraryConnection,
  RequestQueue,
  Runner,
} from './internals.ts';

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

/**
 * Ends fetch loops that the library starts after a consumer has stopped. If the set of brokers changes, the library ends the
 * loops of all brokers, waits until their running fetches return, and starts new loops. It starts them even if the consumer stops
 * during the wait. Such a loop fetches nothing and never yields to the event loop. The process then hangs at full CPU, and only
 * SIGKILL ends it. tulios/kafkajs#1384 describes the same kind of loop for a consumer that knows no broker.
 */
function endStoppedFetchers(): void {
  const { prototype } = require('kafkajs/src/consumer/runner') as { prototype: Runner };
  const { fetch } = prototype;
  prototype.fetch = function (this: Runner, nodeId) {
    // Does not wait, because the loop that makes this call must end first.
    if (!this.running) void this.fetchManager.stop();
    return fetch.call(this, nodeId);
  };
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

/** Key of the marker that ends an aborted transaction: version 0, type 0. */
const ABORT = Buffer.alloc(4);

/**
 * Marks records of aborted transactions as not deliverable. kafkajs expects aborted transactions in the order in which they
 * began, but brokers list them in the order in which they ended. If two aborted transactions overlap, kafkajs therefore delivers
 * records of one of them. It also mistakes a record whose key is four zero bytes for a marker.
 */
export function skipAborted(fetched: FetchedPartition): void {
  const waiting = (fetched.abortedTransactions ?? [])
    .map(({ producerId, firstOffset }) => ({ producerId, first: Number(firstOffset) }))
    .sort((one, other) => one.first - other.first);
  fetched.abortedTransactions = [];
  if (waiting.length === 0) return;
  const aborted = new Set<string>();
  let next = 0;
  for (const message of fetched.messages) {
    const offset = Number(message.offset);
    while (next < waiting.length && waiting[next]!.first <= offset) aborted.add(waiting[next++]!.producerId);
    const { producerId, inTransaction } = message.batchContext;
    if (message.isControlRecord) {
      if (isAbort(message)) aborted.delete(producerId);
    } else if (inTransaction && aborted.has(producerId)) {
      message.isControlRecord = true;
    }
  }
}

function isAbort({ key }: FetchedMessage): boolean {
  return key?.subarray(0, 4).equals(ABORT) === true;
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

type Header = readonly [name: string, value: Buffer | null];

/** A record to encode, as kafkajs passes it. Our producer passes headers as an ordered list. */
interface RecordToEncode {
  readonly offsetDelta: number;
  readonly timestampDelta: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly Header[] | object;
}

/** Encodes a record of a batch in format 2. Unlike the library, it keeps the order of headers and allows null values. */
function encodeRecord(Bytes: EncoderClass, record: RecordToEncode): Encoder {
  const { offsetDelta, timestampDelta, key, value } = record;
  const headers = record.headers as readonly Header[];
  let size = 1 + Bytes.sizeOfVarLong(timestampDelta) + Bytes.sizeOfVarInt(offsetDelta) + Bytes.sizeOfVarInt(headers.length);
  size += sizeOfBytes(Bytes, key) + sizeOfBytes(Bytes, value);
  for (const [name, content] of headers) {
    const nameBytes = Buffer.byteLength(name);
    size += Bytes.sizeOfVarInt(nameBytes) + nameBytes + sizeOfBytes(Bytes, content);
  }
  // Allocated at full size, because the library would grow and copy the buffer several times.
  const written = new Bytes(size + Bytes.sizeOfVarInt(size))
    .writeVarInt(size)
    .writeInt8(0)
    .writeVarLong(timestampDelta)
    .writeVarInt(offsetDelta)
    .writeVarIntBytes(key)
    .writeVarIntBytes(value)
    .writeVarInt(headers.length);
  for (const [name, content] of headers) written.writeVarIntString(name).writeVarIntBytes(content);
  return written;
}

function sizeOfBytes(Bytes: EncoderClass, bytes: Buffer | null): number {
  return bytes === null ? Bytes.sizeOfVarInt(-1) : Bytes.sizeOfVarInt(bytes.length) + bytes.length;
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
