import {
  type Column,
  type ColumnType,
  GREATEST_LONG,
  LEAST_LONG,
  parseDate,
  parseInstant,
  type StreamName,
  type StreamRecords,
  sampleValue,
} from '@aorta/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LandingColumn } from '../sql/landing.ts';
import { instantText, Serialiser } from './serialiser.ts';

type AnyRecord = StreamRecords[StreamName];

const column = (name: string, type: ColumnType): LandingColumn => ({
  name,
  type,
  required: false,
  value: (record) => (record as unknown as Record<string, unknown>)[name],
});
const field = (name: string, type: Column['type']) => ({ name, type, class: 'measure', doc: '' }) as unknown as Column;

const types = ['string', 'int64', 'float64', 'bool', 'timestamp', 'date', 'json'] as const;
type Type = (typeof types)[number];

/** Timestamps that Aorta accepts. In this range, Avro and JavaScript numbers represent every microsecond exactly. */
const instants = fc.integer({ min: LEAST_LONG, max: GREATEST_LONG });

const values: Readonly<Record<Type, fc.Arbitrary<unknown>>> = {
  string: fc.string({ unit: 'binary', maxLength: 20 }),
  json: fc.json({ maxDepth: 2 }),
  int64: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bool: fc.boolean(),
  timestamp: instants,
  date: fc.integer({ min: -719_162, max: 2_932_896 }),
};

function readBack(type: Type, value: unknown): unknown {
  if (value === undefined) return null;
  switch (type) {
    case 'timestamp':
      return parseInstant(value as string);
    case 'date':
      return parseDate(value as string);
    case 'int64':
      return BigInt(value as string | number);
    default:
      return value;
  }
}

const inRecord = (type: Type, value: unknown): unknown =>
  value === null ? null : type === 'int64' ? BigInt(value as number) : type === 'float64' && value === 0 ? 0 : value;

function linesOf(serialiser: Serialiser): Record<string, unknown>[] {
  const text = Buffer.concat(serialiser.take().body).toString('utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const row = fc.record(Object.fromEntries(types.map((type) => [type, fc.option(values[type])]))) as fc.Arbitrary<
  Record<Type, unknown>
>;

test('a serialised record equals the original after parsing', () => {
  const columns = [
    ...types.map((type) => column(type, type)),
    ...types.map((type) => column(`list_${type}`, { list: type })),
    column('objects', { list: types.map((type) => field(type, type)) as never }),
  ];
  const record = fc
    .tuple(
      row,
      fc.array(row, { maxLength: 4 }),
      fc.record(Object.fromEntries(types.map((type) => [`list_${type}`, fc.array(values[type], { maxLength: 4 })]))),
    )
    .map(([single, objects, lists]) => ({ ...single, ...lists, objects }));
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
      const serialiser = new Serialiser({ columns, samples: undefined });
      for (const one of records) serialiser.add(one as unknown as AnyRecord);
      const lines = linesOf(serialiser);
      expect(lines.length).toBe(records.length);
      for (const [index, line] of lines.entries()) {
        const one = records[index]! as Record<string, unknown>;
        for (const type of types) {
          expect(readBack(type, line[type])).toEqual(inRecord(type, one[type]));
          const list = (line[`list_${type}`] as unknown[]).map((value) => readBack(type, value));
          expect(list).toEqual((one[`list_${type}`] as unknown[]).map((value) => inRecord(type, value)));
        }
        const objects = (line.objects as Record<Type, unknown>[]).map((object) =>
          Object.fromEntries(types.map((type) => [type, readBack(type, object[type])])),
        );
        expect(objects).toEqual(
          (one.objects as Record<Type, unknown>[]).map((object) =>
            Object.fromEntries(types.map((type) => [type, inRecord(type, object[type])])),
          ),
        );
      }
    }),
  );
});

test('samples equal the originals after parsing, whether they share a value or each has its own', () => {
  const sampleColumns = [
    field('start_at', 'timestamp'),
    field('value', 'float64'),
    field('unit', 'string'),
    field('timezone_offset_s', 'int64'),
  ];
  const perSample = (count: number, value: fc.Arbitrary<unknown>) =>
    fc.oneof(
      fc.constant([]),
      fc.array(value, { minLength: 1, maxLength: 1 }),
      fc.array(value, { minLength: count, maxLength: count }),
    );
  const record = fc.integer({ min: 0, max: 6 }).chain((count) =>
    fc.record({
      id: fc.string(),
      start_at: fc.array(instants, { minLength: count, maxLength: count }),
      value: perSample(count, fc.option(values.float64)),
      unit: perSample(count, fc.option(fc.constantFrom('bpm', '"', '\u2028'))),
      timezone_offset_s: perSample(count, fc.option(fc.integer())),
    }),
  );
  fc.assert(
    fc.property(record, (one) => {
      const serialiser = new Serialiser({ columns: [column('id', 'string')], samples: sampleColumns });
      serialiser.add(one as unknown as AnyRecord);
      const [line] = linesOf(serialiser);
      const read = (line!._samples as Record<string, unknown>[]).map((sample) => [
        parseInstant(sample.start_at as string),
        sample.value ?? null,
        sample.unit ?? null,
        sample.timezone_offset_s ?? null,
      ]);
      const zero = (value: unknown): unknown => (value === 0 ? 0 : value);
      expect(read).toEqual(
        one.start_at.map((start, index) => [
          start,
          zero(sampleValue(one.value as never, index)),
          sampleValue(one.unit as never, index),
          sampleValue(one.timezone_offset_s as never, index),
        ]),
      );
    }),
  );
});

test('instants keep their microseconds, even before 1970', () => {
  expect(instantText(1_763_712_000_123_456)).toBe('2025-11-21T08:00:00.123456Z');
  expect(instantText(-1)).toBe('1969-12-31T23:59:59.999999Z');
  expect(instantText(0)).toBe('1970-01-01T00:00:00Z');
});

test('a lone surrogate becomes U+FFFD', () => {
  const serialiser = new Serialiser({ columns: [column('string', 'string')], samples: undefined });
  serialiser.add({ string: 'a\ud800b' } as unknown as AnyRecord);
  expect(linesOf(serialiser)).toEqual([{ string: 'a\ufffdb' }]);
});

test('large JSON values are split into chunks without loss', () => {
  const serialiser = new Serialiser({ columns: [column('json', 'json')], samples: undefined });
  const json = JSON.stringify({ text: 'é"\\\n'.repeat(260_000) });
  for (let index = 0; index < 3; index++) serialiser.add({ json } as unknown as AnyRecord);
  const lines = linesOf(serialiser);
  expect(lines.map((line) => line.json === json)).toEqual([true, true, true]);
  expect(serialiser.take()).toEqual({ body: [], bytes: 0 });
});
