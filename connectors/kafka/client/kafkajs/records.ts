import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Compression } from '../client.ts';
import type {
  Broker,
  DecodedRecordBatch,
  Encoder,
  EncoderClass,
  FetchedMessage,
  FetchedPartition,
  Library,
  RecordBatchContext,
} from './internals.ts';

const require = createRequire(import.meta.url);

/** Timestamp type of a batch if the broker sets its timestamp. All records of such a batch have the batch's timestamp. */
const LOG_APPEND_TIME = 1;

/** Key of the marker that ends an aborted transaction: version 0, type 0. */
const ABORT = Buffer.alloc(4);

/** Replaces the decoding and encoding of records in kafkajs. Each step says why. */
export function replaceRecordFormat(): void {
  filterTransactions();
  dropCachedProtocol();
  decodeRecords();
  finishBatches();
  encodeHeaders();
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

/** Replaces the record decoder with {@link decodeRecord}. */
function decodeRecords(): void {
  replace('recordBatch/record/v0/decoder', () => decodeRecord);
}

/**
 * Decodes a record of a batch in format 2, with headers as a list in their original order. The library's decoder collects headers
 * by name instead. It therefore loses the order of repeated names, puts numeric names first, and adds a JavaScript function as a
 * value of a header named `constructor`. It is also slow, because it creates objects for 64-bit integers, and copies an object
 * for each header.
 *
 * Numbers above 2^53 are inexact but stay above 2^53; callers reject such offsets.
 */
function decodeRecord({ buffer }: { readonly buffer: Buffer }, batch: RecordBatchContext): FetchedMessage {
  const from = new Bytes(buffer);
  // Skips the attributes, which are unused.
  from.byte();
  const timeDelta = from.long();
  const offset = Number(batch.firstOffset) + from.int();
  const time = batch.timestampType === LOG_APPEND_TIME ? batch.maxTimestamp : String(Number(batch.firstTimestamp) + timeDelta);
  const key = from.bytes();
  const value = from.bytes();
  const count = from.int();
  const headers: (readonly [name: string, value: Buffer | null])[] = [];
  for (let at = 0; at < count; at++) headers.push([from.text(), from.bytes()]);
  return {
    timestamp: time,
    offset: String(offset),
    key,
    value,
    headers,
    isControlRecord: batch.isControlBatch,
    batchContext: batch,
  };
}

/** Reads Kafka's variable-length integers: seven bits per byte, low bits first, with the sign in the lowest bit. */
class Bytes {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  byte(): number {
    return this.#buffer[this.#at++]!;
  }

  int(): number {
    let byte = this.byte();
    let bits = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.byte();
      bits |= (byte & 0x7f) << shift;
    }
    return (bits >>> 1) ^ -(bits & 1);
  }

  long(): number {
    let byte = this.byte();
    let bits = byte & 0x7f;
    for (let unit = 0x80; byte >= 0x80; unit *= 0x80) {
      byte = this.byte();
      bits += (byte & 0x7f) * unit;
    }
    return bits % 2 === 0 ? bits / 2 : -(bits + 1) / 2;
  }

  bytes(): Buffer | null {
    const length = this.int();
    if (length < 0) return null;
    this.#at += length;
    return this.#buffer.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const length = this.int();
    if (length <= 0) return '';
    this.#at += length;
    return this.#buffer.toString('utf8', this.#at - length, this.#at);
  }
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

/**
 * Skips aborted transactions with {@link skipAborted}. Also replaces the high watermark with the last stable offset, because kafkajs
 * passes only the high watermark on, and records of open transactions cannot be read.
 */
function filterTransactions(): void {
  const { prototype } = require('kafkajs/src/broker') as { prototype: Broker };
  const { fetch } = prototype;
  prototype.fetch = async function (this: Broker, request) {
    const answer = await fetch.call(this, request);
    for (const fetched of answer.responses.flatMap(({ partitions }) => partitions)) {
      skipAborted(fetched);
      if (Number(fetched.lastStableOffset ?? -1) >= 0) fetched.highWatermark = fetched.lastStableOffset!;
    }
    return answer;
  };
}

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

interface Codec {
  compress(records: Encoder): Promise<Buffer>;
  decompress(records: Buffer): Promise<Buffer>;
}

/** Registers codecs; kafkajs itself supports only gzip. A missing codec ends a consumer permanently at the first batch that needs it. */
export function registerCodecs({ CompressionCodecs, CompressionTypes }: Library): void {
  let wasm: Codec | undefined;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstd;
  CompressionCodecs[CompressionTypes.LZ4] = () => {
    wasm ??= lz4();
    return wasm;
  };
  // This codec reads both framings: raw snappy, and the framing that the Java library writes.
  CompressionCodecs[CompressionTypes.Snappy] = require('kafkajs-snappy') as () => Codec;
}

export function compressionType({ CompressionTypes }: Library, compression: Compression): number {
  const types = { none: 'None', gzip: 'GZIP', snappy: 'Snappy', lz4: 'LZ4', zstd: 'ZSTD' } as const;
  return CompressionTypes[types[compression]];
}

const zstd: Codec = {
  compress: async ({ buffer }) => await promisify(zstdCompress)(buffer),
  decompress: async (records) => await promisify(zstdDecompress)(records),
};

function lz4(): Codec {
  const { lz4Compress, lz4Decompress } = require('@platformatic/wasm-utils') as typeof import('@platformatic/wasm-utils');
  return {
    compress: async ({ buffer }) => lz4Compress(buffer),
    decompress: async (records) => lz4Decompress(records),
  };
}
