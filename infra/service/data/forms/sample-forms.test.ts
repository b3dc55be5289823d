import { expect, test } from 'vitest';
import { workoutStreamSchema } from './sample-forms.ts';

const stream = {
  time: [1_767_225_600, 1_767_225_601],
  heartrate: [91, null],
  cadence: [80.5, null],
  altitude: [12.25, null],
  velocity_smooth: [2.5, null],
  distance: [0, 2.5],
  power: [200, null],
  resistance: [1.5, null],
  temperature: [21.5, null],
  lat: [52.5, null],
  lng: [13.4, null],
};

test.each([
  ['with all lists', stream],
  ['without lists', {}],
  ['with lists of different lengths', { time: [1_767_225_600], heartrate: [91, 92], power: [] }],
  ['with null instead of lists', Object.fromEntries(Object.keys(stream).map((name) => [name, null]))],
])('a workout stream %s is accepted', (_, given) => {
  expect(workoutStreamSchema.parse(given)).toEqual(given);
});

test.each([
  ['another list', { ...stream, speed: [1] }, ['']],
  ['a fraction of a second', { time: [1.5] }, ['time.0']],
  ['a second of null', { time: [null] }, ['time.0']],
  ['a fraction of a beat', { heartrate: [91.5] }, ['heartrate.0']],
  ['a text', { lat: [1, '2'] }, ['lat.1']],
])('a workout stream with %s is refused', (_, given, paths) => {
  expect(workoutStreamSchema.safeParse(given).error?.issues.map(({ path }) => path.join('.'))).toEqual(paths);
});
