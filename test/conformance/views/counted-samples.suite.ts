import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoadedViews, type OpenViews, type Row, rounded } from './loaded-views.ts';
import { storedTables, storedViews } from './stored-tables.ts';
import { canonical, withoutUnit } from './units.oracle.ts';

/** Compares the views that combine samples with an oracle that knows only the samples, for units of many spellings. */

interface Sample {
  readonly user_id: string;
  readonly resource: string;
  readonly provider: string;
  readonly source_type: string;
  readonly sample_type: string;
  readonly start_at: string;
  readonly _received_at: string;
  readonly timezone_offset_s: number | null;
  readonly local_date: string | null;
  readonly value: number;
  readonly unit: string | null;
}

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 1, 17);

/** Units of each resource: those that count, and one or more that do not. */
const unitsOf: Readonly<Record<string, readonly string[]>> = {
  heartrate: ['bpm', 'count/min', 'count/s'],
  hrv: ['rmssd', 'ms', 's', 'bpm'],
  glucose: ['mmol/L', 'mg/dL', 'mg'],
  weight: ['kg', 'lb', 'g', 'ton'],
  fat: ['%', 'kg'],
  blood_oxygen: ['%', 'ratio'],
  cholesterol: ['mmol/L', 'mg/dL'],
  body_temperature: ['°C', '°F', 'K', 'bpm'],
  hypnogram: ['stage', 'count'],
};
const sources = [
  { provider: 'garmin', source_type: 'watch' },
  { provider: 'oura', source_type: 'ring' },
  { provider: 'withings', source_type: 'scale' },
];
/** Source types of the tests, best first. */
const trust = ['scale', 'ring', 'watch'];

const spellings = (unit: string): readonly string[] => [unit, unit.toUpperCase(), unit.toLowerCase(), ` ${unit}`, `${unit}  `];

const sample: fc.Arbitrary<Sample> = fc
  .record({
    user: fc.integer({ min: 0, max: 9 }),
    source: fc.constantFrom(...sources),
    resource: fc.constantFrom(...Object.keys(unitsOf)),
    type: fc.constantFrom('cholesterol/hdl', 'cholesterol/triglycerides', 'cholesterol/vldl'),
    hour: fc.integer({ min: 0, max: 71 }),
    /** From three days after its receipt to three days before. */
    lateByHours: fc.integer({ min: -72, max: 72 }),
    hasOffset: fc.boolean(),
    value: fc.integer({ min: 1, max: 300 }),
    pick: fc.integer({ min: 0, max: 59 }),
    none: fc.constantFrom(null, '', '  '),
  })
  .map(({ user, source, resource, type, hour, lateByHours, hasOffset, value, pick, none }) => {
    const all = unitsOf[resource]!.flatMap(spellings);
    const start = START + (hour * DAY_MS) / 24;
    return {
      user_id: `u${user}`,
      resource,
      ...source,
      sample_type: resource === 'cholesterol' ? type : '',
      start_at: new Date(start).toISOString(),
      _received_at: new Date(start - (lateByHours * DAY_MS) / 24).toISOString(),
      timezone_offset_s: hasOffset ? 0 : null,
      local_date: hasOffset ? dateOf(start) : null,
      value,
      unit: pick < 10 ? none : all[pick % all.length]!,
    };
  });

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
const seriesOf = (one: Sample): string => `${one.user_id} ${one.resource} ${one.sample_type}`;
const keyOf = (one: Sample): string => `${seriesOf(one)} ${one.provider} ${one.start_at}`;

const samples = [...new Map(fc.sample(sample, { numRuns: 4000, seed: 44 }).map((one) => [keyOf(one), one])).values()];

const readings = fc.sample(
  fc.record({
    user: fc.integer({ min: 0, max: 9 }),
    minute: fc.integer({ min: 0, max: 1439 }),
    unit: fc.constantFrom('mmHg', ' MMHG ', 'kPa', 'psi', null, ''),
    systolic_mmhg: fc.integer({ min: 10, max: 200 }),
    diastolic_mmhg: fc.integer({ min: 5, max: 100 }),
  }),
  { numRuns: 60, seed: 44 },
);

const measured = (one: Sample): ReturnType<typeof canonical> => canonical(one.resource, one.sample_type, one.unit, one.value);
/** A stage is a code. It has no canonical unit, but a declared one. */
const hasKnownUnit = (one: Sample): boolean =>
  one.resource === 'hypnogram'
    ? withoutUnit(one.unit) || one.unit!.trim().toLowerCase() === 'stage'
    : measured(one).value !== null;

/** The least and the greatest plausible value in the canonical unit, by measure or resource. */
const plausible: Readonly<Record<string, readonly [number, number]>> = {
  heartrate: [20, 300],
  hrv: [1, 500],
  glucose: [0.5, 60],
  weight: [0.3, 650],
  fat: [1, 80],
  blood_oxygen: [50, 100],
  'cholesterol.hdl': [0.1, 40],
  'cholesterol.triglycerides': [0.1, 120],
  cholesterol: [0.1, 120],
  body_temperature: [10, 45],
};
const isImplausible = (one: Sample): boolean => {
  const [low, high] = plausible[measureOf(one)] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const { value } = measured(one);
  return value !== null && (value < low || value > high);
};
const counts = (one: Sample): boolean => hasKnownUnit(one) && !isImplausible(one);
const hashOf = (one: Sample): string =>
  createHash('md5').update(`${one.user_id} ${one.provider}/${one.source_type}`).digest('hex');

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Values of a measure on a day, from the most trusted source with a sample that counts. */
function best(
  day: readonly Sample[],
  resource: string,
): { readonly values: readonly number[]; readonly source: string } | undefined {
  const counted = day.filter((one) => one.resource === resource && counts(one));
  for (const type of trust) {
    const own = counted.filter(({ source_type }) => source_type === type);
    if (own.length > 0)
      return { values: own.map((one) => measured(one).value!), source: `${own[0]!.provider}/${own[0]!.source_type}` };
  }
  return undefined;
}

type Reading = (typeof readings)[number];

function expectedDay(day: readonly Sample[], taken: readonly Reading[]): Row {
  const of = (resource: string): number | null => {
    const found = best(day, resource);
    return found === undefined ? null : mean(found.values);
  };
  const heart = best(day, 'heartrate');
  const glucose = of('glucose');
  return {
    heartrate_avg_bpm: of('heartrate'),
    heartrate_min_bpm: heart === undefined ? null : Math.min(...heart.values),
    heartrate_max_bpm: heart === undefined ? null : Math.max(...heart.values),
    heartrate_source: heart?.source ?? null,
    hrv_avg_ms: of('hrv'),
    blood_oxygen_avg_pct: of('blood_oxygen'),
    glucose_avg_mmol_l: glucose,
    glucose_avg_mg_dl: glucose === null ? null : glucose * 18.0182,
    weight_kg: of('weight'),
    fat_pct: of('fat'),
    samples: day.length + taken.length,
    samples_unknown_unit: day.filter((one) => !hasKnownUnit(one)).length + taken.filter(({ unit }) => unit === 'psi').length,
    samples_implausible: day.filter(isImplausible).length + taken.filter(isImplausibleReading).length,
  };
}

const isLate = (one: Sample): boolean => Date.parse(one.start_at) - Date.parse(one._received_at) > DAY_MS;

type Pressure = 'systolic_mmhg' | 'diastolic_mmhg';
/** 1 mmHg is 133.322387415 Pa. */
const inMmHg = (one: Reading, column: Pressure): number => (one.unit === 'kPa' ? one[column] / 0.133322387415 : one[column]);
const isPressure = (column: Pressure, value: number): boolean =>
  column === 'systolic_mmhg' ? value >= 40 && value <= 350 : value >= 20 && value <= 250;
/** A pressure that counts. */
function pressureOf(one: Reading, column: Pressure): number | null {
  const value = inMmHg(one, column);
  return one.unit !== 'psi' && isPressure(column, value) ? value : null;
}

const isImplausibleReading = (one: Reading): boolean =>
  one.unit !== 'psi' && (pressureOf(one, 'systolic_mmhg') === null || pressureOf(one, 'diastolic_mmhg') === null);

function measureOf({ resource, sample_type: type }: Sample): string {
  return ['cholesterol/hdl', 'cholesterol/triglycerides'].includes(type) ? type.replace('/', '.') : resource;
}

const issueOf = (one: Sample): string => (hasKnownUnit(one) ? 'implausible' : 'unknown_unit');

const byName = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

export function countedSamplesSuite(warehouse: string, open: OpenViews): void {
  describe(`samples in random units, on ${warehouse}`, () => {
    let loaded: LoadedViews;
    let days: readonly Row[];
    beforeAll(async () => {
      loaded = await open(
        storedTables({
          timeseries: samples.map((one) => ({ ...one, source_workout_id: '', time_basis: 'utc' })),
          blood_pressure: readings.map(({ user, minute, ...row }) => ({
            ...row,
            user_id: `u${user}`,
            resource: 'blood_pressure',
            provider: 'omron',
            source_type: 'cuff',
            sample_type: '',
            source_workout_id: '',
            start_at: new Date(START + minute * 60_000).toISOString(),
            _received_at: '2026-02-20T00:00:00Z',
            local_date: '2026-02-17',
            timezone_offset_s: 0,
          })),
        }),
        storedViews,
      );
      // The local BigQuery server takes half a minute for this query.
      days = await loaded.query('select * from {person_days}');
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test('the values of a day come only from samples whose unit is known, in the unit of the column', async () => {
      const samplesOf = Map.groupBy(samples, (one) => `${one.user_id} ${one.start_at.slice(0, 10)}`);
      expect(days.length).toBe(samplesOf.size);
      for (const row of days) {
        const at = `${row.user_id} ${row.local_date}`;
        const taken = readings.filter(({ user }) => at === `u${user} 2026-02-17`);
        const expected = rounded(expectedDay(samplesOf.get(at)!, taken));
        expect({ at, ...Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]])) }).toEqual({
          at,
          ...expected,
        });
      }
    });

    test('the mean blood pressure converts kPa, and leaves out unknown units and impossible values', async () => {
      const found = days
        .filter((day) => day.blood_pressure_readings !== null)
        .map((day) => ({
          user_id: day.user_id,
          s: day.blood_pressure_systolic_mmhg,
          d: day.blood_pressure_diastolic_mmhg,
          n: day.blood_pressure_readings,
        }));
      const counted = readings
        .map((one) => ({ user: one.user, s: pressureOf(one, 'systolic_mmhg'), d: pressureOf(one, 'diastolic_mmhg') }))
        .filter(({ s, d }) => s !== null || d !== null);
      const meanOf = (list: readonly (number | null)[]): number | null => {
        const present = list.filter((one) => one !== null);
        return present.length === 0 ? null : mean(present);
      };
      const expected = [...Map.groupBy(counted, ({ user }) => user)].map(([user, own]) => ({
        user_id: `u${user}`,
        s: meanOf(own.map(({ s }) => s)),
        d: meanOf(own.map(({ d }) => d)),
        n: own.length,
      }));
      expect(found.sort(byName)).toEqual(expected.map(rounded).sort(byName));
    });

    test('the latest sample has a known unit and a plausible value, and is at most a day later than its receipt', async () => {
      const found = await loaded.query(
        'select user_id, resource, sample_type, start_at, provider, value, unit, value_canonical, unit_canonical from {latest_samples}',
      );
      const series = Map.groupBy(
        samples.filter((one) => counts(one) && !isLate(one)),
        seriesOf,
      );
      const expected = [...series.values()].map((some) => {
        const newest = Math.max(...some.map((one) => Date.parse(one.start_at)));
        const [last] = some
          .filter((one) => Date.parse(one.start_at) === newest)
          .sort((a, b) => Date.parse(b._received_at) - Date.parse(a._received_at) || (hashOf(a) < hashOf(b) ? -1 : 1));
        const { user_id, resource, sample_type, start_at, provider, value, unit } = last!;
        const { value: value_canonical, unit: unit_canonical } = measured(last!);
        return { user_id, resource, sample_type, start_at, provider, value, unit, value_canonical, unit_canonical };
      });
      expect([...found].sort(byName)).toEqual(expected.map(rounded).sort(byName));
    });

    test('every sample that does not count is counted by user, source, measure, unit and reason', async () => {
      const found = await loaded.query(
        `select user_id, provider, source_type, origin_table, measure, unit, issue, records, first_at, last_at
        from {data_issues} where issue = 'unknown_unit' or issue = 'implausible'`,
      );
      const groups = Map.groupBy(
        samples.filter((one) => !hasKnownUnit(one) || isImplausible(one)),
        (one) => JSON.stringify([one.user_id, one.provider, measureOf(one), one.unit, issueOf(one)]),
      );
      const expected: Row[] = [...groups.values()].map((some) => {
        const [{ user_id, provider, source_type, unit }] = some as [Sample];
        const times = some.map(({ start_at }) => start_at).sort();
        return {
          user_id,
          provider,
          source_type,
          origin_table: 'timeseries',
          measure: measureOf(some[0]!),
          unit,
          issue: issueOf(some[0]!),
          records: some.length,
          first_at: times[0],
          last_at: times.at(-1),
        };
      });
      const doubtful = readings.flatMap((one) => {
        if (one.unit === 'psi') return [{ ...one, measure: 'blood_pressure', issue: 'unknown_unit' }];
        const columns = (['systolic_mmhg', 'diastolic_mmhg'] as const).filter((column) => pressureOf(one, column) === null);
        return columns.map((column) => ({ ...one, measure: `blood_pressure.${column}`, issue: 'implausible' }));
      });
      const groupOf = ({ user, measure, unit, issue }: (typeof doubtful)[number]) => JSON.stringify([user, measure, unit, issue]);
      for (const [, some] of Map.groupBy(doubtful, groupOf)) {
        const times = some.map(({ minute }) => new Date(START + minute * 60_000).toISOString()).sort();
        const { user, measure, unit, issue } = some[0]!;
        expected.push({
          user_id: `u${user}`,
          provider: 'omron',
          source_type: 'cuff',
          origin_table: 'blood_pressure',
          measure,
          unit,
          issue,
          records: some.length,
          first_at: times[0],
          last_at: times.at(-1),
        });
      }
      expect([...found].sort(byName)).toEqual(expected.sort(byName));
    });

    test('every sample more than a day later than its receipt is counted', async () => {
      const found = await loaded.query(
        "select origin_table, sum(records) as records from {data_issues} where issue = 'later_than_receipt' group by origin_table",
      );
      expect(found).toEqual([{ origin_table: 'timeseries', records: samples.filter(isLate).length }]);
    });
  });
}
