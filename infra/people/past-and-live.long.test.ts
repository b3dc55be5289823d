import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveEvents, pastEvents } from './events.ts';
import { type Provider, providerOf, wearables } from './provider.ts';
import { anyWearer, connected, dayMs, hourMs, keyed, latest, liveBetween } from './wearer.fixture.ts';

const past = (connection: ReturnType<typeof connected>, resources: readonly string[], range: { from: number; until: number }) =>
  resources.flatMap((resource) => pastEvents(connection, resource, range));

/**
 * Expects that the past of a connection and `days` days of live data give the same values as a later pull. Returns the number
 * of compared values.
 */
function expectSameAsLaterPull(given: Parameters<typeof connected>[0], instant: number, days: number): number {
  const { resources } = given.wearable;
  const [from, until] = [instant - 3 * dayMs, instant + days * dayMs];
  const early = connected(given, instant);
  const both = [...past(early, resources, { from, until: instant }), ...liveBetween(early, instant, until)];
  const late = past(connected(given, until), resources, { from, until });
  // The edges are left out: the first day is not pulled as a whole, and live data arrives some hours later.
  const inner = [from + 2 * dayMs, until - 2 * dayMs] as const;
  const expected = latest(late, inner);
  expect(latest(both, inner)).toEqual(expected);
  return expected.size;
}

/** A person who goes to bed at about 3 o'clock. Some visits and measurements of a day take place after midnight. */
const nightOwl = (wearable: Provider) => ({
  wearable,
  seed: 2,
  userId: 'user',
  timeZone: 'Europe/London',
  bedSecond: 27 * 3600,
});

describe('the past and the live events after it give the same values as a later pull', () => {
  test('for any person, wearable and instant', () => {
    let compared = 0;
    fc.assert(
      fc.property(anyWearer, (given) => {
        compared += expectSameAsLaterPull(given, given.instant, 5);
      }),
      { numRuns: 40 },
    );
    expect(compared).toBeGreaterThan(10_000);
  });

  // In two months, some blood pressure readings are corrected, and some naps end after the last visit of their day.
  test.each(['oura', 'strava', 'withings', 'omron'])('for two months of %s', (slug) => {
    const given = { wearable: providerOf(slug), seed: 1, userId: 'user' };
    expect(expectSameAsLaterPull(given, Date.parse('2026-05-04T13:00Z'), 60)).toBeGreaterThan(10);
  });

  test.each(wearables)('for $slug and a person who goes to bed after midnight', (wearable) => {
    for (const time of ['00:01', '00:40', '01:10', '01:40', '02:20', '23:59'])
      expectSameAsLaterPull(nightOwl(wearable), Date.parse(`2026-01-15T${time}Z`), 4);
  });
});

test('live events repeat no pulled data, except for the summaries of the current day', () => {
  fc.assert(
    fc.property(anyWearer, (given) => {
      const { instant, wearable } = given;
      const connection = connected(given, instant);
      const resources = wearable.resources.filter((resource) => resource !== 'activity');
      const pulled = latest(past(connection, resources, { from: instant - 2 * dayMs, until: instant }), [0, Infinity]);
      const live = liveBetween(connection, instant - dayMs, instant + 2 * dayMs).filter(
        ({ resource }) => resource !== 'activity',
      );
      expect(live.flatMap(keyed).filter(({ key }) => pulled.has(key))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

/** Expects that the ranges between the borders contain the same data as the whole range, once. */
function expectParts(given: Parameters<typeof connected>[0], borders: readonly number[]): void {
  const [from, until] = [borders[0]!, borders.at(-1)!];
  const connection = connected(given, until);
  for (const resource of given.wearable.resources) {
    const parts = borders.slice(1).flatMap((end, i) => pastEvents(connection, resource, { from: borders[i]!, until: end }));
    const found = parts.flatMap(keyed);
    expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
    const whole = pastEvents(connected(given, until), resource, { from, until });
    expect(new Map(found.map(({ key, value }) => [key, value]))).toEqual(latest(whole, [0, Infinity]));
  }
}

describe('adjacent ranges of the past contain the same data as the whole range, without duplicates', () => {
  test('for any borders', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 6 * dayMs - 1 }), { maxLength: 4 });
    fc.assert(
      fc.property(anyWearer, cuts, (given, offsets) => {
        const borders = [0, ...new Set(offsets), 6 * dayMs].sort((a, b) => a - b);
        expectParts(given, borders.map((offset) => given.instant - offset).reverse());
      }),
      { numRuns: 40 },
    );
  });

  test.each(wearables)('for $slug, borders after midnight, and a person who goes to bed later', (wearable) => {
    const borders = ['13T12:00', '14T00:10', '15T00:50', '16T01:20', '17T02:20', '18T12:00'];
    expectParts(
      nightOwl(wearable),
      borders.map((time) => Date.parse(`2026-01-${time}Z`)),
    );
  });
});

test('live events are in order, begin with the connection and arrive within hours of their local day', () => {
  fc.assert(
    fc.property(anyWearer, (given) => {
      const connection = connected(given, given.instant);
      const { zone } = connection.person;
      const today = zone.localDay(given.instant);
      expect(liveEvents(connection, today - 1)).toEqual([]);
      for (const day of [today, today + 1, today + 2]) {
        const times = liveEvents(connection, day).map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(Math.min(...times)).toBeGreaterThanOrEqual(Math.max(given.instant, zone.instantOf(day, 0)));
        expect(Math.max(...times)).toBeLessThan(zone.instantOf(day + 1, 0) + 2 * hourMs);
      }
    }),
    { numRuns: 40 },
  );
});

test('the past events of each source come newest first, and their samples oldest first', () => {
  fc.assert(
    fc.property(anyWearer, (given) => {
      const { instant, wearable } = given;
      const connection = connected(given, instant);
      for (const resource of wearable.resources) {
        const events = pastEvents(connection, resource, { from: instant - 10 * dayMs, until: instant });
        const typeOf = ({ data }: (typeof events)[number]) => (data() as { source: { type: string } }).source.type;
        for (const ofType of Map.groupBy(events, typeOf).values()) {
          const moments = ofType.map((event) => keyed(event).map(({ moment = 0 }) => moment));
          for (const samples of moments) expect(samples).toEqual(samples.toSorted((a, b) => a - b));
          const firsts = moments.map((samples) => samples[0]!);
          expect(firsts).toEqual(firsts.toSorted((a, b) => b - a));
        }
      }
    }),
    { numRuns: 20 },
  );
});
