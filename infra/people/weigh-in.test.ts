import { expect, test } from 'vitest';
import { wear } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { wearerOf } from './person.ts';
import { bodyData, profileData, weighIns } from './weigh-in.ts';

const firstDay = Date.parse('2026-01-01') / 86_400_000;
const connectedAt = (firstDay + 200) * 86_400_000;
const people = Array.from({ length: 30 }, (_, number) =>
  wearerOf({ seed: 12, userId: `user ${number}`, clientUserId: 'client', teamId: 'team' }),
);
const owners = people.map((person) => {
  const connection = wear(person, { slug: 'withings', connectedAt });
  return { person, connection, list: Array.from({ length: 200 }, (_, i) => weighIns(connection, firstDay + i)).flat() };
});

test('a person steps on the scale soon after waking, on most days', () => {
  for (const { person, list } of owners) {
    expect(list.length).toBeGreaterThan(140);
    expect(list.length).toBeLessThan(195);
    for (const { day, at } of list) {
      const minutes = (at - dayRhythm(person, day).wake) / 60_000;
      expect(minutes).toBeGreaterThanOrEqual(3);
      expect(minutes).toBeLessThanOrEqual(15);
    }
  }
});

test('weight changes by a few kg in half a year and by less than 3 kg from day to day, and fat is plausible', () => {
  for (const { list } of owners) {
    const weights = list.map(({ weight }) => weight);
    expect(Math.min(...weights)).toBeGreaterThan(38);
    expect(Math.max(...weights)).toBeLessThan(160);
    const range = Math.max(...weights) - Math.min(...weights);
    expect(range).toBeGreaterThan(2);
    expect(range).toBeLessThan(6);
    for (const [i, { weight, fat }] of list.entries()) {
      expect(Math.abs(weight - (weights[i - 1] ?? weight))).toBeLessThan(3);
      expect(fat).toBeGreaterThan(4);
      expect(fat).toBeLessThan(52);
    }
  }
});

test('two scales of one person show almost the same weight', () => {
  for (const { person, list } of owners) {
    const other = wear(person, { slug: 'fitbit', connectedAt });
    for (const { day, weight } of list) {
      for (const again of weighIns(other, day)) expect(Math.abs(again.weight - weight)).toBeLessThan(0.2);
    }
  }
});

test('a body summary has the weight and fat of its measurement, and its parts agree with each other', () => {
  for (const { person, connection, list } of owners) {
    const body = bodyData(connection, list[0]!) as Record<string, number>;
    expect([body.weight, body.fat]).toEqual([list[0]!.weight, list[0]!.fat]);
    expect(body.body_mass_index).toBeCloseTo(body.weight! / (person.heightCm / 100) ** 2, 0);
    expect(body.lean_body_mass_kilogram! + (body.weight! * body.fat!) / 100).toBeCloseTo(body.weight!, 0);
    expect(body.muscle_mass_percentage! + body.bone_mass_percentage! + body.fat!).toBeCloseTo(100, 0);
    expect(body.water_percentage!).toBeLessThan(body.muscle_mass_percentage!);
    expect(body.body_mass_index!).toBeGreaterThan(17);
    expect(body.body_mass_index!).toBeLessThan(38);
  }
});

test('a person has the same height, birth date and sex at every provider, with one profile for each', () => {
  const sexes = new Set<unknown>();
  for (const person of people) {
    const profiles = ['withings', 'oura'].map(
      (slug) => profileData(wear(person, { slug, connectedAt })) as Record<string, unknown>,
    );
    const [one, other] = profiles.map(({ height, birth_date, sex, gender }) => ({ height, birth_date, sex, gender }));
    expect(one).toEqual(other);
    expect(profiles[0]!.id).not.toBe(profiles[1]!.id);
    const { height, birth_date, sex } = one as { height: number; birth_date: string; sex: string };
    expect(height).toBe(person.heightCm);
    expect(height).toBeGreaterThan(135);
    expect(height).toBeLessThan(205);
    const [year, ...rest] = birth_date.split('-');
    const birthday = `2025-${rest.join('-')}`;
    // On 1 January 2026, the birthday of 2025 is over.
    expect([birthday, 2025 - Number(year)]).toEqual([birthday, person.age]);
    sexes.add(sex);
  }
  expect(sexes).toEqual(new Set(['female', 'male']));
});
