import { expect, test } from 'vitest';
import { wear } from './connection.ts';
import { bloodOxygen, heartRateVariability, type Reading, respiratoryRate } from './night-series.ts';
import { wearerOf } from './person.ts';
import { sleepData, sleepSessions } from './sleep.ts';

const firstDay = Date.parse('2026-02-01') / 86_400_000;
const nights = Array.from({ length: 10 }, (_, number) => {
  const person = wearerOf({ seed: 13, userId: `user ${number}`, clientUserId: 'client', teamId: 'team' });
  const connection = wear(person, { slug: 'oura', connectedAt: (firstDay + 40) * 86_400_000 });
  return Array.from({ length: 40 }, (_, i) => ({ connection, day: firstDay + i }));
}).flat();
const slept = nights.flatMap(({ connection, day }) => {
  const session = sleepSessions(connection, day).find(({ stop, start }) => stop - start > 3 * 3_600_000);
  if (session === undefined) return [];
  const summary = sleepData(connection, session) as { average_hrv: number; respiratory_rate: number };
  return [{ connection, day, session, summary }];
});

const mean = (readings: readonly Reading[]) => readings.reduce((sum, { value }) => sum + value, 0) / readings.length;

test.each([
  { name: 'heart rate variability', of: heartRateVariability, minutes: 5 },
  { name: 'respiratory rate', of: respiratoryRate, minutes: 15 },
  { name: 'blood oxygen', of: bloodOxygen, minutes: 90 },
])('$name is recorded every $minutes minutes of the night, with few exceptions', ({ of, minutes }) => {
  let [recorded, possible] = [0, 0];
  for (const { connection, day, session } of slept) {
    const readings = of(connection, day);
    recorded += readings.length;
    possible += (session.stop - session.start) / 60_000 / minutes;
    for (const [i, { at }] of readings.entries()) {
      expect(at).toBeGreaterThanOrEqual(session.start);
      expect(at).toBeLessThan(session.stop);
      if (i > 0) expect((at - readings[i - 1]!.at) % (minutes * 60_000)).toBe(0);
    }
  }
  expect(recorded / possible).toBeGreaterThan(0.93);
  expect(recorded / possible).toBeLessThan(1);
});

test('the series of a night have values near those of the sleep summary', () => {
  expect(slept.length).toBeGreaterThan(300);
  for (const { connection, day, summary } of slept) {
    expect(Math.abs(mean(heartRateVariability(connection, day)) / summary.average_hrv - 1)).toBeLessThan(0.15);
    expect(Math.abs(mean(respiratoryRate(connection, day)) - summary.respiratory_rate)).toBeLessThan(0.6);
  }
});

test('blood oxygen is between 90 and 100 percent, and heart rate variability is between 5 and 150 ms', () => {
  const oxygen = nights.flatMap(({ connection, day }) => bloodOxygen(connection, day)).map(({ value }) => value);
  expect(Math.min(...oxygen)).toBeGreaterThanOrEqual(90);
  expect(Math.max(...oxygen)).toBeLessThanOrEqual(100);
  expect(mean(oxygen.map((value) => ({ at: 0, value })))).toBeGreaterThan(95);
  const hrv = nights.flatMap(({ connection, day }) => heartRateVariability(connection, day)).map(({ value }) => value);
  expect(Math.min(...hrv)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...hrv)).toBeLessThan(150);
});

test('a night without a recorded sleep has no series', () => {
  const bare = nights.filter(
    ({ connection, day }) => !sleepSessions(connection, day).some(({ start, stop }) => stop - start > 3 * 3_600_000),
  );
  expect(bare.length).toBeGreaterThan(3);
  for (const { connection, day } of bare) expect(heartRateVariability(connection, day)).toEqual([]);
});
