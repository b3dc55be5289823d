import { isUtf8 } from 'node:buffer';
import type { Delivery } from '../../source.ts';
import { headerValue } from '../../sources/delivery.ts';
import type { KafkaRecord, TopicPartition } from '../client/client.ts';

/** Prefix of annotations that Event Hubs adds to an event, over AMQP and over Kafka. */
const ANNOTATION = 'x-opt-';

const PARTITION_KEY = 'x-opt-partition-key';

/** Returns a partition's name as it appears in receipts. The name is unique within the source. */
export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

/**
 * Converts a record to a delivery; its timestamp becomes the receipt time. Accepts every record. A tombstone becomes a
 * malformed delivery with an empty body: it asks for a deletion, which the pipeline does not perform.
 */
export function deliveryOfRecord(source: string, partition: string, record: KafkaRecord): Delivery {
  const { headers, amqpKey } = readHeaders(record.headers);
  const delivery: Delivery = {
    source,
    partition,
    offset: record.offset,
    receivedAt: Math.max(0, record.timestamp) * 1000,
    headers,
    key: record.key ?? amqpKey,
    body: record.value ?? Buffer.alloc(0),
    inline: false,
  };
  return record.value === null ? { ...delivery, malformed: 'tombstone' } : delivery;
}

interface ReadHeaders {
  readonly headers: Map<string, string | Buffer>;
  /** Partition key of an event produced over AMQP. Event Hubs does not expose it as the record's key. */
  readonly amqpKey: Buffer | null;
}

/**
 * Reads headers by lower-case name; each value may be plain or AMQP-encoded. If a name repeats, the last value is used,
 * as in Kafka's own clients. However, an AMQP-encoded value is an application property and takes precedence over a
 * plain value, which Event Hubs may have derived from AMQP's own properties. Headers without a value are skipped.
 */
function readHeaders(given: KafkaRecord['headers']): ReadHeaders {
  const headers = new Map<string, string | Buffer>();
  let amqpKey: Buffer | null = null;
  const encoded = new Set<string>();
  for (const [name, bytes] of given) {
    if (bytes === null) continue;
    const header = name.toLowerCase();
    const { value, amqp } = readHeader(bytes);
    if (value === undefined) continue;
    if (header.startsWith(ANNOTATION)) {
      if (header === PARTITION_KEY) amqpKey = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
      continue;
    }
    if (amqp) encoded.add(header);
    else if (encoded.size > 0 && encoded.has(header)) continue;
    headers.set(header, value);
  }
  return { headers, amqpKey };
}

/** A decoded AMQP value, wrapped in an object so that a decoded null differs from a failure to decode. */
interface AmqpValue {
  readonly value: string | number | boolean | Buffer | Date | null;
}

type Read = (bytes: Buffer, at: number) => AmqpValue['value'];

/** Types of fixed width, by type code: the number of bytes and how to decode them (AMQP 1.0, part 1.6). */
const fixed: ReadonlyMap<number, readonly [width: number, read: Read]> = new Map<number, readonly [number, Read]>([
  [0x40, [0, () => null]],
  [0x41, [0, () => true]],
  [0x42, [0, () => false]],
  [0x43, [0, () => 0]],
  [0x44, [0, () => 0]],
  [0x50, [1, (bytes, at) => bytes.readUInt8(at)]],
  [0x51, [1, (bytes, at) => bytes.readInt8(at)]],
  [0x52, [1, (bytes, at) => bytes.readUInt8(at)]],
  [0x53, [1, (bytes, at) => bytes.readUInt8(at)]],
  [0x54, [1, (bytes, at) => bytes.readInt8(at)]],
  [0x55, [1, (bytes, at) => bytes.readInt8(at)]],
  [0x56, [1, (bytes, at) => bytes.readUInt8(at) !== 0]],
  [0x60, [2, (bytes, at) => bytes.readUInt16BE(at)]],
  [0x61, [2, (bytes, at) => bytes.readInt16BE(at)]],
  [0x70, [4, (bytes, at) => bytes.readUInt32BE(at)]],
  [0x71, [4, (bytes, at) => bytes.readInt32BE(at)]],
  [0x72, [4, (bytes, at) => bytes.readFloatBE(at)]],
  [0x73, [4, (bytes, at) => bytes.readUInt32BE(at)]],
  [0x80, [8, (bytes, at) => wholeNumber(bytes, at, bytes.readBigUInt64BE(at))]],
  [0x81, [8, (bytes, at) => wholeNumber(bytes, at, bytes.readBigInt64BE(at))]],
  [0x82, [8, (bytes, at) => bytes.readDoubleBE(at)]],
  [0x83, [8, (bytes, at) => new Date(Number(bytes.readBigInt64BE(at)))]],
  [0x98, [16, (bytes, at) => uuid(bytes.subarray(at, at + 16))]],
]);

/** Types with a length prefix, by type code. */
const variable: ReadonlyMap<number, { readonly lengthBytes: 1 | 4; readonly holds: 'bytes' | 'text' }> = new Map([
  [0xa0, { lengthBytes: 1, holds: 'bytes' }],
  [0xa1, { lengthBytes: 1, holds: 'text' }],
  [0xa3, { lengthBytes: 1, holds: 'text' }],
  [0xb0, { lengthBytes: 4, holds: 'bytes' }],
  [0xb1, { lengthBytes: 4, holds: 'text' }],
  [0xb3, { lengthBytes: 4, holds: 'text' }],
]);

/**
 * Decodes a single primitive AMQP value. Returns undefined if the bytes are not exactly one value, or if its type is a
 * decimal, list, map or array: application properties use none of these. Never throws.
 */
export function readAmqpValue(bytes: Buffer): AmqpValue | undefined {
  const type = bytes[0];
  if (type === undefined) return undefined;
  const known = fixed.get(type);
  if (known !== undefined) {
    const [width, read] = known;
    return bytes.length === 1 + width ? { value: read(bytes, 1) } : undefined;
  }
  const form = variable.get(type);
  if (form === undefined) return undefined;
  const { lengthBytes, holds } = form;
  const from = 1 + lengthBytes;
  if (bytes.length < from || bytes.readUIntBE(1, lengthBytes) !== bytes.length - from) return undefined;
  const content = bytes.subarray(from);
  if (holds === 'bytes') return { value: content };
  return isUtf8(content) ? { value: content.toString('utf8') } : undefined;
}

/** Returns the number if a double can represent it exactly, otherwise its bytes, as AMQP client libraries do. */
function wholeNumber(bytes: Buffer, at: number, value: bigint): number | Buffer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : bytes.subarray(at, at + 8);
}

function uuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Decodes the value of one header. Valid UTF-8 without control characters is text: AMQP-encoded text starts with a byte
 * such as 0xa1, which cannot start a UTF-8 character. Anything else is one AMQP-encoded value, or bytes.
 *
 * Some encoded values look like text and are read as text. `true`, `false` and `null` are encoded as the single
 * characters A, B and `@`, and zero as C or D. The bytes of a small number may all be printable. This does no harm,
 * because the service sends only strings.
 */
export function readHeader(bytes: Buffer): { readonly value: string | Buffer | undefined; readonly amqp: boolean } {
  if (isUtf8(bytes) && !hasControls(bytes)) return { value: bytes.toString('utf8'), amqp: false };
  const read = readAmqpValue(bytes);
  if (read !== undefined) return { value: headerValue(read.value), amqp: true };
  return { value: isUtf8(bytes) ? bytes.toString('utf8') : bytes, amqp: false };
}

function hasControls(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte < 0x20 || byte === 0x7f) return true;
  return false;
}
