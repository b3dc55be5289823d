import { isUtf8 } from 'node:buffer';
import type { KafkaRecord, TopicPartition } from '../../kafka-client/index.ts';
import type { Delivery } from '../../source.ts';
import { headerValue } from '../partitions/header-value.ts';
import { readAmqpValue } from './amqp-value.ts';

/** What names a partition in receipts: unique among the topics of a source, and of bounded number. */
export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

/**
 * A record as a delivery: its timestamp is the receipt. Total: whatever a record holds, it is a delivery. A tombstone is
 * one that is malformed, with an empty body: somebody wanted to delete something, and nobody here does so by it.
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
  return record.value === null ? { ...delivery, malformed: true } : delivery;
}

interface ReadHeaders {
  readonly headers: Map<string, string | Buffer>;
  /** The partition key of an event that was produced over AMQP: Event Hubs does not make it the record's key. */
  readonly amqpKey: Buffer | null;
}

/** What Event Hubs itself writes onto an event, on its Kafka endpoint as over AMQP. */
const ANNOTATION = 'x-opt-';
const PARTITION_KEY = 'x-opt-partition-key';

/**
 * Headers by name in lower case, values plain or AMQP-encoded, each by itself. Of several of one name the last counts, as
 * it does for Kafka's own clients; but one that is AMQP-encoded, which is an application property, before one that is
 * plain, which Event Hubs may have made of AMQP's own properties. One without a value says nothing.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the headers of every record
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

/**
 * The value of one header. Text is taken as it stands: UTF-8 without control characters, with which no AMQP-encoded
 * text begins (their first byte, 0xa1 and the like, begins no character of UTF-8). Anything else is one AMQP-encoded value,
 * or bytes.
 *
 * What cannot be told apart is taken as text: an encoded `true`, `false`, `null` or zero, which are the single letters A, B,
 * `@`, C and D, and a small number whose bytes all happen to be printable. The service writes texts only.
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
