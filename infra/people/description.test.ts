import { expect, test } from 'vitest';
import { describePerson, people, showcase } from './description.ts';

const options = { seed: 12, people: 20, days: 14 };

test('each person is described once and has one to three providers', () => {
  const all = people(options);
  expect(new Set(all.map(({ user_id }) => user_id)).size).toBe(20);
  expect(new Set(all.map(({ team_id }) => team_id)).size).toBe(1);
  expect(new Set(all.map(({ time_zone }) => time_zone)).size).toBe(9);
  expect(new Set(all.flatMap(({ providers }) => providers)).size).toBe(7);
  expect(new Set(all.map(({ providers }) => providers.length))).toEqual(new Set([1, 2, 3]));
  expect(describePerson(options, 3)).toEqual(all[3]);
  expect(() => describePerson(options, 20)).toThrow(RangeError);
});

test('the showcase person has at least eight complete days of data and five resources', () => {
  const best = showcase(options);
  const days = (Date.parse(best.last_whole_day!) - Date.parse(best.first_whole_day!)) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(7);
  expect(best.resources.length).toBeGreaterThanOrEqual(5);
});
