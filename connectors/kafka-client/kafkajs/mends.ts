import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { decodeRecord } from './decode-record.ts';
import { encodeRecord, type RecordToEncode } from './encode-record.ts';
import { protocolError } from './errors.ts';
import type {
  Authenticator,
  Broker,
  Connection,
  ConsumerGroup,
  DecodedRecordBatch,
  Encoder,
  EncoderClass,
  FetchedBatch,
  FetchedMessage,
  RequestQueue,
} from './internals.ts';
import { skipAborted } from './skip-aborted.ts';

/** Who stands around the group of a consumer of ours: asked before the library does what cannot be taken back. */
export interface GroupKeeper {
  /** The group is joined, for the first time or again, by `join`; nothing is fetched before this resolves. */
  joining(group: ConsumerGroup, join: () => Promise<void>): Promise<void>;
  /** Records are fetched by `fetch`; what is given back goes on to `eachBatch`. */
  fetching(group: ConsumerGroup, fetch: () => Promise<FetchedBatch[]>): Promise<FetchedBatch[]>;
  /** The broker does not have the offset that was asked for. */
  outOfRange(group: ConsumerGroup, at: { topic: string; partition: number }): Promise<void>;
}

const require = createRequire(import.meta.url);
const keepers = new WeakMap<object, GroupKeeper>();

/** The group whose assigner this is gets a keeper. Groups of other users of the library have none, and work as ever. */
export function keepGroup(assigner: object, keeper: GroupKeeper): void {
  keepers.set(assigner, keeper);
}

/**
 * Mends faults of kafkajs for which it has no setting, at its own methods, in this process only. A second call does nothing. Each
 * works whether or not somebody else here loaded kafkajs before.
 */
export function mendLibrary(): void {
  if (mended) return;
  mended = true;
  restTimers();
  letSocketsEnd();
  tellLostLogins();

  keepGroups();
  filterTransactions();
  forgetProtocol();
  decodeRecords();
  finishBatches();
  encodeHeaders();
}

let mended = false;

/**
 * Without throttling, every connection arms a timer of about minus a million years whenever one has ended: thousands a
 * second, a twentieth of a core, and a warning of Node. Nothing has to be looked at where nothing is pending. What is
 * pending is looked at every 10 ms, or when the broker's throttling ends, as before.
 */
function restTimers(): void {
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
 * Disconnecting from a broker that is away lets a socket that has ended go, again and again; each time it would wait for
 * a connection that never comes, and after the tenth Node warns of a leak.
 */
function letSocketsEnd(): void {
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: Connection };
  const { disconnect } = prototype;
  prototype.disconnect = async function (this: Connection) {
    const { socket } = this;
    if (socket?.destroyed) socket.unref = () => socket;
    return disconnect.call(this);
  };
}

/**
 * kafkajs takes whatever goes wrong during a login for a refusal, a connection that is lost just then included: it would
 * be told as a wrong password, and not be tried again. Only what the broker has answered is one.
 */
function tellLostLogins(): void {
  const { prototype } = require('kafkajs/src/broker/saslAuthenticator') as { prototype: Authenticator };
  const { authenticate } = prototype;
  prototype.authenticate = async function (this: Authenticator) {
    const { connection } = this;
    let failure: unknown;
    const send: Connection['send'] = async (request) => {
      try {
        return await connection.send(request);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    this.connection = Object.create(connection, { send: { value: send } }) as Connection;
    try {
      await authenticate.call(this);
    } catch (error) {
      throw failure !== undefined && protocolError(failure) === undefined ? failure : error;
    }
  };
}

/**
 * kafkajs rejoins a group by itself, in the middle of its loop, and cannot be made to wait: what was read would be lost
 * for this member before it is committed. Where an offset is out of range it jumps to one that is not, and says nothing.
 */
function keepGroups(): void {
  const { prototype } = require('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
  const { joinAndSync, fetch, recoverFromOffsetOutOfRange } = prototype;
  const keeperOf = (group: ConsumerGroup): GroupKeeper | undefined => keepers.get(group.assigners[0] ?? group);
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

/** See {@link skipAborted}. */
function filterTransactions(): void {
  const { prototype } = require('kafkajs/src/broker') as { prototype: Broker };
  const { fetch } = prototype;
  prototype.fetch = async function (this: Broker, request) {
    const answer = await fetch.call(this, request);
    for (const { partitions } of answer.responses) partitions.forEach(skipAborted);
    return answer;
  };
}

/** See {@link decodeRecord}. */
function decodeRecords(): void {
  replace('recordBatch/record/v0/decoder', () => decodeRecord);
}

/**
 * A record batch of which compaction took the last records, or all, still ends where it ended. kafkajs knows the records
 * only: it would crawl through the rest of the batch offset by offset, or fetch an empty one for ever. So the end of such
 * a batch is told by a record that nobody sees.
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

/** kafkajs cannot write a header without a value, and orders headers as it reads them. */
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

/** Puts another function in the place of a module of the protocol. */
function replace<T extends object>(module: string, by: (original: T) => T): void {
  const path = require.resolve(`kafkajs/src/protocol/${module}`);
  const original = require(path) as T;
  require.cache[path]!.exports = by(original);
}

/** Whoever sent a request before holds the old functions; kafkajs looks these modules up at each request. */
function forgetProtocol(): void {
  const parts = ['requests/fetch/v', 'requests/produce/v', 'recordBatch/'];
  const inside = parts.map((part) => `/kafkajs/src/protocol/${part}`.replaceAll('/', sep));
  for (const path of Object.keys(require.cache)) {
    if (inside.some((part) => path.includes(part))) delete require.cache[path];
  }
}
