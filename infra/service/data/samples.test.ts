import { expect, test } from 'vitest';
import type { User } from '../users/user.ts';
import type { Source } from './arrival.ts';
import { isPaused, isWithin } from './ingestion-bounds.ts';
import { batchesOf, sampleOf } from './samples.ts';
import { offsetOf } from './time-zone-offset.ts';

const source: Source = { provider: 'omron', type: 'cuff', app_id: null, device_id: null, sport: null, workout_id: null };
const user = { fallback_time_zone: null } as User;
const given = { timestamp: '2026-03-28T23:30:00Z', timezone_offset: null, type: '', unit: 'bpm', value: 60 };

test('a sample is kept in the spelling of the service, and an empty type counts as none', () => {
  const sample = sampleOf(given, 'heartrate', source, { user, isFloating: false });
  expect(sample).toEqual({
    at: Date.UTC(2026, 2, 28, 23, 30),
    date: '2026-03-28',
    variant: '',
    body: { ...given, timestamp: '2026-03-28T23:30:00.000+00:00', type: null },
  });
});

test('a source without a time zone gets that of the user, but a source with local times does not', () => {
  const berliner = { fallback_time_zone: 'Europe/Berlin' } as User;
  const zoned = sampleOf(given, 'heartrate', source, { user: berliner, isFloating: false });
  expect(zoned.body.timezone_offset).toBe(3600);
  expect(zoned.date).toBe('2026-03-29');
  expect(sampleOf(given, 'heartrate', source, { user: berliner, isFloating: true }).body.timezone_offset).toBeNull();
  const own = sampleOf({ ...given, timezone_offset: -18_000 }, 'heartrate', source, { user: berliner, isFloating: false });
  expect(own.body.timezone_offset).toBe(-18_000);
});

test('an interval is identified by its start, which is also its deprecated timestamp', () => {
  const { timestamp: _, ...rest } = given;
  const interval = { ...rest, start: '2026-03-28T10:00:00Z', end: '2026-03-28T10:15:00Z' };
  const { at, body } = sampleOf(interval, 'steps', source, { user, isFloating: false });
  expect(at).toBe(Date.UTC(2026, 2, 28, 10));
  expect(body).toMatchObject({ start: '2026-03-28T10:00:00.000+00:00', timestamp: '2026-03-28T10:00:00.000+00:00' });
});

test('the type tells samples apart only where the resource has several types at one time', () => {
  const typed = { ...given, type: 'cholesterol/hdl' };
  expect(sampleOf(typed, 'cholesterol', source, { user, isFloating: false }).variant).not.toBe('');
  expect(sampleOf({ ...given, type: 'automatic' }, 'glucose', source, { user, isFloating: false }).variant).toBe('');
});

test('the offset of a zone follows its clock changes', () => {
  expect(offsetOf('Europe/Berlin', Date.UTC(2026, 2, 29, 0, 59))).toBe(3600);
  expect(offsetOf('Europe/Berlin', Date.UTC(2026, 2, 29, 1))).toBe(7200);
  expect(offsetOf('America/New_York', Date.UTC(2026, 0, 1))).toBe(-18_000);
  expect(offsetOf('Asia/Kolkata', Date.UTC(2026, 0, 1))).toBe(19_800);
  expect(offsetOf('Etc/UTC', Date.UTC(2026, 0, 1))).toBe(0);
});

test('batches keep the order of samples, and none is larger than the limit unless it has one sample', () => {
  const samples = [10, 10, 10, 400, 10].map((length, index) => ({ index, text: 'x'.repeat(length) }));
  const batches = batchesOf(samples, 80);
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
