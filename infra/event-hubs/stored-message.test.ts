import fc from 'fast-check';
import rhea from 'rhea';
import { expect, test } from 'vitest';
import { MalformedMessage } from './message-sections.ts';
import { sentMessage, storedLength, withRuntimeMetrics, writeStored } from './stored-message.ts';

const { message: codec } = rhea as unknown as {
  message: {
    encode(message: object): Buffer;
    decode(bytes: Buffer): Record<string, unknown>;
    data_section(data: Buffer): object;
  };
};

const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.boolean(),
  fc.string({ minLength: 300 }),
);
const name = fc.stringMatching(/^[a-z-]{1,12}$/);
const sent = fc.record(
  {
    body: fc.uint8Array({ maxLength: 2000 }).map((bytes) => codec.data_section(Buffer.from(bytes))),
    durable: fc.boolean(),
    subject: fc.string(),
    content_type: fc.constant('application/json'),
    application_properties: fc.dictionary(name, scalar),
    message_annotations: fc.dictionary(
      fc.oneof(name, fc.constantFrom('x-opt-offset', 'x-opt-sequence-number', 'x-opt-partition-key')),
      fc.string(),
    ),
  },
  { requiredKeys: ['body'] },
);
const stamp = fc.record({
  sequenceNumber: fc.nat(Number.MAX_SAFE_INTEGER),
  offset: fc.nat(Number.MAX_SAFE_INTEGER).map(String),
  enqueuedTime: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
});

function stored(encoded: Buffer, given: { sequenceNumber: number; offset: string; enqueuedTime: number }): Buffer {
  const message = sentMessage(encoded);
  const target = Buffer.alloc(storedLength(message, given.offset.length) + 2, 0xee);
  writeStored(target, 1, message, given);
  expect([target[0], target.at(-1)]).toEqual([0xee, 0xee]);
  return target.subarray(1, -1);
}

test('a stored message equals the sent message, except for the offset, sequence number and time that the server adds', () => {
  fc.assert(
    fc.property(sent, stamp, (message, given) => {
      const encoded = codec.encode(message);
      const { message_annotations, ...rest } = codec.decode(stored(encoded, given));
      const { message_annotations: before, ...restBefore } = codec.decode(encoded);
      expect(rest).toEqual(restBefore);
      expect(message_annotations).toEqual({
        ...(before as object | undefined),
        'x-opt-sequence-number': given.sequenceNumber,
        'x-opt-offset': given.offset,
        'x-opt-enqueued-time': new Date(given.enqueuedTime),
      });
    }),
  );
});

test('a message with runtime metrics also contains the position of the partition’s last event and is otherwise unchanged', () => {
  fc.assert(
    fc.property(sent, stamp, stamp, (message, given, last) => {
      const bytes = stored(codec.encode(message), given);
      const { delivery_annotations, ...rest } = codec.decode(withRuntimeMetrics(bytes, { last, retrievedAt: 5 }));
      expect(rest).toEqual(codec.decode(bytes));
      expect(delivery_annotations).toEqual({
        last_enqueued_sequence_number: last.sequenceNumber,
        last_enqueued_offset: last.offset,
        last_enqueued_time_utc: new Date(last.enqueuedTime),
        runtime_info_retrieval_time_utc: new Date(5),
      });
    }),
  );
});

test('sentMessage throws no error other than MalformedMessage if the bytes are not a message', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), sent, fc.nat(), (noise, message, cut) => {
      const encoded = codec.encode(message);
      for (const bytes of [Buffer.from(noise), encoded.subarray(0, cut % encoded.length)]) {
        try {
          sentMessage(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMessage);
        }
      }
    }),
  );
});
