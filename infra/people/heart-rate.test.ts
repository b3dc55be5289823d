import { expect, test } from 'vitest';
import { dayMs, hourMs } from './calendar.ts';
import { dayRhythm } from './day-rhythm.ts';
import { chunkMs, heartRateAt, heartRateSamples } from './heart-rate.ts';
import { membersOf, recording, samplesOf } from './recording.fixture.ts';
import { firstDay } from './schedule.ts';

const wearers = membersOf({ seed: 5, people: 20, days: 10 })
  .flatMap(({ spells }) => spells.map(({ connection }) => connection))
  .filter(({ provider }) => provider.resources.includes('heartrate'));

test('heart rate is near the resting rate at night and high at the end of a workout', () => {
  const resting = new Set<number>();
  let workouts = 0;
  for (const { person } of wearers) {
    resting.add(person.restingRate);
    for (let day = firstDay; day < firstDay + 10; day++) {
      const rhythm = dayRhythm(person, day);
      const night = heartRateAt(person, rhythm, rhythm.wake - hourMs);
      const noon = heartRateAt(person, rhythm, person.zone.instantOf(day, 43_200));
      expect(night).toBeLessThan(noon);
      expect(Math.abs(night - person.restingRate)).toBeLessThan(6);
      if (rhythm.workout === undefined) continue;
      expect(heartRateAt(person, rhythm, rhythm.workout.stop - 60_000)).toBeGreaterThan(person.restingRate + 40);
      workouts++;
    }
  }
  expect(resting.size).toBeGreaterThan(5);
  expect(workouts).toBeGreaterThan(10);
});

test('a chunk always has the same samples, except for the few that a correction changes', () => {
  for (const connection of wearers) {
    const chunk = Math.floor((firstDay * dayMs) / chunkMs(connection));
    const samples = heartRateSamples(connection, chunk);
    expect(heartRateSamples(connection, chunk)).toEqual(samples);
    const values = new Map(samples.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
    const corrected = heartRateSamples(connection, chunk, true);
    for (const { timestamp, value } of corrected) {
      expect(values.has(Date.parse(timestamp))).toBe(true);
      expect(value).not.toBe(values.get(Date.parse(timestamp)));
    }
    expect(corrected.length).toBeLessThan(samples.length / 4);
  }
});

test('most heart rate events have almost 100 samples, and none has more', () => {
  const lengths = recording({ seed: 5, people: 10, days: 3 })
    .filter(({ body, micros }) => body.event_type === 'daily.data.heartrate.created' && micros > (firstDay + 1) * dayMs * 1000)
    .map((seen) => samplesOf(seen).length)
    .sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeGreaterThanOrEqual(96);
  expect(lengths.at(-1)).toBeLessThanOrEqual(100);
});

test('a recording contains all three forms of the source object, all five time formats, and null and empty sample types', () => {
  const seen = recording({ seed: 5, people: 20, days: 3 }).filter(({ body }) =>
    body.event_type.startsWith('daily.data.heartrate.'),
  );
  const shapes = new Set(seen.map(({ body }) => Object.keys(body.data.source as object).join()));
  expect([...shapes].sort()).toEqual([
    'name,slug,logo',
    'provider,type,app_id,device_id',
    'provider,type,app_id,device_id,sport,workout_id,name,slug,logo',
  ]);
  const spellings = new Set(
    seen.flatMap((one) =>
      samplesOf(one)
        .slice(0, 1)
        .map(({ timestamp }) => timestamp!.replaceAll(/\d/g, '9').slice(19)),
    ),
  );
  expect([...spellings].sort()).toEqual(['+99:99', '.999+99:99', '.999999+99:99', '.999Z', 'Z'].sort());
  const types = new Set(seen.flatMap((one) => samplesOf(one).map(({ type }) => type)));
  expect(types).toEqual(new Set([null, '']));
  const old = seen.filter(({ body }) => 'source_id' in body.data);
  expect(old.length).toBeGreaterThan(0);
  expect(old.every(({ body }) => body.data.user_id === body.user_id)).toBe(true);
});
