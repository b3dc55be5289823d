import { expect, test } from 'vitest';
import { wear } from './connection.ts';
import { liveEvents, pastEvents } from './events.ts';
import { localDayOf, wearerOf } from './person.ts';
import { wearables } from './provider.ts';
import { samplesIn } from './wearer.fixture.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');
const day = 86_400_000;
const ids = { userId: 'a2c1d6a4-7a39-4f0b-9a59-8c7f3c1d9e10', clientUserId: 'client', teamId: 'team' };

test('a person depends on the seed and the user id, but the body does not depend on the time zone or the client user id', () => {
  const person = wearerOf({ seed: 1, ...ids });
  expect(wearerOf({ seed: 1, ...ids })).toEqual(person);
  const moved = wearerOf({ seed: 1, ...ids, clientUserId: 'renamed', timeZone: 'Asia/Kathmandu' });
  expect(moved).toEqual({ ...person, clientUserId: 'renamed', zone: moved.zone });
  expect(moved.zone.name).toBe('Asia/Kathmandu');
  const seeds = [
    person.seed,
    wearerOf({ seed: 2, ...ids }).seed,
    wearerOf({ seed: 1, ...ids, userId: 'a2c1d6a4-7a39-4f0b-9a59-8c7f3c1d9e11' }).seed,
  ];
  expect(new Set(seeds).size).toBe(3);
});

test('the local day changes at midnight in the time zone of the person', () => {
  const person = wearerOf({ seed: 1, ...ids, timeZone: 'Asia/Tokyo' });
  const days = ['2026-05-04T14:59:59Z', '2026-05-04T15:00:00Z'].map((text) => localDayOf(person, Date.parse(text)));
  expect(days).toEqual([Date.parse('2026-05-04') / day, Date.parse('2026-05-05') / day]);
});

test('every wearable sends all of its resources, and pulls contain all of them', () => {
  for (const { slug, resources } of wearables) {
    const connection = wear(wearerOf({ seed: 3, ...ids }), { slug, connectedAt: noon });
    const today = localDayOf(connection.person, noon);
    const live = Array.from({ length: 60 }, (_, i) => liveEvents(connection, today + i)).flat();
    // A profile does not change, so only pulls contain it.
    const sent = new Set([...live.map(({ resource }) => resource), ...(resources.includes('profile') ? ['profile'] : [])]);
    expect([slug, sent]).toEqual([slug, new Set(resources)]);
    const range = { from: noon - 60 * day, until: noon };
    const pulled = resources.filter((resource) => pastEvents(connection, resource, range).length > 0);
    expect([slug, pulled]).toEqual([slug, resources]);
  }
});

test('live events update steps, sleep, activity, and corrected samples', () => {
  const connection = wear(wearerOf({ seed: 3, ...ids }), { slug: 'fitbit', connectedAt: noon });
  const today = localDayOf(connection.person, noon);
  const live = Array.from({ length: 60 }, (_, i) => liveEvents(connection, today + i)).flat();
  const updated = new Set(live.filter(({ verb }) => verb === 'updated').map(({ resource }) => resource));
  expect(updated).toEqual(new Set(['heartrate', 'steps', 'sleep', 'activity']));
});

test('oura sends sleep as tentative first, and confirms it', () => {
  const connection = wear(wearerOf({ seed: 3, ...ids }), { slug: 'oura', connectedAt: noon });
  const today = localDayOf(connection.person, noon);
  const live = Array.from({ length: 30 }, (_, i) => liveEvents(connection, today + i)).flat();
  const sleep = live.filter(({ resource }) => resource === 'sleep');
  const states = Map.groupBy(
    sleep.map(({ data }) => data() as { id: string; state: string }),
    ({ id }) => id,
  );
  expect(states.size).toBeGreaterThan(20);
  for (const list of [...states.values()].slice(0, -1))
    expect(list.map(({ state }) => state)).toEqual(['tentative', 'confirmed']);
});

test('an event has between 1 and 100 samples', () => {
  for (const { slug, resources } of wearables) {
    const person = wearerOf({ seed: 4, ...ids });
    const connection = wear(person, { slug, connectedAt: noon });
    const events = [
      ...liveEvents(connection, localDayOf(person, noon) + 1),
      ...resources.flatMap((resource) => pastEvents(connection, resource, { from: noon - 2 * day, until: noon })),
    ];
    // All steps of a day stay together.
    for (const event of events.filter(({ resource }) => resource !== 'steps')) {
      const samples = samplesIn(event);
      if (samples === undefined) continue;
      expect(samples.length).toBeGreaterThan(0);
      expect(samples.length).toBeLessThanOrEqual(100);
    }
  }
});

test('with `asOf`, only the range that contains it has the profile and the summary of the day that is not over', () => {
  const connection = wear(wearerOf({ seed: 5, ...ids, timeZone: 'Europe/Berlin' }), { slug: 'fitbit', connectedAt: noon });
  const asOf = noon + 20 * day;
  const days = (from: number, until: number) =>
    pastEvents(connection, 'activity', { from, until, asOf }).map(
      ({ data }) => (data() as { calendar_date: string }).calendar_date,
    );
  expect(days(asOf - 2 * day, asOf)).toEqual(['2026-05-24', '2026-05-23', '2026-05-22']);
  expect(days(asOf - 4 * day, asOf - 2 * day)).toEqual(['2026-05-21', '2026-05-20']);
  const profiles = (from: number, until: number) => pastEvents(connection, 'profile', { from, until, asOf }).length;
  expect([profiles(asOf - 2 * day, asOf), profiles(asOf - 40 * day, asOf - 2 * day)]).toEqual([1, 0]);
});

test('an empty range has no events', () => {
  const connection = wear(wearerOf({ seed: 5, ...ids }), { slug: 'fitbit', connectedAt: noon });
  expect(pastEvents(connection, 'heartrate', { from: noon, until: noon })).toEqual([]);
});

test('unknown providers, resources and time zones and values out of range are refused', () => {
  const person = wearerOf({ seed: 5, ...ids });
  const connection = wear(person, { slug: 'strava', connectedAt: noon });
  expect(() => wear(person, { slug: 'sundial', connectedAt: noon })).toThrow(/choose one of fitbit, oura/);
  expect(() => pastEvents(connection, 'glucose', { from: 0, until: noon })).toThrow(/strava has no generated glucose/);
  expect(() => wear(person, { slug: 'fitbit', connectedAt: noon + 0.5 })).toThrow(/connectedAt/);
  expect(() => wearerOf({ seed: 5, ...ids, timeZone: 'Mars/Olympus' })).toThrow(RangeError);
});
