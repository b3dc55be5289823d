import { expect, test } from 'vitest';
import { offsetOf } from '../api/times.ts';
import type { User } from '../users/user.ts';
import type { Json, Source } from './arrival.ts';
import { isPaused, isWithin } from './ingestion-bounds.ts';
import { bodyOf } from './packing.ts';
import { batchesOf, type Sample, samplesOf } from './samples.ts';

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
    body: { ...given, timestamp: '2026-03-28T23:30:00.000+00:00', type: null },
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
