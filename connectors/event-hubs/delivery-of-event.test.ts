import type { ReceivedEventData } from '@azure/event-hubs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyBytes, deliveryOfEvent, partitionName } from './delivery-of-event.ts';

interface Parts {
  readonly body?: unknown;
  readonly applicationProperties?: Record<string, unknown>;
  readonly properties?: Record<string, unknown>;
  readonly messageAnnotations?: Record<string, unknown>;
  readonly userId?: unknown;
  readonly partitionKey?: string;
}

function received({ body = Buffer.from('{}'), userId, partitionKey, ...raw }: Parts): ReceivedEventData {
  return {
    body,
    sequenceNumber: 7,
    offset: '4711',
    enqueuedTimeUtc: new Date(1_700_000_000_123),
    partitionKey: partitionKey ?? null,
    systemProperties: { userId },
    getRawAmqpMessage: () => ({ body, ...raw }),
  } as unknown as ReceivedEventData;
}

const headersOf = (parts: Parts) => Object.fromEntries(deliveryOfEvent('s', 'h/0', received(parts)).headers);

test('a delivery takes its position, receipt time, key and body from the event', () => {
  const { body, key, offset, receivedAt, source, partition, inline } = deliveryOfEvent(
    'azure',
    partitionName('Health', '3'),
    received({ body: Buffer.from([1, 2]), partitionKey: 'ü' }),
  );
  expect({ offset, receivedAt, source, partition, inline }).toEqual({
    offset: 7,
    receivedAt: 1_700_000_000_123_000,
    source: 'azure',
    partition: 'health/3',
    inline: false,
  });
  expect([body, key]).toEqual([Buffer.from([1, 2]), Buffer.from('ü')]);
  expect(deliveryOfEvent('s', 'h/0', received({})).key).toBeNull();
});

describe('headers', () => {
  const user = '0f9d2c1e-5a7b-4c3d-9e8f-0a1b2c3d4e5f';

  test('come from application properties of any type, and have lower-case names', () => {
    const bytes = Buffer.from([0xff, 0x00]);
    expect(
      headersOf({
        applicationProperties: {
          'Event-Type': 'daily.data.sleep.created',
          'USER-ID': user,
          number: 1.5,
          big: 2n ** 60n,
          yes: true,
          nothing: null,
          bytes,
          when: new Date(0),
          list: [1, 2n],
          map: { a: 1 },
        },
      }),
    ).toEqual({
      'event-type': 'daily.data.sleep.created',
      'user-id': user,
      number: '1.5',
      big: '1152921504606846976',
      yes: 'true',
      bytes,
      when: '1970-01-01T00:00:00.000Z',
      list: '[1,"2"]',
      map: '{"a":1}',
    });
  });

  test('come from annotations or AMQP’s own properties if no application property has the same name', () => {
    expect(
      headersOf({
        messageAnnotations: { 'event-type': 'x', 'x-opt-partition-key': 'k' },
        properties: { contentEncoding: 'gzip', contentType: 'application/json' },
        userId: { ...Buffer.from(user) },
      }),
    ).toEqual({ 'event-type': 'x', 'content-encoding': 'gzip', 'content-type': 'application/json', 'user-id': user });
    expect(
      headersOf({ applicationProperties: { 'content-encoding': 'identity' }, properties: { contentEncoding: 'gzip' } }),
    ).toEqual({ 'content-encoding': 'identity' });
  });

  test('do not include AMQP’s user id if it names the publisher', () => {
    expect(headersOf({ userId: { ...Buffer.from('RootManageSharedAccessKey') } })).toEqual({});
  });

  test('are empty for an event without properties', () => {
    expect(headersOf({})).toEqual({});
  });
});

describe('bodies', () => {
  test('are converted to bytes, whatever their AMQP type', () => {
    expect(bodyBytes(Buffer.from('a'))).toEqual(Buffer.from('a'));
    expect(bodyBytes([Buffer.from('a'), Buffer.from('b')])).toEqual(Buffer.from('ab'));
    expect(bodyBytes(new Uint8Array([1]))).toEqual(Buffer.from([1]));
    expect(bodyBytes(null)).toEqual(Buffer.alloc(0));
    expect(bodyBytes(undefined)).toEqual(Buffer.alloc(0));
    expect(bodyBytes('ü')).toEqual(Buffer.from('ü'));
    expect(bodyBytes({ a: [1, null] })).toEqual(Buffer.from('{"a":[1,null]}'));
    expect(bodyBytes([1, 'b'])).toEqual(Buffer.from('[1,"b"]'));
    expect(bodyBytes(5)).toEqual(Buffer.from('5'));
  });

  test('an event with any content becomes a delivery', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true })),
        (body, applicationProperties) => {
          const delivery = deliveryOfEvent('s', 'h/0', received({ body, applicationProperties }));
          expect(Buffer.isBuffer(delivery.body)).toBe(true);
          for (const [name, value] of delivery.headers) {
            expect(name).toBe(name.toLowerCase());
            expect(typeof value === 'string' || Buffer.isBuffer(value)).toBe(true);
          }
        },
      ),
    );
  });
});
