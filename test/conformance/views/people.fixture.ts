import type { ValueType } from '@aorta/schemas';
import fc from 'fast-check';
import type { Relation, Row } from './loaded-views.ts';
import type { Person } from './person-days-oracle.ts';
import type { OffsetAt, SleepRecord } from './sleep-oracle.ts';
import type { WorkoutRecord } from './workouts-oracle.ts';

/** Random people for the tests of nights, workouts and days. */

export const noSleep: SleepRecord = {
  id: '',
  provider: 'oura',
  source_type: 'ring',
  calendar_date: '2026-03-02',
  bedtime_start: null,
  bedtime_stop: null,
  sleep_type: 'long_sleep',
  state: null,
  timezone_offset_s: 0,
  duration_s: null,
  total_s: null,
  awake_s: null,
  light_s: null,
  rem_s: null,
  deep_s: null,
  score: null,
  efficiency: null,
  latency_s: null,
  hr_lowest_bpm: null,
  hr_average_bpm: null,
  average_hrv_ms: null,
};

const minute = (base: string, minutes: number): string => new Date(Date.parse(base) + minutes * 60_000).toISOString();
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 });
const efficiency = fc.oneof(fc.constantFrom(0, 1, 0.91, 88, 100, 101), fc.double({ min: 0, max: 100, noNaN: true }));
const date = fc.constantFrom('2026-03-28', '2026-03-29', '2026-03-30');

const sleepDevices = [
  { provider: 'oura', source_type: 'ring' },
  { provider: 'garmin', source_type: 'watch' },
  { provider: 'apple_health_kit', source_type: 'watch' },
  { provider: 'polar', source_type: 'watch' },
  { provider: 'fitbit', source_type: 'unknown' },
  { provider: 'apple_health_kit', source_type: 'phone' },
  { provider: 'manual', source_type: 'app' },
];

const sleepRecords = fc.array(
  fc.record({
    // In the evening or in the afternoon more often than at other times, so that records overlap.
    begins: fc.oneof(
      fc.integer({ min: 0, max: 96 * 6 }),
      fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(84, 132), fc.nat({ max: 18 })).map(([day, at, more]) => day * 144 + at + more),
    ),
    lasts: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 30, max: 60 }), fc.integer({ min: 0, max: 12 })),
    device: fc.nat(),
    sleep_type: maybe(fc.constantFrom('long_sleep', 'long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown')),
    state: maybe(fc.constantFrom('tentative', 'confirmed')),
    timezone_offset_s: fc.constantFrom(0, 7200, -28_800, 19_800, null),
    // Some devices send 0 s asleep, or more than a person can sleep.
    share: maybe(
      fc
        .oneof(
          fc.integer({ min: 80, max: 100 }),
          fc.integer({ min: 1, max: 110 }),
          fc.integer({ min: 1, max: 110 }),
          fc.constantFrom(0, 90, 9000),
        )
        .map((percent) => percent / 100),
    ),
    light_s: maybe(fc.integer({ min: 0, max: 20_000 })),
    efficiency: maybe(efficiency),
    score: maybe(fc.integer({ min: 0, max: 101 })),
    latency_s: maybe(fc.integer({ min: 0, max: 3000 })),
    hr_lowest_bpm: maybe(fc.integer({ min: 15, max: 80 })),
    hr_average_bpm: maybe(fc.integer({ min: 40, max: 90 })),
    average_hrv_ms: maybe(fc.double({ min: 5, max: 150, noNaN: true })),
    calendar_date: maybe(date),
    times: fc.constantFrom('both', 'both', 'both', 'both', 'both', 'both', 'none', 'start'),
  }),
  { minLength: 1, maxLength: 20 },
);

/** The sleep of one to seven devices over four days. Records begin and last as they like, and some lack times. */
export const sleepers: fc.Arbitrary<SleepRecord[]> = fc
  .tuple(fc.shuffledSubarray(sleepDevices, { minLength: 1 }), sleepRecords)
  .map(([owned, list]) =>
    list.map(({ begins, lasts, device, share, times, ...rest }, index): SleepRecord => {
      const start = minute('2026-03-28T00:00:00Z', begins * 10);
      return {
        ...noSleep,
        ...rest,
        id: `id-${String((index * 7) % 23).padStart(2, '0')}`,
        ...owned[device % owned.length]!,
        bedtime_start: times === 'none' ? null : start,
        bedtime_stop: times === 'both' ? minute(start, lasts * 10) : null,
        duration_s: lasts * 600,
        total_s: share === null ? null : Math.round(lasts * 600 * share),
      };
    }),
  );

/** Sources of workouts. */
export const devices = {
  watch: { provider: 'garmin', source_type: 'watch' },
  apple: { provider: 'apple_health_kit', source_type: 'watch' },
  phone: { provider: 'apple_health_kit', source_type: 'phone' },
  app: { provider: 'strava', source_type: 'app' },
  manual: { provider: 'manual', source_type: 'unknown' },
};

/** Plausible values of measures. The columns of a workout have multiples of them. */
const usualValues = {
  average_hr_bpm: 25,
  distance_m: 1000,
  calories_kcal: 100,
  steps: 1200,
  max_watts: 90,
  moving_time_s: 600,
};
const measured = fc.array(fc.constantFrom('none', 'none', 'some', 'some', 'some', 'impossible'), { minLength: 6, maxLength: 6 });
const sport = fc.constantFrom('running', 'treadmill_running', 'cycling', 'triathlon', 'curling', null);
const device = fc.constantFrom(...Object.values(devices));

/** A workout that begins some minutes after the first one may. */
interface Recording {
  readonly device: { readonly provider: string; readonly source_type: string };
  readonly begins: number;
  readonly lasts: number;
  readonly sport_slug: string | null;
  readonly zones: boolean;
  readonly values: readonly string[];
}
const recorded = { zones: fc.boolean(), values: measured };

const single: fc.Arbitrary<Recording[]> = fc
  .record({
    device,
    ...recorded,
    sport_slug: sport,
    begins: fc.integer({ min: 0, max: 60 }).map((tens) => tens * 10),
    lasts: fc.oneof(
      fc.integer({ min: 1, max: 12 }).map((tens) => tens * 10),
      fc.integer({ min: 0, max: 400 }).map((tens) => tens * 10),
      fc.constantFrom(4000, 9990, 30_000),
    ),
  })
  .map((one) => [one]);

/** A workout, and records of its parts or of itself: legs and laps, or copies whose times differ by some minutes. */
const together: fc.Arbitrary<Recording[]> = fc
  .record({
    device,
    ...recorded,
    sport_slug: fc.oneof(fc.constant('triathlon'), fc.constant('duathlon'), sport),
    begins: fc.integer({ min: 0, max: 600 }),
    lasts: fc.constantFrom(30, 60, 120, 180, 1500),
    others: fc.array(
      fc.record({
        ...recorded,
        other: maybe(device),
        isOwn: fc.boolean(),
        sport_slug: fc.constantFrom('running', 'running', 'cycling', 'swimming', 'walking', 'triathlon', null),
        span: fc.constantFrom([0, 25], [25, 75], [75, 100], [0, 50], [50, 100], [30, 60], [0, 90], [0, 100], [0, 100]),
        earlier: fc.integer({ min: -7, max: 7 }),
        later: fc.integer({ min: -7, max: 7 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ others, ...whole }) => [
    whole,
    ...others.map(({ other, isOwn, span, earlier, later, sport_slug, ...rest }) => {
      const [first, last] = span.map((percent) => Math.round((percent * whole.lasts) / 100)) as [number, number];
      return {
        ...rest,
        device: isOwn ? whole.device : (other ?? whole.device),
        sport_slug: isOwn ? whole.sport_slug : sport_slug,
        begins: whole.begins + first - earlier,
        lasts: last - first + earlier + later,
      };
    }),
  ]);

function measuredValue(kind: string, usual: number, index: number): number | null {
  if (kind === 'none') return null;
  return kind === 'some' ? usual * (1 + (index % 7)) : -1;
}

/** Workouts of devices that record the same hours, with legs, laps, repeats, differences, chains and garbage. */
export const athletes: fc.Arbitrary<WorkoutRecord[]> = fc
  .array(fc.tuple(fc.oneof(single, single, together), fc.oneof(date, date, date, fc.constant(null))), {
    minLength: 1,
    maxLength: 10,
  })
  .map((efforts) =>
    efforts
      .flatMap(([list, calendar_date]) => list.map((one) => ({ ...one, calendar_date })))
      .map(({ device: from, begins, lasts, zones, values, ...rest }, index): WorkoutRecord => {
        const start = minute('2026-03-28T20:00:00Z', begins);
        return {
          ...rest,
          ...from,
          id: `w${String((index * 31) % 97).padStart(2, '0')}`,
          time_start: start,
          time_end: minute(start, lasts),
          hr_zones_s: zones ? [1, 2] : [],
          measures: Object.fromEntries(
            Object.entries(usualValues).map(([name, usual], at) => [name, measuredValue(values[at]!, usual, index)]),
          ),
        };
      }),
  );

const source = fc.constantFrom(
  ...[
    ['garmin', 'watch'],
    ['fitbit', 'watch'],
    ['apple_health_kit', 'phone'],
    ['oura', 'ring'],
    ['withings', 'scale'],
    ['withings', 'cuff'],
    ['omron', 'cuff'],
    ['dexcom', 'unknown'],
    ['manual', 'phone'],
  ].map(([provider, source_type]) => ({ provider: provider!, source_type: source_type! })),
);
/** Days of summaries: some lie 14 days before others, and some 13 or 15. One is alone in its month. */
const day = fc.constantFrom('2026-02-10', '2026-03-13', '2026-03-14', '2026-03-15', '2026-03-28', '2026-03-29', '2026-03-30');
/** Values of summaries. Many cannot be: a device sends 0, or garbage. */
const value = fc.oneof(
  fc.constant(0),
  fc.double({ min: 30, max: 90, noNaN: true }),
  fc.double({ min: 0, max: 20_000, noNaN: true }),
  fc.constantFrom(-1, 300_000, 2_000_000),
);
const summaries = (...columns: readonly string[]) =>
  fc.uniqueArray(
    fc
      .record({
        source,
        calendar_date: day,
        version: fc.integer({ min: 0, max: 999 }),
        // Some devices lay on a desk.
        isWorn: fc.boolean(),
        numbers: fc.array(maybe(value), { minLength: columns.length, maxLength: columns.length }),
      })
      .map(({ source: from, calendar_date, version, isWorn, numbers }) => ({
        ...from,
        calendar_date,
        _version_time: minute('2026-03-31T00:00:00Z', version),
        values: Object.fromEntries(
          columns.map((column, at) => {
            const number = isWorn || numbers[at] === null || !movement.includes(column) ? numbers[at]! : 0;
            return [column, number === null || integers.includes(column) ? wholeOf(number) : number];
          }),
        ),
      })),
    { maxLength: 14, selector: (row) => row._version_time },
  );
const movement = ['steps', 'distance_m', 'calories_active_kcal', 'floors_climbed'];
const integers = ['steps', 'floors_climbed', 'heart_rate_resting_bpm'];
const wholeOf = (number: number | null): number | null => (number === null ? null : Math.round(number));

/** Offsets of devices, which need not be where the person is. */
const ownOffset = fc.constantFrom(null, null, 0, 7200, -28_800, 19_800);
const hours = fc.integer({ min: 0, max: 71 });
const sent: readonly (readonly [resource: string, units: readonly (string | null)[]])[] = [
  ['steps', ['count']],
  ['heartrate', ['bpm', 'bpm', null, 'count/s']],
  ['hrv', ['ms', 's']],
  ['glucose', ['mmol/L', ' mg/dL ']],
  ['blood_oxygen', ['%']],
  ['weight', ['kg', 'lb', 'furlong']],
  ['fat', ['%']],
];
const samples = fc.uniqueArray(
  fc
    .record({
      kind: fc.constantFrom(...sent.flatMap(([resource, units]) => units.map((unit) => ({ resource, unit })))),
      source,
      hours,
      timezone_offset_s: ownOffset,
      isFloating: fc.boolean(),
      value: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 40, max: 90 }), fc.constantFrom(-1, 0, 255_000)),
      // Several samples share an hour, and some begin shortly before the next one.
      minutes: fc.constantFrom(0, 1, 4, 9, 20, 29, 31, 58),
      lasts: fc.constantFrom(null, null, 0, 3, 90),
      sample_type: fc.constantFrom('', '', 'manual_scan'),
    })
    .map(({ kind, source: from, hours: after, minutes, lasts, isFloating, ...rest }) => ({
      ...kind,
      ...from,
      ...rest,
      // A floating sample has no offset.
      time_basis: isFloating && rest.timezone_offset_s === null ? ('floating' as const) : ('utc' as const),
      start_at: minute('2026-03-28T00:00:00Z', after * 60 + minutes),
      end_at: lasts === null ? null : minute('2026-03-28T00:00:00Z', after * 60 + minutes + lasts),
    })),
  // The key of a sample has no unit.
  {
    maxLength: 40,
    selector: ({ provider, source_type, resource, start_at }) => `${provider} ${source_type} ${resource} ${start_at}`,
  },
);

/** People with rows in some of the tables. */
export const people: fc.Arbitrary<Person> = fc.record({
  samples,
  activity: summaries(
    ...['steps', 'distance_m', 'calories_active_kcal', 'calories_total_kcal', 'floors_climbed', 'heart_rate_resting_bpm'],
  ),
  body: summaries('weight_kg', 'fat_pct'),
  readings: fc.array(
    fc
      .record({
        source,
        timezone_offset_s: ownOffset,
        unit: fc.constantFrom('mmHg', null, 'bar'),
        // Some readings are 13 to 15 days older than others.
        hours: fc.oneof(hours, fc.integer({ min: -360, max: -265 })),
        systolic_mmhg: maybe(fc.oneof(fc.integer({ min: 90, max: 190 }), fc.constantFrom(0, 39, 1200))),
        diastolic_mmhg: maybe(fc.oneof(fc.integer({ min: 50, max: 110 }), fc.constantFrom(0, 251))),
      })
      .map(({ source: from, hours: after, ...rest }) => ({
        ...rest,
        ...from,
        start_at: minute('2026-03-28T00:00:00Z', after * 60),
      })),
    { maxLength: 8 },
  ),
  sleep: fc.oneof(fc.constant([]), sleepers),
  workouts: fc.oneof(fc.constant([]), athletes),
  receipts: fc.array(
    fc
      .record({
        source: fc.oneof(source, fc.constantFrom(...sleepDevices), fc.constantFrom(...Object.values(devices))),
        hours: fc.oneof(fc.integer({ min: -360, max: 115 }), fc.integer({ min: 40, max: 115 })),
        counts: fc.constantFrom(true, true, true, false),
      })
      .map(({ source: from, hours: after, counts }) => ({
        ...from,
        counts,
        received_at: minute('2026-03-28T00:00:00Z', after * 60 + 30),
      })),
    { maxLength: 20 },
  ),
});

/**
 * People with an even number live in Berlin, where clocks change on 29 March at 01:00 UTC. From this instant on, they are at 5:30
 * hours from UTC. Nothing is known of the others.
 */
const moves = Date.parse('2026-03-29T15:00:00Z');
export const offsetOf =
  (index: number): OffsetAt =>
  (at) =>
    index % 2 === 1 ? undefined : at >= moves ? 19_800 : at < Date.parse('2026-03-29T01:00:00Z') ? 3600 : 7200;

export const zonesOf = (user_id: string, index: number): Row[] =>
  index % 2 === 0
    ? [
        {
          user_id,
          from_at: '1970-01-01T00:00:00Z',
          to_at: new Date(moves).toISOString(),
          time_zone: 'Europe/Berlin',
          basis: 'summary_zone',
        },
        { user_id, from_at: new Date(moves).toISOString(), to_at: null, offset_s: 19_800, basis: 'offset' },
      ]
    : [];

const zoneColumns: Readonly<Record<string, ValueType>> = {
  user_id: 'string',
  from_at: 'timestamp',
  to_at: 'timestamp',
  time_zone: 'string',
  offset_s: 'int64',
  basis: 'string',
};

const berlin = { zone: 'Europe/Berlin', time_basis: 'utc' };

/** `user_time_zones` with these rows, and the transitions of Berlin: summer time from 29 March to 25 October 2026, at 01:00 UTC. */
export const timeZones = (rows: readonly Row[]): Relation[] => [
  { name: 'user_time_zones', columns: zoneColumns, rows },
  {
    name: 'time_zone_transitions',
    columns: { zone: 'string', time_basis: 'string', from_at: 'timestamp', to_at: 'timestamp', offset_s: 'int64' },
    rows: [
      { ...berlin, from_at: '2010-01-01T00:00:00Z', to_at: '2026-03-29T01:00:00Z', offset_s: 3600 },
      { ...berlin, from_at: '2026-03-29T01:00:00Z', to_at: '2026-10-25T01:00:00Z', offset_s: 7200 },
      { ...berlin, from_at: '2026-10-25T01:00:00Z', to_at: '2037-01-01T00:00:00Z', offset_s: 3600 },
      // Rules for times that a provider sends as local time do not apply to sleep.
      {
        zone: 'Europe/Berlin',
        time_basis: 'floating',
        from_at: '2010-01-01T00:00:00Z',
        to_at: '2037-01-01T00:00:00Z',
        offset_s: -7200,
      },
    ],
  },
];
