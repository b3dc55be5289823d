import { columnsWithoutMeasure, measures, timeseriesResources } from '@aorta/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measuresView } from '../../../connectors/warehouses/views/measures.ts';
import { observationsView } from '../../../connectors/warehouses/views/observations.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { landed, localViews, type OpenPlainWarehouse, type PlainWarehouse, type Row } from './plain-tables.ts';
import { canonical } from './units.oracle.ts';

/** Tables of summaries, with the columns that say when a value was measured. */
const summaries: Readonly<Record<string, readonly [start: string | null, end: string | null, date: string | null]>> = {
  activity: [null, null, 'calendar_date'],
  body: [null, null, 'calendar_date'],
  electrocardiogram: ['session_start', 'session_end', null],
  meal: ['eaten_at', null, 'calendar_date'],
  profile: [null, null, null],
  sleep: ['bedtime_start', 'bedtime_stop', 'calendar_date'],
  workouts: ['time_start', 'time_end', 'calendar_date'],
};
const tables = ['timeseries', 'blood_pressure', ...Object.keys(summaries)];

/** Units of summary columns, by the declared unit, if they differ. */
const ofDeclaredUnit: Readonly<Record<string, string>> = { '1/min': '/min', '°C': 'Cel', bpm: '/min' };
const ofColumn: Readonly<Record<string, string>> = {
  'activity.floors_climbed': '{floors}',
  'activity.steps': '{steps}',
  'activity.wheelchair_push': '{pushes}',
  'body.body_mass_index': 'kg/m2',
  'body.visceral_fat_index': '{index}',
  'sleep.efficiency': '1',
  'sleep.recovery_readiness_score': '{score}',
  'sleep.score': '{score}',
  'sleep.temperature_delta_c': 'K',
  'workouts.steps': '{steps}',
};

interface MeasureColumn {
  readonly name: string;
  readonly unit: string;
  readonly whole: boolean;
}

/** The numeric columns of a table, except those that are no measure. */
function measureColumns(table: string): MeasureColumn[] {
  return landed
    .find(({ name }) => name === table)!
    .columns.filter(({ name, type }) => (type === 'float64' || type === 'int64') && !name.startsWith('_'))
    .filter(({ name }) => !(name in columnsWithoutMeasure || `${table}.${name}` in columnsWithoutMeasure))
    .map(({ name, type, unit = '' }) => ({
      name,
      unit: ofColumn[`${table}.${name}`] ?? ofDeclaredUnit[unit] ?? unit,
      whole: type === 'int64',
    }));
}

const instant = fc.integer({ min: 0, max: 1_000_000 }).map((second) => new Date(1_770_000_000_000 + second * 1000).toISOString());
const date = fc.constantFrom('2026-02-01', '2026-02-02', null);
const owner = {
  user_id: fc.constantFrom('ada', 'bo', "o'hara"),
  provider: fc.constantFrom('oura', 'garmin'),
  source_type: fc.constantFrom('ring', 'watch', 'unknown'),
};

const sample: fc.Arbitrary<Row> = fc.record({
  ...owner,
  resource: fc.constantFrom(
    ...timeseriesResources.filter(({ stream }) => stream === 'timeseries').map(({ resource }) => resource),
  ),
  sample_type: fc.constantFrom('', 'cholesterol/hdl', 'cholesterol/vldl', 'low_heart_rate', 'rapid_acting', 'lead_1'),
  source_workout_id: fc.constantFrom('', 'w'),
  start_at: instant,
  end_at: fc.option(instant),
  local_date: date,
  value: fc.option(fc.integer({ min: 0, max: 500 })),
  unit: fc.constantFrom(null, 'mg/dL', 'mmol/L', 'kcal', 'count', 'bpm', 'furlong', '', ' BPM ', 'count/s'),
});

const pressure: fc.Arbitrary<Row> = fc.record({
  ...owner,
  resource: fc.constant('blood_pressure'),
  sample_type: fc.constant(''),
  source_workout_id: fc.constant(''),
  start_at: instant,
  local_date: date,
  systolic_mmhg: fc.option(fc.integer({ min: 60, max: 200 })),
  diastolic_mmhg: fc.option(fc.integer({ min: 40, max: 120 })),
  unit: fc.constantFrom(null, 'mmHg', 'kPa', 'bar'),
});

function summary(table: string): fc.Arbitrary<Row> {
  const [start, end, day] = summaries[table]!;
  const number = ({ whole }: MeasureColumn) =>
    fc.option(whole ? fc.integer({ min: 0, max: 90 }) : fc.double({ min: 0, max: 90, noNaN: true }));
  return fc.record({
    ...owner,
    id: fc.uuid(),
    ...Object.fromEntries([start, end].filter((name) => name !== null).map((name) => [name, fc.option(instant)])),
    ...(day === null ? {} : { [day]: date }),
    ...Object.fromEntries(measureColumns(table).map((column) => [column.name, number(column)])),
  });
}

/** Random rows of each table. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  timeseries: fc.sample(sample, { numRuns: 1500, seed: 25 }),
  blood_pressure: fc.sample(pressure, { numRuns: 100, seed: 25 }),
  ...Object.fromEntries(Object.keys(summaries).map((table) => [table, fc.sample(summary(table), { numRuns: 40, seed: 25 })])),
};

/** LOINC codes of some measures, from the terminology. */
const codes: Readonly<Record<string, string>> = {
  'activity.steps': '41950-7',
  'blood_pressure.systolic_mmhg': '8480-6',
  'cholesterol.hdl': '14646-4',
  heartrate: '8867-4',
  'sleep.total_s': '93832-4',
  steps: '55423-8',
};
const codeOf = (measure: string, code: unknown): unknown => (measure in codes ? code : 'not compared');

const typedMeasures: Readonly<Record<string, string>> = {
  'cholesterol cholesterol/hdl': 'cholesterol.hdl',
  'heart_rate_alert low_heart_rate': 'heart_rate_alert.low_heart_rate',
  'insulin_injection rapid_acting': 'insulin_injection.rapid_acting',
  'electrocardiogram_voltage lead_1': 'electrocardiogram_voltage.lead_1',
};

type Observation = Readonly<Record<string, unknown>>;

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(10)) : value);
const seconds = (at: unknown): unknown => (typeof at === 'string' ? Date.parse(at) / 1000 : null);

const hourOf = (at: unknown): number => new Date(at as string).getUTCHours();

const ranges = new Map(measures.map(({ id, plausible }) => [id, plausible]));

/** Whether a value is plausible, as text; null if there is no value. */
function isPlausible(measure: string, value: number | null): string | null {
  const [low, high] = ranges.get(measure)!;
  return value === null ? null : String(value >= low && value <= high);
}

function ownerOf({ user_id, provider, source_type }: Row): Observation {
  return { user_id, provider, source_type };
}

function ofSample(row: Row): Observation[] {
  const { resource, sample_type: type, unit, value } = row as Record<string, string>;
  if (row.value === null || resource === 'hypnogram') return [];
  const measure = typedMeasures[`${resource} ${type}`] ?? resource!;
  const found = canonical(resource!, type!, row.unit as string | null, row.value as number);
  return [
    {
      ...ownerOf(row),
      measure,
      start: seconds(row.start_at),
      end: seconds(row.end_at),
      date: row.local_date,
      hour: hourOf(row.start_at),
      value: found.value,
      plausible: isPlausible(measure, found.value),
      unit: found.unit,
      value_sent: value,
      unit_sent: unit,
      loinc: codeOf(measure, codes[measure]),
      origin: 'timeseries',
      id: null,
      resource,
      type,
      workout: row.source_workout_id,
    },
  ];
}

function ofPressure(row: Row): Observation[] {
  const factor = { null: 1, mmHg: 1, kPa: 1 / 0.133322387415 }[String(row.unit)];
  return ['systolic_mmhg', 'diastolic_mmhg'].flatMap((column) => {
    const sent = row[column] as number | null;
    if (sent === null) return [];
    const measure = `blood_pressure.${column}`;
    const value = factor === undefined ? null : sent * factor;
    return {
      ...ownerOf(row),
      measure,
      start: seconds(row.start_at),
      end: null,
      date: row.local_date,
      hour: hourOf(row.start_at),
      value,
      plausible: isPlausible(measure, value),
      unit: factor === undefined ? null : 'mm[Hg]',
      value_sent: sent,
      unit_sent: row.unit,
      loinc: codeOf(measure, codes[measure]),
      origin: 'blood_pressure',
      id: null,
      resource: null,
      type: '',
      workout: '',
    };
  });
}

function ofSummary(table: string, row: Row): Observation[] {
  const [start, end, day] = summaries[table]!;
  return measureColumns(table).flatMap(({ name, unit }) => {
    const sent = row[name] as number | null;
    if (sent === null) return [];
    const measure = `${table}.${name}`;
    const value = measure === 'sleep.efficiency' && sent > 1 ? sent / 100 : sent;
    return {
      ...ownerOf(row),
      measure,
      start: start === null ? null : seconds(row[start]),
      end: end === null ? null : seconds(row[end]),
      date: day === null ? null : row[day],
      hour: null,
      value,
      plausible: isPlausible(measure, value),
      unit,
      value_sent: sent,
      unit_sent: null,
      loinc: codeOf(measure, codes[measure]),
      origin: table,
      id: row.id,
      resource: null,
      type: null,
      workout: null,
    };
  });
}

const expected: readonly Observation[] = [
  ...rows.timeseries!.flatMap(ofSample),
  ...rows.blood_pressure!.flatMap(ofPressure),
  ...Object.keys(summaries).flatMap((table) => rows[table]!.flatMap((row) => ofSummary(table, row))),
];

const names = Object.keys(expected[0]!);
const plain = (observations: readonly Observation[]): string[] =>
  observations.map((one) => JSON.stringify(names.map((name) => rounded(one[name] ?? null)))).sort();

export function observationsCases(open: OpenPlainWarehouse): void {
  describe('observations of random rows', () => {
    let warehouse: PlainWarehouse;
    beforeAll(async () => {
      warehouse = await open(tables);
      for (const [table, some] of Object.entries(rows)) await warehouse.insert(table, some);
      await warehouse.createView(measuresView(warehouse.dialect));
      await warehouse.createView(unitConversionsView(warehouse.dialect));
      for (const view of localViews(warehouse.dialect)) await warehouse.createView(view);
      await warehouse.createView(observationsView(warehouse.dialect));
    });
    afterAll(() => warehouse?.close());

    async function observations(condition: string): Promise<Observation[]> {
      const { table, secondsBetween } = warehouse.dialect;
      const second = (at: string): string => secondsBetween("timestamp '1970-01-01 00:00:00+00'", at);
      const found = await warehouse.rows(`select
          user_id, provider, source_type, measure, ${second('effective_start_at')}, ${second('effective_end_at')},
          cast(local_date as string), local_hour, value, cast(is_plausible as string), unit, value_sent, unit_sent, loinc_code,
          origin_table, origin_id, resource, sample_type, source_workout_id
        from ${table('observations')} where ${condition}`);
      return found.map((row) => {
        const one = Object.fromEntries(names.map((name, index) => [name, row[index]]));
        return { ...one, loinc: codeOf(one.measure as string, one.loinc) };
      });
    }

    test('they are those that plain code finds', async () => {
      expect(expected.filter(({ value }) => value === null).length).toBeGreaterThan(100);
      expect(plain(await observations('true'))).toEqual(plain(expected));
    });

    test.each(['glucose', 'cholesterol.hdl', 'cholesterol', 'activity.steps', 'sleep.efficiency'])(
      'a condition on the measure %s and a user selects exactly those',
      async (measure) => {
        const wanted = expected.filter((one) => one.measure === measure && one.user_id === 'ada');
        expect(wanted.length).toBeGreaterThan(0);
        expect(plain(await observations(`measure = '${measure}' and user_id = 'ada'`))).toEqual(plain(wanted));
      },
    );

    test('the table of measures has their names, units and codes', async () => {
      const { table } = warehouse.dialect;
      const query = (condition: string): string =>
        `select measure, kind, unit, plausible_low, loinc_code, loinc_match from ${table('measures')} where ${condition}`;
      expect(await warehouse.rows(query("measure = 'heartrate'"))).toEqual([
        ['heartrate', 'level', '/min', 20, '8867-4', 'exact'],
      ]);
      expect(await warehouse.rows(query("measure = 'hrv'"))).toEqual([['hrv', 'level', 'ms', 1, null, 'none']]);
      const [counts] = await warehouse.rows(`select count(*), count(distinct measure), count(unit) from ${table('measures')}`);
      const measured = Object.keys(summaries).flatMap(measureColumns).length;
      const typed = 4 + 1 + 3 + 2 + 2 + 2;
      const ofSamples = timeseriesResources.filter(({ resource }) => !['hypnogram', 'note', 'blood_pressure'].includes(resource));
      const total = measured + 2 + ofSamples.length + typed;
      expect(counts).toEqual([total, total, total]);
    });
  });
}
