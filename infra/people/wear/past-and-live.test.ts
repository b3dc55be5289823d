import fc from 'fast-check';
import { expect, test } from 'vitest';
import { liveEvents } from './live-events.ts';
import { pastEvents } from './past-events.ts';
import { anyWearer, connected, dayMs, hourMs, keyed, latest, liveBetween } from './wearer.fixture.ts';

const past = (connection: ReturnType<typeof connected>, resources: readonly string[], range: { from: number; until: number }) =>
  resources.flatMap((resource) => pastEvents(connection, resource, range));

test('the past and the live events after it give the same values as a later pull', () => {
  fc.assert(
    fc.property(anyWearer, (given) => {
      const { instant, wearable } = given;
      const [from, until] = [instant - 3 * dayMs, instant + 5 * dayMs];
      const early = connected(given, instant);
      const both = [...past(early, wearable.resources, { from, until: instant }), ...liveBetween(early, instant, until)];
      const late = past(connected(given, until), wearable.resources, { from, until });
      // The edges are left out: the first day is not pulled as a whole, and live data arrives some hours later.
      const inner = [from + 2 * dayMs, until - 2 * dayMs] as const;
      expect(latest(both, inner)).toEqual(latest(late, inner));
    }),
    { numRuns: 40 },
  );
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

test('adjacent ranges of the past contain the same data as the whole range, without duplicates', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 6 * dayMs - 1 }), { maxLength: 4 });
  fc.assert(
    fc.property(anyWearer, cuts, (given, offsets) => {
      const { instant, wearable } = given;
      const connection = connected(given, instant);
      const start = instant - 6 * dayMs;
      const borders = [0, ...new Set(offsets), 6 * dayMs].sort((a, b) => a - b).map((offset) => start + offset);
      for (const resource of wearable.resources) {
        const parts = borders.slice(1).flatMap((until, i) => pastEvents(connection, resource, { from: borders[i]!, until }));
        const found = parts.flatMap(keyed);
        expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
        const whole = pastEvents(connected(given, instant), resource, { from: start, until: instant });
        expect(new Map(found.map(({ key, value }) => [key, value]))).toEqual(latest(whole, [0, Infinity]));
      }
    }),
    { numRuns: 40 },
  );
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

test('past events of a source come newest first, and their samples oldest first', () => {
  fc.assert(
    fc.property(anyWearer, (given) => {
      const { instant, wearable } = given;
      const connection = connected(given, instant);
      for (const resource of wearable.resources) {
        const events = pastEvents(connection, resource, { from: instant - 10 * dayMs, until: instant });
        const moments = events.map((event) => keyed(event).map(({ moment = 0 }) => moment));
        for (const samples of moments) expect(samples).toEqual(samples.toSorted((a, b) => a - b));
        const sourceTypes = events.map(({ data }) => (data() as { source: { type: string } }).source.type);
        for (const type of new Set(sourceTypes)) {
          const firsts = moments.filter((_, index) => sourceTypes[index] === type).map((samples) => samples[0]!);
          expect(firsts).toEqual(firsts.toSorted((a, b) => b - a));
        }
      }
    }),
    { numRuns: 20 },
  );
});
