import type { ReceivedEventData } from '@azure/event-hubs';
import fc from 'fast-check';
import { message, types } from 'rhea-promise';
import { describe, expect, test } from 'vitest';
import { deliveryOfEvent } from '../../../../connectors/event-hubs/delivery-of-event.ts';
import type { KafkaRecord } from '../../../../connectors/kafka/client/client.ts';
import { encoded } from '../../../../connectors/kafka/source/amqp.fixture.ts';
import { deliveryOfRecord, partitionName, readHeader } from '../../../../connectors/kafka/source/delivery-of-record.ts';
import { readHeaders } from '../../../../connectors/sources/delivery.ts';

type Headers = readonly (readonly [name: string, value: Buffer | string | null])[];

function record({ headers = [], ...parts }: Partial<Omit<KafkaRecord, 'headers'>> & { readonly headers?: Headers }): KafkaRecord {
  return {
    offset: 7,
    timestamp: 1_700_000_000_123,
    key: null,
    value: Buffer.from('{}'),
    headers: headers.map(([name, value]) => [name, typeof value === 'string' ? Buffer.from(value) : value]),
    ...parts,
  };
}

const deliver = (parts: Parameters<typeof record>[0]) => deliveryOfRecord('s', 't/0', record(parts));
const headersOf = (headers: Headers) => Object.fromEntries(deliver({ headers }).headers);

test('a record becomes a delivery with its partition, offset, time, key and body', () => {
  expect(deliveryOfRecord('kafka', partitionName({ topic: 'Health', partition: 3 }), record({ key: Buffer.from('k') }))).toEqual({
    source: 'kafka',
    partition: 'Health/3',
    offset: 7,
    receivedAt: 1_700_000_000_123_000,
    headers: new Map(),
    key: Buffer.from('k'),
    body: Buffer.from('{}'),
    inline: false,
  });
  // Kafka uses -1 for a missing timestamp.
  expect(deliver({ timestamp: -1 }).receivedAt).toBe(0);
});

test('a tombstone is marked as one, and an empty value is a valid delivery', () => {
  expect(deliver({ value: null, key: Buffer.from('k') })).toMatchObject({
    malformed: 'tombstone',
    body: Buffer.alloc(0),
    key: Buffer.from('k'),
  });
  expect(deliver({ value: Buffer.alloc(0) })).not.toHaveProperty('malformed');
});

describe('headers of a Kafka record', () => {
  test('a header value is read as plain text or AMQP, and the name is converted to lower case', () => {
    const given: Headers = [
      ['Event-Type', encoded('daily.data.sleep.created')],
      ['user-id', 'plain'],
      ['content-encoding', 'gzip'],
      ['count', encoded(types.wrap_int(5))],
      ['at', encoded(types.wrap_timestamp(1_700_000_000_123))],
      ['bytes', Buffer.from([0xff, 0xfe])],
      ['lines', 'two\nlines'],
      ['nothing', null],
      ['empty', ''],
    ];
    expect(headersOf(given)).toEqual({
      'event-type': 'daily.data.sleep.created',
      'user-id': 'plain',
      'content-encoding': 'gzip',
      count: '5',
      at: '2023-11-14T22:13:20.123Z',
      bytes: Buffer.from([0xff, 0xfe]),
      lines: 'two\nlines',
      empty: '',
    });
  });

  test('the last header with a name is used, but an AMQP application property takes precedence over plain text', () => {
    expect(
      headersOf([
        ['A', '1'],
        ['a', '2'],
      ]),
    ).toEqual({ a: '2' });
    expect(
      headersOf([
        ['a', encoded('x')],
        ['a', 'policy'],
      ]),
    ).toEqual({ a: 'x' });
    expect(
      headersOf([
        ['a', 'policy'],
        ['a', encoded('x')],
      ]),
    ).toEqual({ a: 'x' });
    expect(
      headersOf([
        ['a', encoded('x')],
        ['A', encoded('y')],
      ]),
    ).toEqual({ a: 'y' });
  });

  test('a record without a key gets the AMQP partition key', () => {
    for (const value of [encoded('u1'), Buffer.from('u1')]) {
      const { key, headers } = deliver({ headers: [['x-opt-partition-key', value]] });
      expect([key, headers.size]).toEqual([Buffer.from('u1'), 0]);
    }
    expect(deliver({ key: Buffer.from('own'), headers: [['x-opt-partition-key', 'u1']] }).key).toEqual(Buffer.from('own'));
  });

  test("CloudEvents headers in binary mode supply the type and id, unless the service's own headers do", () => {
    const cloud: Headers = [
      ['ce_type', 'daily.data.sleep.created'],
      ['ce_id', 'e1'],
      ['ce_source', '/x'],
      ['ce_specversion', '1.0'],
    ];
    const facts = (headers: Headers) => readHeaders(deliver({ headers }).headers);
    expect(facts(cloud)).toMatchObject({ eventType: 'daily.data.sleep.created', deliveryId: 'e1' });
    const own: Headers = [
      ['event-type', 'x'],
      ['idempotency-key', 'k'],
    ];
    expect(facts([...cloud, ...own])).toMatchObject({ eventType: 'x', deliveryId: 'k' });
  });

  test('plain text is never decoded as AMQP, and an AMQP-encoded text always is', () => {
    const printable = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => !/\p{Cc}/u.test(text));
    fc.assert(
      fc.property(printable, (text) => {
        expect(readHeader(Buffer.from(text))).toEqual({ value: text, amqp: false });
        expect(readHeader(encoded(text))).toEqual({ value: text, amqp: true });
      }),
      { numRuns: 1000 },
    );
    // Strings that begin with the type code of an AMQP value, and have exactly the length of such a value.
    for (const text of ['A', 'B', '@', 'T5', 'P!', 'a12', 'q1234', 'rabcd']) {
      expect(readHeader(Buffer.from(text))).toEqual({ value: text, amqp: false });
    }
  });

  test('a header with arbitrary bytes is read as a decoded value or as the bytes themselves', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
        const bytes = Buffer.from(array);
        const { value, amqp } = readHeader(bytes);
        if (!amqp) expect(Buffer.from(value as Buffer)).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('an event produced over AMQP', () => {
  const user = '0f9d2c1e-5a7b-4c3d-9e8f-0a1b2c3d4e5f';
  const body = Buffer.from([0x1f, 0x8b, 1, 2, 3]);
  const properties = {
    'event-type': 'daily.data.sleep.created',
    'idempotency-key': 'msg_1',
    'team-id': 'team',
    attempt: types.wrap_int(3),
    sent: types.wrap_timestamp(1_700_000_000_000),
    'x-bytes': types.wrap_binary(Buffer.from([0, 200])),
  };

  /** The decoded event, as the Event Hubs client returns it. */
  const received = message.decode(
    message.encode({
      body: message.data_section(body),
      application_properties: { ...properties },
      message_annotations: { 'x-opt-partition-key': user },
      user_id: user,
      content_encoding: 'gzip',
      content_type: 'application/json',
    } as never),
  ) as unknown as Record<string, unknown> & { readonly body: { readonly content: Buffer } };
  const overAmqp = deliveryOfEvent('s', 'health/0', {
    body: received.body.content,
    sequenceNumber: 7,
    offset: '4711',
    enqueuedTimeUtc: new Date(1_700_000_000_123),
    partitionKey: user,
    systemProperties: { userId: user },
    getRawAmqpMessage: () => ({
      body: received.body.content,
      applicationProperties: received.application_properties,
      messageAnnotations: received.message_annotations,
      properties: { contentEncoding: received.content_encoding, contentType: received.content_type },
    }),
  } as unknown as ReceivedEventData);

  const asHeaders = (own: (text: string) => Buffer): Headers => [
    ...Object.entries(properties).map(([name, value]) => [name, encoded(value)] as const),
    // The properties that AMQP defines.
    ['user-id', own(user)],
    ['content-encoding', own('gzip')],
    ['content-type', own('application/json')],
    ['x-opt-partition-key', encoded(user)],
  ];

  test.each([
    ['before September 2022, with everything encoded', encoded as (text: string) => Buffer],
    ['since then, with AMQP’s own properties as plain text', (text: string) => Buffer.from(text)],
  ])('the Kafka endpoint gives the same delivery as AMQP: %s', (_, own) => {
    const overKafka = deliveryOfRecord('s', 'health/0', record({ value: body, headers: asHeaders(own) }));
    expect(overKafka).toEqual(overAmqp);
    expect(overKafka.headers.size).toBe(9);
  });
});
