import { describe, expect, test } from 'vitest';
import { dayNumber } from './calendar.ts';
import { recording, samplesOf, smooth } from './recording.fixture.ts';
import { isTimeZone, TimeZone, timeZone } from './time-zone.ts';

const at = (text: string) => Date.parse(text);

describe('a time zone', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', 3600],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 7200],
    ['America/New_York', '2026-03-08T06:59:59Z', -18_000],
    ['America/New_York', '2026-03-08T07:00:00Z', -14_400],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', 39_600],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 37_800],
    ['Asia/Kolkata', '2026-07-01T00:00:00Z', 19_800],
    ['UTC', '2026-07-01T00:00:00Z', 0],
  ])('returns its UTC offset at an instant (%s at %s)', (name, instant, seconds) => {
    expect(new TimeZone(name).offsetSeconds(at(instant))).toBe(seconds);
  });

  test('maps a local time to its instant before and after the clocks change', () => {
    const berlin = timeZone('Europe/Berlin');
    expect(berlin.instantOf(dayNumber('2026-03-28'), 12 * 3600)).toBe(at('2026-03-28T11:00:00Z'));
    expect(berlin.instantOf(dayNumber('2026-03-29'), 12 * 3600)).toBe(at('2026-03-29T10:00:00Z'));
    expect(berlin.instantOf(dayNumber('2026-03-30'), 0) - berlin.instantOf(dayNumber('2026-03-29'), 0)).toBe(23 * 3_600_000);
    const lordHowe = timeZone('Australia/Lord_Howe');
    expect(lordHowe.instantOf(dayNumber('2026-04-06'), 0) - lordHowe.instantOf(dayNumber('2026-04-05'), 0)).toBe(
      24.5 * 3_600_000,
    );
  });

  test('maps an instant to the local day and the second of that day', () => {
    const kolkata = timeZone('Asia/Kolkata');
    expect(kolkata.localDay(at('2026-03-20T18:30:00Z'))).toBe(dayNumber('2026-03-21'));
    expect(kolkata.wallSecond(at('2026-03-20T18:45:07Z'))).toBe(15 * 60 + 7);
  });
});

test('each sample has the UTC offset of its own instant, before and after the clocks change', () => {
  const zones = new Map<number, Set<string>>();
  // During these 17 days, the clocks change in Europe (29 March) and, by half an hour, on Lord Howe Island (5 April).
  const seen = recording({ seed: 2, people: 10, days: 17, rates: smooth });
  const home = new Map<string, string>();
  for (const { body } of seen) if (typeof body.data.time_zone === 'string') home.set(body.user_id, body.data.time_zone);
  const wall = new Map(
    [...new Set(home.values())].map((zone) => [
      zone,
      new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
    ]),
  );
  let checked = 0;
  for (const one of seen) {
    for (const sample of samplesOf(one).slice(0, 3)) {
      const zone = home.get(one.body.user_id);
      const text = sample.start ?? sample.timestamp;
      if (sample.timezone_offset === null || zone === undefined || text === undefined) continue;
      // Compute the offset independently: the time that the zone's wall clock shows, minus the UTC time.
      const whole = Math.floor(Date.parse(text) / 1000) * 1000;
      const shown = Date.parse(`${wall.get(zone)!.format(whole).replace(' ', 'T')}Z`);
      expect(sample.timezone_offset).toBe((shown - whole) / 1000);
      zones.set(sample.timezone_offset, (zones.get(sample.timezone_offset) ?? new Set()).add(zone));
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(5000);
  expect(zones.get(3600)).toContain('Europe/Berlin');
  expect(zones.get(7200)).toContain('Europe/Berlin');
  expect(zones.get(39_600)).toContain('Australia/Lord_Howe');
  expect(zones.get(37_800)).toContain('Australia/Lord_Howe');
});

// Zones, and links of the file `backward`, of the IANA database, release 2025b.
test.each([
  'Europe/Berlin',
  'Europe/Oslo',
  'America/Port-au-Prince',
  'Africa/Dar_es_Salaam',
  'America/Ciudad_Juarez',
  'Antarctica/DumontDUrville',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Europe/Kyiv',
  'Europe/Kiev',
  'US/Pacific',
  'US/East-Indiana',
  'America/Argentina/ComodRivadavia',
  'EST',
  'EST5EDT',
  'Japan',
  'GB-Eire',
  'NZ-CHAT',
  'W-SU',
  'Mexico/BajaNorte',
  'Etc/GMT-5',
  'Etc/UTC',
  'UTC',
  'Zulu',
  'Universal',
  'Etc/UCT',
  'GMT',
  'GMT0',
  'GMT+0',
  'Etc/GMT+0',
])('%s is a name of the database', (id) => {
  expect(isTimeZone(id)).toBe(true);
});

test.each([
  'europe/berlin',
  'EUROPE/BERLIN',
  'Europe/berlin',
  'Asia/kolkata',
  'ASIA/KOLKATA',
  'asia/calcutta',
  'US/eastern',
  'utc',
  'US/EASTERN',
  'JAPAN',
  'America/New_york',
  'Utc',
  'Europe/Kyiv\n',
  'Us/Pacific',
  'Gb',
  'Nz-Chat',
  'W-Su',
  'America/Fort_wayne',
  'Asia/Ho_chi_minh',
  'Berlin',
  '+01:00',
  'CEST',
  '',
  'Mars/Olympus',
  ' Europe/Berlin',
  'Europe/Berlin/',
])('%j is no name of the database', (id) => {
  expect(isTimeZone(id)).toBe(false);
});
