import type { ReceivedEventData } from '@azure/event-hubs';
import type { Delivery } from '../source.ts';
import { headerValue, textOf } from '../sources/delivery.ts';

/** Returns the name that identifies a partition in receipts. The name is unique within the source. */
export function partitionName(hub: string, partitionId: string): string {
  return `${hub.toLowerCase()}/${partitionId}`;
}

/** Converts an event to a delivery: the sequence number becomes the offset, and the enqueued time the receipt time. Accepts every event. */
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

/** Estimates the size of an event's body in bytes, without copying the body. The estimate is used for flow control. */
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
 * Returns the bytes of an AMQP body. If the body has several data sections, they are concatenated. The service does not
 * send value or sequence sections. If another program sends one, text becomes UTF-8 and any other value becomes JSON. A
 * missing body becomes an empty buffer.
 */
export function bodyBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (body === null || body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (Array.isArray(body) && body.length > 0 && body.every((part) => Buffer.isBuffer(part))) return Buffer.concat(body);
  return Buffer.from(textOf(body), 'utf8');
}

/** AMQP properties that are used as headers, by header name. */
const amqpProperties = {
  'content-encoding': 'contentEncoding',
  'content-type': 'contentType',
  'message-id': 'messageId',
} as const;

/**
 * Matches a user id in the service's format. AMQP's own `user-id` identifies the publisher, and some clients set it to the
 * name of an access key.
 */
const userOfTheService = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns headers by lower-case name. Application properties take precedence over message annotations, which take
 * precedence over AMQP properties. If two application properties differ only in case, the first is used.
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
  // The client's own `properties` are not used, because they convert buffers to objects and dates to numbers.
  for (const [name, value] of Object.entries(message.applicationProperties ?? {})) add(name, value);
  for (const [name, value] of Object.entries(message.messageAnnotations ?? {})) if (!name.startsWith('x-opt-')) add(name, value);
  for (const [name, property] of Object.entries(amqpProperties)) add(name, message.properties?.[property]);
  const user = bytesOrText(event.systemProperties?.userId);
  if (user !== undefined && userOfTheService.test(user)) add('user-id', user);
  return headers;
}

/** Decodes AMQP's binary user id, which the client represents as an object of numbers. */
function bytesOrText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Buffer.from(Object.values(value)).toString('utf8') : undefined;
}
