import { expect, test } from 'vitest';
import { activityData } from './activity.ts';
import { wear } from './connection.ts';
import { wearerOf } from './person.ts';
import { workoutsOf } from './workout.ts';
import { shallowStreamData, workoutData, workoutStream } from './workout-summary.ts';

interface Summary {
  id: string;
  average_hr: number;
  max_hr: number;
  distance: number;
  time_start: string;
  time_end: string;
  calendar_date: string;
  calories: number;
  sport: { slug: string };
  hr_zones: number[];
  moving_time: number;
  total_elevation_gain: number;
  elev_high: number;
  elev_low: number;
  average_speed: number;
  max_speed: number;
  steps: number;
  provider_id: string;
}
type Stream = Record<'time' | 'heartrate' | 'cadence' | 'altitude' | 'velocity_smooth' | 'distance' | 'lat', number[]>;

const firstDay = Date.parse('2026-03-01') / 86_400_000;
const recorded = Array.from({ length: 12 }, (_, number) => {
  const person = wearerOf({ seed: 11, userId: `user ${number}`, clientUserId: 'client', teamId: 'team' });
  const connection = wear(person, { slug: 'garmin', connectedAt: (firstDay + 60) * 86_400_000 });
  return Array.from({ length: 60 }, (_, i) => workoutsOf(connection, firstDay + i))
    .flat()
    .map((workout) => ({
      person,
      workout,
      summary: workoutData(connection, workout) as Summary,
      stream: workoutStream(connection, workout) as Stream,
      shallow: shallowStreamData(connection, workout) as { workout_id: string; provider_id: string; sport: object },
      day: activityData(connection, workout.day, workout.stop + 86_400_000) as {
        steps: number;
        distance: number;
        calories_active: number;
      },
    }));
}).flat();

test('a stream has a point every 5 seconds from the start to the end, and parallel arrays', () => {
  expect(recorded.length).toBeGreaterThan(100);
  for (const { summary, stream } of recorded) {
    expect(stream.time[0]).toBe(Date.parse(summary.time_start) / 1000);
    expect(stream.time.at(-1)).toBe(Date.parse(summary.time_end) / 1000 - 5);
    expect(stream.time.slice(1).every((time, i) => time - stream.time[i]! === 5)).toBe(true);
    for (const name of ['heartrate', 'cadence', 'altitude', 'velocity_smooth', 'distance'] as const)
      expect(stream[name].length).toBe(stream.time.length);
    expect(stream.lat).toEqual([]);
  }
});

test('the six heart-rate zones add up to the duration, and count the points of the stream', () => {
  for (const { person, summary, stream } of recorded) {
    expect(summary.hr_zones.length).toBe(6);
    const seconds = (Date.parse(summary.time_end) - Date.parse(summary.time_start)) / 1000;
    expect(summary.hr_zones.reduce((sum, zone) => sum + zone, 0)).toBe(seconds);
    const easy = stream.heartrate.filter((rate) => rate / person.highestRate < 0.5).length * 5;
    const hard = stream.heartrate.filter((rate) => rate / person.highestRate >= 0.9).length * 5;
    expect([summary.hr_zones[0], summary.hr_zones[5]]).toEqual([easy, hard]);
  }
  const used = [0, 1, 2, 3, 4, 5].filter((zone) => recorded.some(({ summary }) => summary.hr_zones[zone]! > 0));
  expect(used.length).toBeGreaterThan(4);
});

test('a summary agrees with its stream', () => {
  for (const { summary, stream } of recorded) {
    const mean = stream.heartrate.reduce((sum, rate) => sum + rate, 0) / stream.heartrate.length;
    expect(Math.abs(summary.average_hr - mean)).toBeLessThanOrEqual(0.5);
    expect(summary.max_hr).toBe(Math.max(...stream.heartrate));
    expect(summary.distance).toBe(stream.distance.at(-1));
    expect(summary.moving_time).toBe(stream.velocity_smooth.filter((velocity) => velocity > 0).length * 5);
    expect(Math.abs(summary.average_speed * summary.moving_time - summary.distance)).toBeLessThan(50);
    const climbed = stream.altitude.slice(1).reduce((sum, meters, i) => sum + Math.max(0, meters - stream.altitude[i]!), 0);
    expect(summary.total_elevation_gain).toBeCloseTo(climbed, 0);
    expect([summary.elev_low, summary.elev_high]).toEqual([Math.min(...stream.altitude), Math.max(...stream.altitude)]);
    expect(climbed).toBeLessThan(0.16 * summary.distance);
    const walked = stream.velocity_smooth.reduce((sum, velocity) => sum + velocity * 5, 0);
    expect(Math.abs(walked - summary.distance)).toBeLessThan(1);
  }
});

test('a workout is plausible, and is a part of the activity of its day', () => {
  const sports = new Set<string>();
  let pauses = 0;
  for (const { person, summary, stream, day } of recorded) {
    sports.add(summary.sport.slug);
    expect(summary.average_hr).toBeGreaterThan(person.restingRate);
    expect(summary.max_hr).toBeLessThanOrEqual(person.highestRate);
    expect(summary.average_speed).toBeGreaterThan(0.5);
    expect(summary.max_speed).toBeLessThan(4);
    expect(Math.max(...stream.cadence)).toBeLessThan(220);
    expect(summary.steps).toBeLessThanOrEqual(day.steps);
    expect(summary.distance).toBeLessThanOrEqual(day.distance);
    expect(summary.calories).toBeGreaterThan(30);
    expect(summary.calories).toBeLessThan(day.calories_active * 1.2);
    pauses += stream.velocity_smooth.filter((velocity) => velocity === 0).length;
  }
  expect(sports).toEqual(new Set(['walking', 'hiking', 'running']));
  expect(pauses).toBeGreaterThan(100);
});

test('each workout has an id of its own, and its shallow event refers to it', () => {
  expect(new Set(recorded.map(({ summary }) => summary.id)).size).toBe(recorded.length);
  for (const { summary, shallow } of recorded) {
    expect(summary.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([shallow.workout_id, shallow.provider_id, shallow.sport]).toEqual([summary.id, summary.provider_id, summary.sport]);
  }
});
