import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from './arrival.ts';
import { timeseriesResources } from './forms/samples.ts';
import { bodyOf, Packer, shapeOf } from './packing.ts';

const time = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(9999, 0, 1) });
const spell = (ms: number): string => new Date(ms).toISOString();
const text = fc.string({ unit: 'binary' });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 });

/** A sample as a test may script it. Some members may be missing. */
const anySample: fc.Arbitrary<Json> = fc
  .tuple(
    time,
    fc.record(
      {
        id: fc.integer(),
        timezone_offset: option(fc.integer({ min: -50_000, max: 50_000 })),
        type: option(text),
        unit: text,
        end: time.map(spell),
        value: fc.oneof(number, text),
        systolic: number,
        diastolic: number,
        grouping: fc.array(option(text)),
        tags: option(fc.array(text)),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(['timestamp'], ['start'], ['timestamp', 'start']),
  )
  .map(([at, members, names]) => ({ ...members, ...Object.fromEntries(names.map((name) => [name, spell(at)])) }));

/** The sample in the spelling of the service. */
const inOwnSpelling = (sample: Json): Json =>
  Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [
      name,
      ['timestamp', 'start', 'end'].includes(name) ? String(value).replace('Z', '+00:00') : value,
    ]),
  );

test('a packed sample gives back the same JSON, whichever samples were packed before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anySample, fc.integer({ min: 1, max: 3 })), { minLength: 1 }), (given) => {
      const packer = new Packer();
      for (const [sample, times] of given) {
        for (let time = 0; time < times; time += 1) {
          const { at, shape, value } = packer.pack(sample);
          // As if it had been stored: the text of a shape is all that the service stores of it.
          const body = JSON.stringify(bodyOf({ at, shape: shapeOf(shape.text), value }));
          expect(body).toBe(JSON.stringify(inOwnSpelling(sample)));
          expect(Buffer.byteLength(body)).toBeLessThanOrEqual(shape.maxBytes);
        }
      }
    }),
  );
});

test('samples of every resource that differ only in time and value have one shape', () => {
  for (const { shape, unit } of timeseriesResources.filter(({ shape }) => shape !== 'note')) {
    const packer = new Packer();
    const packed = [0, 1].map((minute) => {
      const [start, end] = [60_000 * minute, 60_000 * (minute + 15)].map(spell);
      const moment = shape === 'interval' ? { timestamp: start, start, end } : { timestamp: start };
      const value = shape === 'blood_pressure' ? { systolic: 120 + minute, diastolic: 80 } : { value: 5.5 + minute };
      return packer.pack({ ...moment, timezone_offset: 3600, type: null, unit, ...value });
    });
    expect(packed.map(({ at }) => at)).toEqual([0, 60_000]);
    expect(packed[1]!.shape.text).toBe(packed[0]!.shape.text);
    expect(packed[1]!.value! - packed[0]!.value!).toBe(1);
  }
});

test('a sample whose time is no instant is refused', () => {
  expect(() => new Packer().pack({ timestamp: 'soon', value: 1 })).toThrow(RangeError);
  expect(() => new Packer().pack({ start: '2026-01-01T00:00:00Z', end: 'late', value: 1 })).toThrow(RangeError);
});
