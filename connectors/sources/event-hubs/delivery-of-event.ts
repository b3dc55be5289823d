import type { ReceivedEventData } from '@azure/event-hubs';
import type { Delivery } from '../../source.ts';
import { headerValue, textOf } from '../partitions/header-value.ts';

/** What names a partition in receipts: unique among the hubs of a source, and of bounded number. */
export function partitionName(hub: string, partitionId: string): string {
  return `${hub.toLowerCase()}/${partitionId}`;
}

/**
 * An event as a delivery: its sequence number is the offset, its enqueued time the receipt. Total: whatever an event
 * holds, it is a delivery.
 */
export function deliveryOfEvent(source: string, partition: string, event: ReceivedEventData): Delivery {
  return {
    source,
    partition,
    offset: event.sequenceNumber,
    receivedAt: microsecondsOf(event.enqueuedTimeUtc),
    headers: headersOf(event),
    key: typeof event.partitionKey === 'string' ? Buffer.from(event.partitionKey, 'utf8') : null,
    body: bodyBytes(event.body),
    inline: false,
  };
}

/** Bytes that the body of an event takes, near enough for pacing; nothing is copied. */
export function bodySize({ body }: ReceivedEventData): number {
  if (Buffer.isBuffer(body)) return body.length;
  if (typeof body === 'string') return body.length;
  return Array.isArray(body) ? body.length * 64 : 64;
}

function microsecondsOf(time: Date | undefined): number {
  const milliseconds = time?.getTime() ?? Number.NaN;
  return Number.isNaN(milliseconds) ? 0 : milliseconds * 1000;
}

/**
 * The bytes of a body. Data sections are bytes; several are one body. Of a value or a sequence, which no producer of the
 * service writes, a text is its UTF-8 and everything else its JSON. Nothing at all is an empty body.
 */
export function bodyBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (body === null || body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (Array.isArray(body) && body.length > 0 && body.every((part) => Buffer.isBuffer(part))) return Buffer.concat(body);
  return Buffer.from(textOf(body), 'utf8');
}

/** The properties of AMQP itself that headers are looked for in, by the name that they have as a header. */
const amqpProperties = {
  'content-encoding': 'contentEncoding',
  'content-type': 'contentType',
  'message-id': 'messageId',
} as const;

/** How the service names its users. AMQP's own `user-id` says who published, which some clients fill with the name of a key. */
const userOfTheService = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Headers by name in lower case: the application properties; where they say nothing, message annotations of that name;
 * then the properties of AMQP. Of two application properties that differ in case only, the first counts.
 */
function headersOf(event: ReceivedEventData): Map<string, string | Buffer> {
  const headers = new Map<string, string | Buffer>();
  const add = (name: string, value: unknown): void => {
    const header = name.toLowerCase();
    if (headers.has(header)) return;
    const text = headerValue(value);
    if (text !== undefined) headers.set(header, text);
  };
  const message = event.getRawAmqpMessage();
  // The client's own `properties` spell out buffers as objects, and dates as numbers.
  for (const [name, value] of Object.entries(message.applicationProperties ?? {})) add(name, value);
  for (const [name, value] of Object.entries(message.messageAnnotations ?? {})) if (!name.startsWith('x-opt-')) add(name, value);
  for (const [name, property] of Object.entries(amqpProperties)) add(name, message.properties?.[property]);
  const user = bytesOrText(event.systemProperties?.userId);
  if (user !== undefined && userOfTheService.test(user)) add('user-id', user);
  return headers;
}

/** AMQP's user id is binary, which the client spells out as an object of numbers. */
function bytesOrText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Buffer.from(Object.values(value)).toString('utf8') : undefined;
}
