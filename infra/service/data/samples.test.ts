import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetOf } from '../api/times.ts';
import { isPaused, isWithin, type User } from '../users/users.ts';
import type { Json, Source } from './arrival.ts';
import { timeseriesResources } from './forms/sample-forms.ts';
import { batchesOf, bodyOf, Packer, type Sample, samplesOf, shapeOf } from './samples.ts';

const source: Source = { provider: 'omron', type: 'cuff', app_id: null, device_id: null, sport: null, workout_id: null };
const user = { fallback_time_zone: null } as User;
const given = { timestamp: '2026-03-28T23:30:00Z', timezone_offset: null, type: '', unit: 'bpm', value: 60 };

/** Returns what the service keeps of a sample. */
function kept(sample: Json, resource: string, { of = user, isFloating = false } = {}) {
  const [one] = samplesOf([sample], resource, source, { user: of, isFloating }) as [Sample];
  return { at: one.at, date: one.date, variant: one.variant, body: bodyOf(one) };
}

test('a sample is kept in the spelling of the service, and an empty type counts as none', () => {
  expect(kept(given, 'heartrate')).toEqual({
    at: Date.UTC(2026, 2, 28, 23, 30),
    date: '2026-03-28',
    variant: '',
    body: { ...given, timestamp: '2026-03-28T23:30:00.000+00:00', timezone_offset: 0, type: null },
  });
});

test('a source without a time zone gets that of the user, but a source with local times does not', () => {
  const of = { fallback_time_zone: 'Europe/Berlin' } as User;
  const zoned = kept(given, 'heartrate', { of });
  expect(zoned.body.timezone_offset).toBe(3600);
  expect(zoned.date).toBe('2026-03-29');
  expect(kept(given, 'heartrate', { of, isFloating: true }).body.timezone_offset).toBeNull();
  const own = kept({ ...given, timezone_offset: -18_000 }, 'heartrate', { of });
  expect(own.body.timezone_offset).toBe(-18_000);
});

test('a source without a time zone gets the offset 0 if the team has set no zone, but a source with local times does not', () => {
  const { timezone_offset: _, ...without } = given;
  const interval = { start: given.timestamp, end: '2026-03-28T23:45:00Z', unit: 'count', value: 60 };
  for (const sample of [given, without, interval]) {
    const { body, date } = kept(sample, 'heartrate');
    expect([body.timezone_offset, date]).toEqual([0, '2026-03-28']);
    expect(kept(sample, 'heartrate', { isFloating: true }).body.timezone_offset).toBeNull();
  }
  expect(kept({ ...given, timezone_offset: -18_000 }, 'heartrate').body.timezone_offset).toBe(-18_000);
});

test('samples of one arrival get the offset of their own time', () => {
  const of = { fallback_time_zone: 'Europe/Berlin' } as User;
  const times = ['2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z'];
  const given = times.map((timestamp): Json => ({ timestamp, unit: 'bpm', value: 60 }));
  const samples = samplesOf(given, 'heartrate', source, { user: of, isFloating: false });
  expect(samples.map((sample) => bodyOf(sample).timezone_offset)).toEqual([3600, 7200]);
});

test('an interval is identified by its start, which is also its deprecated timestamp', () => {
  const { timestamp: _, ...rest } = given;
  const interval = { ...rest, start: '2026-03-28T10:00:00Z', end: '2026-03-28T10:15:00Z' };
  const { at, body } = kept(interval, 'steps');
  expect(at).toBe(Date.UTC(2026, 2, 28, 10));
  expect(body).toMatchObject({ start: '2026-03-28T10:00:00.000+00:00', timestamp: '2026-03-28T10:00:00.000+00:00' });
});

test('the type tells samples apart only where the resource has several types at one time', () => {
  expect(kept({ ...given, type: 'cholesterol/hdl' }, 'cholesterol').variant).not.toBe('');
  expect(kept({ ...given, type: 'automatic' }, 'glucose').variant).toBe('');
});

test('the offset of a zone follows its clock changes', () => {
  expect(offsetOf('Europe/Berlin', Date.UTC(2026, 2, 29, 0, 59))).toBe(3600);
  expect(offsetOf('Europe/Berlin', Date.UTC(2026, 2, 29, 1))).toBe(7200);
  expect(offsetOf('America/New_York', Date.UTC(2026, 0, 1))).toBe(-18_000);
  expect(offsetOf('Asia/Kolkata', Date.UTC(2026, 0, 1))).toBe(19_800);
  expect(offsetOf('Etc/UTC', Date.UTC(2026, 0, 1))).toBe(0);
});

test('batches keep the order of samples, and none is larger than the limit unless it has one sample', () => {
  const notes = [10, 10, 10, 400, 10].map((length): Json => ({ ...given, value: 'x'.repeat(length) }));
  const samples = samplesOf(notes, 'note', source, { user, isFloating: false });
  const size = JSON.stringify(bodyOf(samples[0]!)).length + 1;
  const batches = batchesOf(samples, 2 * size);
  expect(batches.flat()).toEqual(samples);
  expect(batches.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
  expect(batchesOf([], 80)).toEqual([]);
});

test('both bounds of ingestion belong to the range, and connections pause 7 days after its end', () => {
  const bounds = { ingestion_start: '2026-01-10', ingestion_end: '2026-01-20' };
  const dates = ['2026-01-09', '2026-01-10', '2026-01-20', '2026-01-21'];
  expect(dates.map((date) => isWithin(bounds, date))).toEqual([false, true, true, false]);
  expect(isWithin({ ingestion_start: null, ingestion_end: null }, '1999-01-01')).toBe(true);
  expect(isPaused(bounds, Date.UTC(2026, 0, 28) - 1)).toBe(false);
  expect(isPaused(bounds, Date.UTC(2026, 0, 28))).toBe(true);
});

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
