import { describe, expect, test } from 'vitest';
import { dayNumber } from './calendar.ts';
import { providerSlug, recording, type Seen, samplesOf, smooth, sourceType, zonesOf } from './recording.fixture.ts';

const options = { seed: 4, people: 20, days: 10 };
const seen = recording({ ...options, rates: smooth });
const zones = zonesOf(options);

const ofType = (part: string) => seen.filter(({ body }) => body.event_type.startsWith(`daily.data.${part}.`));

/** Returns the last version of every summary. Without delivery faults, versions arrive in order. */
function latest(part: string): Seen[] {
  return [...new Map(ofType(part).map((one) => [String(one.body.data.id), one])).values()];
}

interface Activity {
  id: string;
  steps: number;
  distance: number;
  calendar_date: string;
  calories_active: number;
  calories_total: number;
  created_at?: string;
  updated_at?: string;
}

describe('activity', () => {
  test('the steps of an activity summary are the sum of the day’s buckets', () => {
    const sums = new Map<string, Map<string, number>>();
    for (const one of ofType('steps')) {
      for (const { start, value } of samplesOf(one)) {
        const day = zones.get(one.body.user_id)!.localDay(Date.parse(start!));
        const key = `${one.body.user_id} ${providerSlug(one)} ${sourceType(one)} ${day}`;
        sums.set(key, (sums.get(key) ?? new Map<string, number>()).set(String(Date.parse(start!)), value!));
      }
    }
    let compared = 0;
    for (const one of latest('activity')) {
      const data = one.body.data as unknown as Activity;
      const day = dayNumber(data.calendar_date);
      const key = `${one.body.user_id} ${providerSlug(one)} ${sourceType(one)} ${day}`;
      const buckets = sums.get(key);
      // People connect until 22 March. The first pull goes back two days for steps, and contains only a part of its oldest
      // day. The last day is incomplete.
      if (buckets === undefined || day > dayNumber('2026-03-28') || day < dayNumber('2026-03-21')) continue;
      expect([key, [...buckets.values()].reduce((sum, value) => sum + value, 0)]).toEqual([key, data.steps]);
      compared++;
    }
    expect(compared).toBeGreaterThan(100);
  });

  test('the versions of a day’s summary have the same id and created_at, with increasing values and updated_at', () => {
    const versions = new Map<string, Activity[]>();
    for (const { body } of ofType('activity')) {
      const data = body.data as unknown as Activity;
      versions.set(data.id, [...(versions.get(data.id) ?? []), data]);
    }
    let [several, versioned] = [0, 0];
    for (const list of versions.values()) {
      if (list.length > 3) several++;
      for (const [i, next] of list.entries()) {
        const before = list[i - 1];
        if (before === undefined) continue;
        expect(next.steps).toBeGreaterThanOrEqual(before.steps);
        expect(next.calories_total).toBeGreaterThanOrEqual(before.calories_total);
        expect(next.created_at).toBe(before.created_at);
        if (next.updated_at === undefined) continue;
        expect(Date.parse(next.updated_at)).toBeGreaterThan(Date.parse(before.updated_at!));
        expect(Date.parse(next.created_at!)).toBeLessThanOrEqual(Date.parse(next.updated_at));
        versioned++;
      }
    }
    expect(several).toBeGreaterThan(80);
    expect(versioned).toBeGreaterThan(500);
  });

  test('an activity summary has a distance that matches its steps, and more total than active calories', () => {
    for (const { body } of latest('activity')) {
      const { steps, distance, calories_active, calories_total } = body.data as unknown as Activity;
      if (steps > 500) expect(distance / steps).toBeGreaterThan(0.5);
      if (steps > 500) expect(distance / steps).toBeLessThan(0.95);
      expect(calories_total).toBeGreaterThan(calories_active);
    }
  });
});

describe('sleep', () => {
  test('the sleep stages add up to the total, and the duration is stop minus start', () => {
    for (const { body } of ofType('sleep')) {
      const data = body.data as Record<string, number> & { bedtime_start: string; bedtime_stop: string };
      expect(data.light! + data.rem! + data.deep!).toBe(data.total);
      expect(data.total! + data.awake!).toBe(data.duration);
      expect((Date.parse(String(data.bedtime_stop)) - Date.parse(String(data.bedtime_start))) / 1000).toBe(data.duration);
      expect(Math.min(data.light!, data.rem!, data.deep!, data.awake!)).toBeGreaterThanOrEqual(0);
      expect(data.hr_lowest!).toBeLessThanOrEqual(data.hr_average!);
    }
    expect(ofType('sleep').length).toBeGreaterThan(500);
  });

  test('a night is first sent as tentative and then as confirmed, possibly with a different date', () => {
    const versions = new Map<string, Record<string, unknown>[]>();
    for (const { body } of ofType('sleep'))
      versions.set(String(body.data.id), [...(versions.get(String(body.data.id)) ?? []), body.data]);
    const confirmed = [...versions.values()].filter(
      (list) => list[0]?.state === 'tentative' && list.at(-1)?.state === 'confirmed',
    );
    expect(confirmed.length).toBeGreaterThan(30);
    expect(confirmed.every((list) => list.at(-1)!.score !== null || list.at(-1)!.type !== 'long_sleep')).toBe(true);
    const moved = confirmed.filter((list) => list[0]!.calendar_date !== list.at(-1)!.calendar_date);
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.length / confirmed.length).toBeLessThan(0.2);
  });
});

test('only summaries in the oldest format have no updated_at', () => {
  const without = latest('activity').filter(({ body }) => !('updated_at' in body.data));
  expect(without.length).toBeGreaterThan(0);
  expect(without.length).toBeLessThan(latest('activity').length / 2);
  expect(
    without.every(({ body }) => 'slug' in (body.data.source as object) && !('provider' in (body.data.source as object))),
  ).toBe(true);
});
