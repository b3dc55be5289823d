import fc from 'fast-check';
import { types } from 'rhea-promise';
import { describe, expect, test } from 'vitest';
import { encoded } from './amqp.fixture.ts';
import { readAmqpValue } from './delivery-of-record.ts';

describe('readAmqpValue', () => {
  test('strings, bytes, numbers, times and booleans written by an AMQP client are decoded', () => {
    const time = new Date(1_700_000_000_123);
    const written: readonly (readonly [unknown, unknown])[] = [
      ['', ''],
      ['daily.data.sleep.created', 'daily.data.sleep.created'],
      ['ü'.repeat(300), 'ü'.repeat(300)],
      [types.wrap_symbol('gzip'), 'gzip'],
      [types.wrap_binary(Buffer.from([0, 255])), Buffer.from([0, 255])],
      [types.wrap_int(7), 7],
      [types.wrap_int(-70_000), -70_000],
      [types.wrap_uint(3_000_000_000), 3_000_000_000],
      [types.wrap_ulong(5), 5],
      [types.wrap_long(-5_000_000_000), -5_000_000_000],
      [types.wrap_double(1.5), 1.5],
      [types.wrap_short(-2), -2],
      [types.wrap_timestamp(time.getTime()), time],
      [true, true],
      [false, false],
    ];
    for (const [given, value] of written) expect(readAmqpValue(encoded(given))).toEqual({ value });
  });

  test('UUIDs, one-byte booleans and null are decoded, and integers that a double cannot represent remain bytes', () => {
    const bytes = Buffer.from('980f9d2c1e5a7b4c3d9e8f0a1b2c3d4e5f', 'hex');
    expect(readAmqpValue(bytes)).toEqual({ value: '0f9d2c1e-5a7b-4c3d-9e8f-0a1b2c3d4e5f' });
    expect(readAmqpValue(Buffer.from([0x56, 1]))).toEqual({ value: true });
    expect(readAmqpValue(Buffer.from([0x56, 0]))).toEqual({ value: false });
    expect(readAmqpValue(Buffer.from([0x40]))).toEqual({ value: null });
    expect(readAmqpValue(Buffer.from('80ffffffffffffffff', 'hex'))).toEqual({ value: Buffer.alloc(8, 0xff) });
  });

  test('any string and any bytes are decoded unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        expect(readAmqpValue(encoded(text))).toEqual({ value: text });
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (array) => {
        const bytes = Buffer.from(array);
        expect(readAmqpValue(encoded(types.wrap_binary(bytes)))).toEqual({ value: bytes });
      }),
    );
  });

  test('input with a missing or extra byte decodes to undefined, and no input causes an error', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(255), (text, byte) => {
        const bytes = encoded(text);
        expect(readAmqpValue(bytes.subarray(0, -1))).toBeUndefined();
        expect(readAmqpValue(Buffer.concat([bytes, Buffer.from([byte])]))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        readAmqpValue(Buffer.from(bytes));
      }),
      { numRuns: 2000 },
    );
  });
});
