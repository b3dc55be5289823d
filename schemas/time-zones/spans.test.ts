import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIRST_INSTANT_S, LAST_INSTANT_S } from './range.ts';
import { timeZoneVersion } from './rules.generated.ts';
import { type TimeBasis, timeZones } from './spans.ts';
import { unlistedNames } from './unlisted-names.ts';
import { offsetOfWallClock } from './wall-clock.fixture.ts';

const zones = new Map(timeZones().flatMap(({ zones, spans }) => zones.map((zone) => [zone, spans] as const)));

function offset(zone: string, basis: TimeBasis, time: string): number {
  const second = Date.parse(time) / 1000;
  const found = zones.get(zone)!.filter((span) => span.basis === basis && span.from <= second && second < span.to);
  expect(found).toHaveLength(1);
  return found[0]!.offset;
}

const HOUR = 3600;

test.each<[string, string, number]>([
  ['Europe/Berlin', '2026-03-29T00:59:59Z', HOUR],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 2 * HOUR],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', 2 * HOUR],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', HOUR],
  ['America/New_York', '2010-01-01T00:00:00Z', -5 * HOUR],
  ['America/New_York', '2026-03-08T07:00:00Z', -4 * HOUR],
  ['US/Eastern', '2026-03-08T06:59:59Z', -5 * HOUR],
  ['America/Los_Angeles', '2037-12-31T23:59:59Z', -8 * HOUR],
  ['Asia/Kolkata', '2026-07-01T00:00:00Z', 5.5 * HOUR],
  ['Asia/Calcutta', '2026-07-01T00:00:00Z', 5.5 * HOUR],
  ['Asia/Kathmandu', '2026-07-01T00:00:00Z', 5.75 * HOUR],
  ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 11 * HOUR],
  ['Australia/Lord_Howe', '2026-07-01T00:00:00Z', 10.5 * HOUR],
  ['Pacific/Apia', '2011-12-30T09:59:59Z', -10 * HOUR],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', 14 * HOUR],
  ['Europe/Moscow', '2014-10-25T21:59:59Z', 4 * HOUR],
  ['Europe/Moscow', '2014-10-25T22:00:00Z', 3 * HOUR],
  ['America/Sao_Paulo', '2019-01-01T00:00:00Z', -2 * HOUR],
  ['America/Sao_Paulo', '2020-01-01T00:00:00Z', -3 * HOUR],
  ['UTC', '2026-01-01T00:00:00Z', 0],
])('%s at %s', (zone, instant, expected) => {
  expect(offset(zone, 'utc', instant)).toBe(expected);
});

test.each<[string, string, string, number]>([
  ['before a skipped hour', 'Europe/Berlin', '2026-03-29T01:59:59Z', HOUR],
  ['a skipped time has the offset before the change', 'Europe/Berlin', '2026-03-29T02:30:00Z', HOUR],
  ['after a skipped hour', 'Europe/Berlin', '2026-03-29T03:00:00Z', 2 * HOUR],
  ['a repeated time has the offset before the change', 'Europe/Berlin', '2026-10-25T02:30:00Z', 2 * HOUR],
  ['after a repeated hour', 'Europe/Berlin', '2026-10-25T03:00:00Z', HOUR],
  ['a skipped day', 'Pacific/Apia', '2011-12-30T12:00:00Z', -10 * HOUR],
])('local time: %s', (_, zone, local, expected) => {
  expect(offset(zone, 'floating', local)).toBe(expected);
});

test('the spans of each zone cover 2010 to 2037 without gaps', () => {
  const broken: string[] = [];
  for (const [zone, spans] of zones)
    for (const basis of ['utc', 'floating']) {
      const own = spans.filter((span) => span.basis === basis);
      const edges = own.flatMap(({ from, to }) => [from, to]);
      const joined = own.every(({ from, to }, at) => from < to && (at === 0 || from === own[at - 1]!.to));
      if (!joined || edges[0] !== FIRST_INSTANT_S || edges.at(-1) !== LAST_INSTANT_S) broken.push(`${zone} ${basis}`);
    }
  expect(broken).toEqual([]);
});

// Another version of the database may have other offsets.
test.runIf(process.versions.tz === timeZoneVersion)('every zone has the offsets that Node knows', () => {
  const named = [...Intl.supportedValuesOf('timeZone'), ...unlistedNames];
  expect([...zones.keys()].toSorted()).toEqual([...new Set(named)].toSorted());
  const instant = fc.integer({ min: FIRST_INSTANT_S, max: LAST_INSTANT_S - 1 });
  fc.assert(
    fc.property(fc.constantFrom(...zones.keys()), instant, (zone, second) => {
      const time = new Date(second * 1000).toISOString();
      expect([zone, time, offset(zone, 'utc', time)]).toEqual([zone, time, offsetOfWallClock(zone, second)]);
    }),
    { numRuns: 3000 },
  );
});
