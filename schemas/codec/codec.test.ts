import avsc from 'avsc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GREATEST_LONG, LEAST_LONG } from '../events/instant.ts';
import type { AvroType, FieldDeclaration } from '../streams/declaration.ts';
import { streamNames, streamSchemas, type Timeseries } from '../streams/streams.generated.ts';
import { codecOf, fingerprint, learnSchema, UnknownSchema } from './codec.ts';
import { example } from './example.fixture.ts';

describe.each(streamNames)('the codec of %s', (stream) => {
  test('encodes the examples to the recorded bytes, and decodes these bytes to the examples', async () => {
    const codec = codecOf(stream);
    const records = [1, 2, 3].map((seed) => example(stream, seed));
    const encoded = records.map((record) => codec.encode(record as never).toString('hex'));
    await expect(`${JSON.stringify(encoded, null, 2)}\n`).toMatchFileSnapshot(`golden/${stream}.json`);
    // toStrictEqual would fail, because avsc decodes into instances of its own class.
    expect(encoded.map((bytes) => codec.decode(Buffer.from(bytes, 'hex')))).toEqual(records);
  });

  test('every union in the schema has exactly two branches: null and one other type', () => {
    const check = (type: AvroType): void => {
      if (typeof type === 'string') return;
      if (Array.isArray(type)) {
        expect(type.length).toBe(2);
        expect(type[0]).toBe('null');
        check(type[1]!);
        return;
      }
      const complex = type as Exclude<AvroType, string | readonly AvroType[]>;
      if (complex.type === 'array') check(complex.items);
      if (complex.type === 'map') check(complex.values);
      if (complex.type === 'record') for (const field of complex.fields) check(field.type);
    };
    for (const field of streamSchemas[stream].fields) check(field.type);
  });
});

describe('a codec', () => {
  const codec = codecOf('timeseries');

  test('encodeInto writes at the given position, or returns the negated number of missing bytes', () => {
    const record = example('timeseries', 5) as unknown as Timeseries;
    const whole = Buffer.alloc(4096, 0xee);
    const end = codec.encodeInto(record, whole, 100);
    expect(end).toBeGreaterThan(100);
    expect(codec.decodeAt(whole, 100)).toEqual({ value: record, offset: end });
    expect(codec.encodeInto(record, Buffer.alloc(20), 0)).toBe(20 - (end - 100));
  });

  test('encodeInto returns the negated number of missing bytes for every buffer that is too small', () => {
    const plain = example('timeseries', 5) as unknown as Timeseries;
    for (const source of ['x'.repeat(40), 'é'.repeat(40), '😀'.repeat(20)]) {
      const record = { ...plain, receipt: { ...plain.receipt, source } };
      const { length } = codec.encode(record).subarray(10);
      for (let size = 0; size < length; size++) expect(codec.encodeInto(record, Buffer.alloc(size), 0)).toBe(size - length);
    }
  });

  test('instants and doubles are unchanged after encoding and decoding', () => {
    const safe = { min: LEAST_LONG, max: GREATEST_LONG };
    fc.assert(
      fc.property(
        fc.array(fc.integer(safe)),
        fc.array(fc.option(fc.double({ noNaN: true }), { nil: null })),
        (start_at, value) => {
          const record = { ...(example('timeseries', 1) as unknown as Timeseries), start_at, value };
          expect(codec.decode(codec.encode(record))).toEqual(record);
        },
      ),
    );
  });

  test('a decoded string does not depend on the value of the same field in the previous record', () => {
    // Strings that the cache could confuse: strings whose characters equal the UTF-8 bytes of a different string, prefixes
    // of other strings, and strings whose length takes two bytes.
    const texts = ['', 'é', 'Ã©', 'u1', 'u12', 'u13', '\0', '\ufffd', 'ü'.repeat(40), 'x'.repeat(63), 'x'.repeat(64)];
    texts.push(`\u0001${'x'.repeat(63)}`);
    const record = example('timeseries', 1) as unknown as Timeseries;
    const records = texts
      .flatMap((before) => texts.flatMap((after) => [before, after]))
      .map((source) => ({ ...record, receipt: { ...record.receipt, source } }));
    const read = records.map((one) => codec.decode(codec.encode(one)));
    expect(read.map(({ receipt }) => receipt.source)).toEqual(records.map(({ receipt }) => receipt.source));
    expect(read).toEqual(records);
  });

  test('encode throws if a value does not match the schema', () => {
    for (const wrong of [{ resource: 5 }, { extra: 5 }, { end_at: ['x'] }, { end_at: [undefined] }, { time_basis: null }])
      expect(() => codec.encode({ ...example('timeseries', 1), ...wrong } as unknown as Timeseries)).toThrow();
  });

  test('decode reads a record of an older schema version after learnSchema has registered that version', () => {
    const schema = JSON.parse(codec.schema) as { fields: FieldDeclaration[] };
    const older = JSON.stringify({
      ...schema,
      fields: schema.fields.filter(({ name }) => name !== 'sample_extra' && name !== 'extra'),
    });
    const { extra: _extra, sample_extra: _samples, ...record } = example('timeseries', 1);
    const writer = avsc.Type.forSchema(JSON.parse(older), { wrapUnions: 'never' } as never);
    const print = fingerprint(JSON.stringify(writer.schema()));
    const bytes = Buffer.concat([Buffer.from([0xc3, 0x01]), print, writer.toBuffer(record)]);
    expect(() => codec.decode(bytes)).toThrow(UnknownSchema);
    expect(learnSchema(older)).toBe(print.toString('hex'));
    expect(codec.decode(bytes)).toEqual({ ...record, extra: null, sample_extra: [] });
    expect(codec.decoderOf(older)(writer.toBuffer(record), 0).value).toEqual({ ...record, extra: null, sample_extra: [] });
  });
});

test('the codec reads timeseries records of the first version, in which end_at could not contain null', () => {
  const codec = codecOf('timeseries');
  const schema = JSON.parse(codec.schema) as { fields: { name: string; type: { type: string; items: AvroType } }[] };
  for (const { name, type } of schema.fields) if (name === 'end_at') type.items = (type.items as AvroType[])[1]!;
  const writer = avsc.Type.forSchema(schema as never, { wrapUnions: 'never' } as never);
  const record = { ...(example('timeseries', 1) as unknown as Timeseries), end_at: [1_774_000_000_000_001] };
  expect(codec.decoderOf(JSON.stringify(schema))(writer.toBuffer(record), 0).value).toEqual(record);
});

describe('fingerprint', () => {
  // From Avro's share/test/data/schema-tests.txt: the canonical form, and CRC-64-AVRO as a signed decimal.
  test.each([
    ['"null"', 7195948357588979594n],
    ['"boolean"', -6970731678124411036n],
    ['"int"', 8247732601305521295n],
    ['"long"', -3434872931120570953n],
    ['"string"', -8142146995180207161n],
    ['[]', -1241056759729112623n],
  ])('the fingerprint of %s matches the test data of the Avro project', (canonical, expected) => {
    expect(fingerprint(canonical).readBigInt64LE(0)).toBe(expected);
  });
});
