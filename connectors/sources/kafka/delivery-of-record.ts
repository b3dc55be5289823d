import { isUtf8 } from 'node:buffer';
import type { KafkaRecord, TopicPartition } from '../../kafka-client/index.ts';
import type { Delivery } from '../../source.ts';
import { headerValue } from '../partitions/header-value.ts';
import { readAmqpValue } from './amqp-value.ts';

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

/** Prefix of annotations that Event Hubs adds to an event, over AMQP and over Kafka. */
const ANNOTATION = 'x-opt-';
const PARTITION_KEY = 'x-opt-partition-key';

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
