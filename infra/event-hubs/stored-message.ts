import rhea from 'rhea';
import { entriesOf, section, sectionsOf } from './message-sections.ts';

/** The annotation with the enqueued time that a sender chooses, in ISO 8601. */
export const chosenTimeName = 'x-aorta-enqueued-time';
const partitionKeyName = 'x-opt-partition-key';
/** The annotations that the service sets. They replace the sender's annotations with the same names. */
const stampNames = new Set(['x-opt-sequence-number', 'x-opt-offset', 'x-opt-enqueued-time']);

const mapStart = 12;
const long = 0x81;
const timestamp = 0x83;

/** A message as the client sent it, split into slices. When the message is stored, only the annotations are encoded again. */
export interface SentMessage {
  readonly header: Buffer;
  /** name and value of each annotation from the sender */
  readonly annotations: readonly Buffer[];
  readonly partitionKey: PartitionKey | undefined;
  /** enqueued time that the sender chose, in milliseconds since 1970 */
  readonly chosenTime?: number;
  /** properties, application properties, body and footer */
  readonly rest: Buffer;
}

interface PartitionKey {
  readonly text: string;
  /** the encoded entry in the annotations, including its name */
  readonly bytes: Buffer;
}

/** The position and time that the service adds to a stored message. */
export interface Stamp {
  readonly sequenceNumber: number;
  /** clients must treat the offset as opaque */
  readonly offset: string;
  /** milliseconds since 1970 */
  readonly enqueuedTime: number;
}

const nothing = Buffer.alloc(0);

/**
 * Splits an encoded message into header, annotations and the rest. With `setsTime`, the sender chooses the enqueued time.
 * Throws `MalformedMessage` if the bytes are not a message.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the sections of a message
export function sentMessage(encoded: Buffer, setsTime = false): SentMessage {
  let header: Buffer = nothing;
  const annotations: Buffer[] = [];
  let partitionKey: PartitionKey | undefined;
  let chosenTime: number | undefined;
  let rest = encoded.length;
  for (const { code, start, value, end } of sectionsOf(encoded)) {
    if (code === section.header) header = encoded.subarray(start, end);
    else if (code === section.messageAnnotations) {
      for (const { name, text, bytes } of entriesOf(encoded, value)) {
        if (name === partitionKeyName && text !== undefined) partitionKey = { text, bytes };
        else if (setsTime && name === chosenTimeName && text !== undefined) chosenTime = Date.parse(text);
        else if (name === undefined || !stampNames.has(name)) annotations.push(bytes);
      }
    } else if (code !== section.deliveryAnnotations && rest === encoded.length) rest = start;
  }
  const chosen = chosenTime === undefined || Number.isNaN(chosenTime) ? {} : { chosenTime };
  return { header, annotations, partitionKey, ...chosen, rest: encoded.subarray(rest) };
}

function symbol(name: string): Buffer {
  return Buffer.from([0xa3, name.length, ...Buffer.from(name, 'latin1')]);
}

const sequenceNumberName = symbol('x-opt-sequence-number');
const offsetName = symbol('x-opt-offset');
const enqueuedTimeName = symbol('x-opt-enqueued-time');
/** Number of bytes in the three annotations of every stored message, not counting the characters of the offset. */
const stampLength = sequenceNumberName.length + 9 + offsetName.length + 2 + enqueuedTimeName.length + 9;

/** Returns the length in bytes of a stored message whose offset has `offsetLength` characters. */
export function storedLength(message: SentMessage, offsetLength: number): number {
  let length = message.header.length + mapStart + stampLength + offsetLength + message.rest.length;
  for (const entry of message.annotations) length += entry.length;
  return length + (message.partitionKey?.bytes.length ?? 0);
}

interface MapSection {
  readonly code: number;
  readonly entries: number;
  /** Total length of the entries, in bytes. */
  readonly length: number;
}

/** Writes the start of a map section at `at`, and returns the position of its first entry. */
function beginMap(target: Buffer, at: number, { code, entries, length }: MapSection): number {
  target[at] = 0;
  target[at + 1] = 0x53;
  target[at + 2] = code;
  target[at + 3] = 0xd1;
  target.writeUInt32BE(length + 4, at + 4);
  target.writeUInt32BE(entries * 2, at + 8);
  return at + mapStart;
}

function put(target: Buffer, at: number, bytes: Buffer): number {
  target.set(bytes, at);
  return at + bytes.length;
}

function putLong(target: Buffer, at: number, code: number, value: number): number {
  target[at] = code;
  target.writeInt32BE(Math.floor(value / 0x1_0000_0000), at + 1);
  target.writeUInt32BE(value >>> 0, at + 5);
  return at + 9;
}

/** `text` must be ASCII and have at most 255 characters. */
function putShortText(target: Buffer, at: number, text: string): number {
  target[at] = 0xa1;
  target[at + 1] = text.length;
  return at + 2 + target.write(text, at + 2, 'latin1');
}

/** Writes the message with its stamp at `at`. The stored message is `storedLength` bytes long. */
export function writeStored(target: Buffer, at: number, message: SentMessage, stamp: Stamp): void {
  const { header, annotations, partitionKey, rest } = message;
  const entries = annotations.length + 3 + (partitionKey === undefined ? 0 : 1);
  const length = storedLength(message, stamp.offset.length) - header.length - mapStart - rest.length;
  let next = put(target, at, header);
  next = beginMap(target, next, { code: section.messageAnnotations, entries, length });
  for (const entry of annotations) next = put(target, next, entry);
  next = putLong(target, put(target, next, sequenceNumberName), long, stamp.sequenceNumber);
  next = putShortText(target, put(target, next, offsetName), stamp.offset);
  next = putLong(target, put(target, next, enqueuedTimeName), timestamp, stamp.enqueuedTime);
  if (partitionKey !== undefined) next = put(target, next, partitionKey.bytes);
  put(target, next, rest);
}

/**
 * The position of a partition's last event, and the time when the server looked it up. A reader can request this
 * information with each event (`trackLastEnqueuedEventProperties`).
 */
export interface RuntimeMetrics {
  readonly last: Stamp;
  readonly retrievedAt: number;
}

const metricNames = [
  'last_enqueued_sequence_number',
  'last_enqueued_offset',
  'last_enqueued_time_utc',
  'runtime_info_retrieval_time_utc',
].map(symbol) as [Buffer, Buffer, Buffer, Buffer];
const metricNamesLength = metricNames.reduce((sum, name) => sum + name.length, 0);

/** Returns a copy of a stored message, with the runtime metrics added as delivery annotations. */
export function withRuntimeMetrics(stored: Buffer, { last, retrievedAt }: RuntimeMetrics): Buffer {
  const length = metricNamesLength + 3 * 9 + 2 + last.offset.length;
  const [first] = sectionsOf(stored);
  const header = first?.code === section.header ? first.end : 0;
  const target = Buffer.allocUnsafe(stored.length + mapStart + length);
  let next = put(target, 0, stored.subarray(0, header));
  next = beginMap(target, next, { code: section.deliveryAnnotations, entries: 4, length });
  next = putLong(target, put(target, next, metricNames[0]), long, last.sequenceNumber);
  next = putShortText(target, put(target, next, metricNames[1]), last.offset);
  next = putLong(target, put(target, next, metricNames[2]), timestamp, last.enqueuedTime);
  next = putLong(target, put(target, next, metricNames[3]), timestamp, retrievedAt);
  put(target, next, stored.subarray(header));
  return target;
}

/** An event to store directly, without a client. */
export interface RawEvent {
  /** the content of the event's single data section, in base64 */
  readonly body: string;
  readonly properties?: Readonly<Record<string, string | number | boolean | null>>;
  /** properties of the AMQP message. The official producers cannot set all of these */
  readonly messageProperties?: Readonly<{ user_id?: string; content_encoding?: string; content_type?: string; subject?: string }>;
  readonly partitionKey?: string;
}

/** Encodes an event as an AMQP message with one data section. */
export function encodedMessage({ body, properties, messageProperties, partitionKey }: RawEvent): Buffer {
  const { message } = rhea as unknown as {
    message: { encode(message: object): Buffer; data_section(data: Buffer): unknown };
  };
  return message.encode({
    ...messageProperties,
    body: message.data_section(Buffer.from(body, 'base64')),
    ...(properties === undefined ? {} : { application_properties: properties }),
    ...(partitionKey === undefined ? {} : { message_annotations: { 'x-opt-partition-key': partitionKey } }),
  });
}
