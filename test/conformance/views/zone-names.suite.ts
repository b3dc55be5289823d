import { timeZones } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unlistedNames } from '../../../schemas/time-zones/unlisted-names.ts';
import type { LoadedViews, OpenViews, Relation, Row } from './loaded-views.ts';
import { storedTables, storedViews } from './stored-tables.ts';

/** Names of time zones in other spellings: `user_time_zones` understands them, and `data_issues` counts the rest. */

const HOUR = 3600;
type Meaning = string | number | null;

/** Names as sent, with the zone or the offset that they mean. NULL if they are not known. */
const names: readonly (readonly [sent: string, meaning: Meaning])[] = [
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['Europe/Kiev', 'Europe/Kiev'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['US/Pacific', 'US/Pacific'],
  ['America/Coyhaique', 'America/Coyhaique'],
  ['Asia/Qostanay', 'Asia/Qostanay'],
  // The sign of these names is the opposite of the sign of an offset.
  ['Etc/GMT-3', 'Etc/GMT-3'],
  ['etc/gmt+12', 'Etc/GMT+12'],
  ['GMT+03:00', 3 * HOUR],
  ['+03:00', 3 * HOUR],
  ['UTC+3', 3 * HOUR],
  ['Z', 0],
  ['europe/berlin', 'Europe/Berlin'],
  ['W. Europe Standard Time', null],
  ['EUROPE/BERLIN', 'Europe/Berlin'],
  ['  Europe/Berlin ', 'Europe/Berlin'],
  ['America/New York', 'America/New_York'],
  ['america/argentina/buenos aires', 'America/Argentina/Buenos_Aires'],
  ['est5edt', 'EST5EDT'],
  ['EST', 'EST'],
  ['utc', 'UTC'],
  ['Zulu', 'Zulu'],
  ['gmt', 'GMT'],
  ['GMT0', 'GMT0'],
  ['GMT+0', 'GMT+0'],
  ['GMT-0', 'GMT-0'],
  ['GMT+00', 0],
  ['-00:00', 0],
  ['z', 0],
  ['+3', 3 * HOUR],
  ['+03', 3 * HOUR],
  ['+0330', 3.5 * HOUR],
  ['+3:30', 3.5 * HOUR],
  ['-0530', -5.5 * HOUR],
  ['UTC-05:30', -5.5 * HOUR],
  ['gmt-0030', -0.5 * HOUR],
  [' gmt+5:45 ', 5.75 * HOUR],
  ['+14', 14 * HOUR],
  ['UTC+14:00', 14 * HOUR],
  ['+1359', 14 * HOUR - 60],
  ['-12', -12 * HOUR],
  ['GMT-11:59', -12 * HOUR + 60],
  ['+14:01', null],
  ['+15', null],
  ['-12:30', null],
  ['-1201', null],
  ['-13', null],
  ['+03:60', null],
  ['+0360', null],
  ['+330', null],
  ['+3:5', null],
  ['+03:00:00', null],
  ['UTC3', null],
  ['3', null],
  ['+', null],
  ['UT+3', null],
  ['GMT+UTC+3', null],
  ['Europe/Berlin+1', null],
  ['Europe//Berlin', null],
  ['Mars/Olympus', null],
];
const unknown = names.filter(([, meaning]) => meaning === null).map(([sent]) => sent);

const day = '2026-05-04';
const received = '2026-05-06T00:00:00.000Z';
const at = `${day}T22:00:00.000Z`;
const source = { provider: 'oura', source_type: 'ring', _received_at: received };
const perName = (table: string, row: (sent: string) => Row): Row[] =>
  names.map(([sent], index) => ({ id: `${table}-${index}`, user_id: `${table} ${sent}`, ...row(sent) }));

/** Every name in the table of time zones. */
const listed = [...new Set([...Intl.supportedValuesOf('timeZone'), ...unlistedNames])];
/** Values that are no name. */
const silent = [null, '', '  '];

const rows: Readonly<Record<string, readonly Row[]>> = {
  activity: [
    ...perName('activity', (time_zone) => ({ ...source, time_zone, calendar_date: day })),
    ...listed.map((zone) => ({ ...source, id: zone, user_id: zone, time_zone: zone.toUpperCase(), calendar_date: day })),
    ...silent.map((time_zone, index) => ({ ...source, id: `s-${index}`, user_id: 'silent', time_zone, calendar_date: day })),
    // An unknown name says nothing, but the offset of the same summary does.
    { ...source, id: 'noon', user_id: 'noon', time_zone: 'Mars/Olympus', timezone_offset_s: HOUR, calendar_date: day },
    { ...source, id: 'ignored', user_id: 'ignored', time_zone: '+02:00', timezone_offset_s: HOUR, calendar_date: day },
    { ...source, id: 'issue-1', user_id: 'issue', time_zone: 'Mars/Olympus', calendar_date: '2026-05-01' },
    { ...source, id: 'issue-2', user_id: 'issue', time_zone: 'Mars/Olympus', calendar_date: '2026-05-03' },
    { ...source, id: 'issue-3', user_id: 'issue', time_zone: 'mars/olympus', calendar_date: '2026-05-02' },
    { ...source, id: 'issue-4', user_id: 'issue', provider: 'garmin', time_zone: 'Mars/Olympus', calendar_date: '2026-05-02' },
    { ...source, id: 'confirming', user_id: 'confirming', time_zone: 'GMT+02:00', calendar_date: day },
    { ...source, id: 'leaving', user_id: 'leaving', time_zone: 'GMT+03:00', calendar_date: day },
  ],
  sleep_cycle: perName('sleep_cycle', (time_zone) => ({ ...source, time_zone, session_start: at })),
  electrocardiogram: perName('electrocardiogram', (time_zone) => ({ ...source, time_zone, session_start: at })),
  workouts: [
    { ...source, id: 'w-1', user_id: 'returning', time_start: at, time_end: at, timezone_offset_s: HOUR },
    { ...source, id: 'w-2', user_id: 'returning', time_start: '2026-05-06T00:00:00Z', timezone_offset_s: 3 * HOUR },
  ],
  users: [
    ...perName('users', (fallback_time_zone) => ({
      fallback_time_zone,
      fallback_time_zone_source: 'manual',
      fallback_time_zone_updated_at: at,
      _received_at: received,
    })),
    ...['UTC', 'Mars/Olympus', '+03:00'].map((fallback_time_zone, index) => ({
      user_id: `not set ${index}`,
      fallback_time_zone,
      fallback_time_zone_source: 'service',
      _received_at: received,
    })),
    { user_id: 'confirming', fallback_time_zone: 'Europe/Berlin', _received_at: received },
    { user_id: 'returning', fallback_time_zone: '+3', _received_at: received },
    { user_id: 'leaving', fallback_time_zone: 'Europe/Berlin', _received_at: received },
  ].map(({ id: _, ...row }: Row) => row),
};

/** The spans of 2026 of all zones. */
const transitions: Relation = {
  ...storedTables({}).find(({ name }) => name === 'time_zone_transitions')!,
  rows: timeZones().flatMap(({ zones, spans }) =>
    spans
      .filter(({ from, to }) => from * 1000 < Date.UTC(2027, 0) && to * 1000 > Date.UTC(2026, 0))
      .flatMap(({ basis, from, to, offset }) => {
        const [from_at, to_at] = [from, to].map((second) => new Date(second * 1000).toISOString());
        return zones.map((zone) => ({ zone, time_basis: basis, from_at, to_at, offset_s: offset }));
      }),
  ),
};

const stored = storedTables(rows).filter(({ name }) => name !== transitions.name);
const more = ['sleep_cycle', 'electrocardiogram'].filter((name) => !stored.some((one) => one.name === name));
const relations: Relation[] = [...stored, ...more.map((name) => ({ name, rows: rows[name]! })), transitions];

const first = '1970-01-01T00:00:00.000Z';
const span = (meaning: Meaning, basis: string, from_at = first, to_at: string | null = null): Row => ({
  from_at,
  to_at,
  basis,
  time_zone: typeof meaning === 'string' ? meaning : null,
  offset_s: typeof meaning === 'number' ? meaning : null,
});

export function zoneNamesSuite(warehouse: string, open: OpenViews): void {
  describe(`names of time zones on ${warehouse}`, () => {
    let loaded: LoadedViews;
    let spans: ReadonlyMap<unknown, Row[]>;
    beforeAll(async () => {
      loaded = await open(relations, storedViews);
      const found = await loaded.query('select * from {user_time_zones} order by user_id, from_at');
      const byUser = Map.groupBy(found, ({ user_id }) => user_id);
      spans = new Map([...byUser].map(([user, own]) => [user, own.map(({ user_id: _, ...row }) => row)]));
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test.each(names)('the name «%s» means %s, in every table', (sent, meaning) => {
      const basis = typeof meaning === 'string' ? 'summary_zone' : 'offset';
      const expected = meaning === null ? undefined : [span(meaning, basis)];
      for (const table of ['activity', 'sleep_cycle', 'electrocardiogram'])
        expect(spans.get(`${table} ${sent}`), table).toEqual(expected);
      expect(spans.get(`users ${sent}`)).toEqual(meaning === null ? undefined : [span(meaning, 'fallback')]);
    });

    test('every name in the table of time zones is found in upper case, with its own spelling', () => {
      expect(listed.length).toBeGreaterThan(590);
      for (const zone of listed) expect(spans.get(zone), zone).toEqual([span(zone, 'summary_zone')]);
    });

    test('a fixed offset in a summary confirms the zone that has it, and leaves a zone that has another one', () => {
      expect(spans.get('confirming')).toEqual([span('Europe/Berlin', 'fallback')]);
      const moved = '2026-05-03T21:00:00.000Z';
      expect(spans.get('leaving')).toEqual([span('Europe/Berlin', 'fallback', first, moved), span(3 * HOUR, 'offset', moved)]);
    });

    test('a user returns to a fallback time zone that is a fixed offset', () => {
      const back = '2026-05-06T00:00:00.000Z';
      expect(spans.get('returning')).toEqual([
        span(3 * HOUR, 'fallback', first, at),
        span(HOUR, 'offset', at, back),
        span(3 * HOUR, 'fallback', back),
      ]);
    });

    test('the offset of a summary counts only if the name of its time zone is unknown', () => {
      expect(spans.get('noon')).toEqual([span(HOUR, 'offset')]);
      expect(spans.get('ignored')).toEqual([span(2 * HOUR, 'offset')]);
    });

    test('a summary without a name, and a fallback time zone that was not set, give no time zone', () => {
      for (const user of ['silent', 'not set 0', 'not set 1', 'not set 2']) expect(spans.get(user), user).toBeUndefined();
    });

    test('every unknown name is counted, and nothing else', async () => {
      const found = await loaded.query("select * from {data_issues} where issue = 'unknown_time_zone'");
      const issue = (
        user_id: string,
        origin_table: string,
        time_zone: string,
        times: [string | null, string | null],
        records = 1,
      ) => ({
        user_id,
        provider: 'oura',
        source_type: 'ring',
        source: 'oura/ring',
        origin_table,
        measure: null,
        unit: null,
        time_zone,
        issue: 'unknown_time_zone',
        records,
        first_at: times[0],
        last_at: times[1],
        last_received_at: received,
      });
      const midnight = (date: string): string => `${date}T00:00:00.000Z`;
      const expected = [
        ...unknown.flatMap((sent) => [
          issue(`activity ${sent}`, 'activity', sent, [midnight(day), midnight(day)]),
          issue(`sleep_cycle ${sent}`, 'sleep_cycle', sent, [at, at]),
          issue(`electrocardiogram ${sent}`, 'electrocardiogram', sent, [at, at]),
          { ...issue(`users ${sent}`, 'users', sent, [at, at]), provider: null, source_type: null, source: null },
        ]),
        issue('noon', 'activity', 'Mars/Olympus', [midnight(day), midnight(day)]),
        issue('issue', 'activity', 'Mars/Olympus', [midnight('2026-05-01'), midnight('2026-05-03')], 2),
        issue('issue', 'activity', 'mars/olympus', [midnight('2026-05-02'), midnight('2026-05-02')]),
        {
          ...issue('issue', 'activity', 'Mars/Olympus', [midnight('2026-05-02'), midnight('2026-05-02')]),
          provider: 'garmin',
          source: 'garmin/ring',
        },
      ];
      const sorted = (list: readonly Row[]): string[] => list.map((row) => JSON.stringify(row)).toSorted();
      expect(sorted(found)).toEqual(sorted(expected));
    });
  });
}
