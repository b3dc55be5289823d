import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { dayMeasures } from '../../../connectors/warehouses/views/day-parts.ts';
import type { ShownView } from '../../../connectors/warehouses/views/dialect.ts';
import { measuresView } from '../../../connectors/warehouses/views/measures.ts';
import { observationsView } from '../../../connectors/warehouses/views/observations.ts';
import { personDaysView } from '../../../connectors/warehouses/views/person-days.ts';
import { qualityDays, qualityFlagsView } from '../../../connectors/warehouses/views/quality-flags.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { localViews, type OpenPlainWarehouse, type PlainWarehouse, type Row } from './plain-tables.ts';

const tables = ['timeseries', 'blood_pressure', 'activity', 'body', 'electrocardiogram', 'meal', 'profile', 'sleep', 'workouts'];

interface Sample {
  readonly user: string;
  readonly resource: 'heartrate' | 'weight';
  readonly provider: string;
  readonly day: number;
  readonly hour: number;
  readonly value: number;
  readonly unit: string | null;
}

interface Total {
  readonly user: string;
  readonly day: number;
  readonly provider: string;
  readonly type: string;
  readonly steps: number | null;
}

const dateOf = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
/** The local day begins at 05:00 UTC, so its hours belong to two UTC dates. */
const startOf = (day: number, hour: number, minute: number): string =>
  new Date(Date.UTC(2026, 0, 1 + day, 5 + hour, minute)).toISOString();

function sampleRow({ user, resource, provider, day, hour, value, unit }: Sample, index: number): Row {
  return {
    user_id: user,
    resource,
    provider,
    source_type: 'watch',
    sample_type: '',
    source_workout_id: '',
    start_at: startOf(day, hour, index % 60),
    local_date: dateOf(day),
    value,
    unit,
  };
}

function totalRow({ user, day, provider, type, steps }: Total, index: number): Row {
  return { id: String(index), user_id: user, calendar_date: dateOf(day), provider, source_type: type, steps };
}

const user = fc.constantFrom('ada', 'bo');
const provider = fc.constantFrom('oura', 'garmin');
const heart: fc.Arbitrary<Sample> = fc.record({
  user,
  resource: fc.constant('heartrate' as const),
  provider,
  day: fc.integer({ min: 0, max: 11 }),
  hour: fc.oneof(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 5 })),
  value: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 20, max: 300 }) },
    { weight: 1, arbitrary: fc.constantFrom(19, 301, -4) },
  ),
  unit: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('bpm', ' BPM ', '', null) },
    { weight: 1, arbitrary: fc.constant('furlong') },
  ),
});
const weight: fc.Arbitrary<Sample> = fc.record({
  user,
  resource: fc.constant('weight' as const),
  provider,
  day: fc.integer({ min: 0, max: 30 }),
  hour: fc.integer({ min: 0, max: 23 }),
  // 700 lb are plausible, 700 kg are not.
  value: fc.constantFrom(60, 70, 700),
  unit: fc.constantFrom('kg', 'lb', 'stone', 'ton'),
});
const total: fc.Arbitrary<Total> = fc.record({
  user,
  day: fc.integer({ min: 0, max: 9 }),
  provider,
  type: fc.constantFrom('watch', 'phone'),
  steps: fc.constantFrom(null, 0, 900, 1000, 1001, 5000),
});

interface Flag {
  readonly user: string;
  readonly date: string;
  readonly measure: string;
  readonly source: string;
  readonly flag: string;
  readonly affected: number;
  readonly outOf: number;
}

const inKilograms: Readonly<Record<string, number>> = { kg: 1, lb: 0.45359237, stone: 6.35029318 };
const isUnknown = ({ resource, unit }: Sample): boolean =>
  resource === 'heartrate' ? unit === 'furlong' : !(unit! in inKilograms);

function isImplausible(sample: Sample): boolean {
  if (isUnknown(sample)) return false;
  const { resource, value, unit } = sample;
  if (resource === 'heartrate') return value < 20 || value > 300;
  const kilograms = value * inKilograms[unit!]!;
  return kilograms < 0.3 || kilograms > 650;
}

/** Returns the flags of the samples, from their definitions. */
function flagsOfSamples(samples: readonly Sample[]): Flag[] {
  const bySource = Map.groupBy(samples, (one) => JSON.stringify([one.user, one.resource, one.provider]));
  return [...bySource.values()].flatMap((ofSource) => {
    const days = [...Map.groupBy(ofSource, ({ day }) => day)];
    const hoursOf = (some: readonly Sample[]): number => new Set(some.map(({ hour }) => hour)).size;
    const sorted = days.map(([, some]) => hoursOf(some)).sort((a, b) => a - b);
    const usual = sorted[Math.ceil(sorted.length / 2) - 1]!;
    return days.flatMap(([day, some]) => {
      const [{ user: of, resource, provider: by }] = some as [Sample];
      const flag = (name: string, affected: number, outOf: number): Flag => ({
        user: of,
        date: dateOf(day),
        measure: resource,
        source: `${by}/watch`,
        flag: name,
        affected,
        outOf,
      });
      const hours = hoursOf(some);
      return [
        flag('implausible', some.filter(isImplausible).length, some.length),
        flag('unknown_unit', some.filter(isUnknown).length, some.length),
        flag('partial_day', days.length >= 7 && hours < usual / 2 ? usual - hours : 0, usual),
      ];
    });
  });
}

/** Returns the conflicts between daily totals. The greatest of several totals of a source is its total. */
function conflicts(totals: readonly Total[]): Flag[] {
  const known = totals.filter(({ steps }) => steps !== null);
  return [...Map.groupBy(known, (one) => JSON.stringify([one.user, one.day])).values()].flatMap((ofDay) => {
    const sources = [...Map.groupBy(ofDay, (one) => `${one.provider}/${one.type}`)].map(([source, some]) => ({
      source,
      steps: Math.max(...some.map(({ steps }) => steps!)),
    }));
    const [{ user: of, day }] = ofDay as [Total];
    return sources.map(({ source, steps }) => {
      const others = sources.filter((one) => one.source !== source);
      const different = others.filter((one) => Math.abs(one.steps - steps) > Math.max(one.steps, steps) * 0.1 + 1e-9);
      return {
        user: of,
        date: dateOf(day),
        measure: 'activity.steps',
        source,
        flag: 'conflicting',
        affected: different.length,
        outOf: others.length,
      };
    });
  });
}

const columns = 'user_id, cast(local_date as string), measure, source, flag, affected, out_of';
const plain = (flags: readonly Flag[]): string[] =>
  flags.map((one) => [one.user, one.date, one.measure, one.source, one.flag, one.affected, one.outOf].join(' ')).sort();

export function qualityFlagsCases(open: OpenPlainWarehouse): void {
  describe('quality flags', () => {
    let warehouse: PlainWarehouse;
    beforeAll(async () => {
      warehouse = await open(tables);
      const { dialect } = warehouse;
      for (const view of localViews(dialect)) await warehouse.createView(view);
      for (const view of [measuresView, unitConversionsView, observationsView]) await warehouse.createView(view(dialect));
      await warehouse.createView(asView(qualityDays, dialect));
      await warehouse.createView(qualityFlagsView(dialect));
    });
    afterAll(() => warehouse?.close());

    async function flags(samples: readonly Sample[], totals: readonly Total[]): Promise<string[]> {
      await warehouse.clear();
      if (samples.length > 0) await warehouse.insert('timeseries', samples.map(sampleRow));
      if (totals.length > 0) await warehouse.insert('activity', totals.map(totalRow));
      const found = await warehouse.rows(`select ${columns} from ${warehouse.dialect.table('quality_flags')}`);
      return found.map((row) => row.join(' ')).sort();
    }

    test('the flags of random days are those that plain code finds', async () => {
      const samples = [...fc.sample(heart, { numRuns: 500, seed: 25 }), ...fc.sample(weight, { numRuns: 60, seed: 25 })];
      const totals = fc.sample(total, { numRuns: 60, seed: 25 });
      const expected = [...flagsOfSamples(samples), ...conflicts(totals)].filter(({ affected }) => affected > 0);
      const kinds = new Set(expected.map(({ flag }) => flag));
      expect(kinds).toEqual(new Set(['implausible', 'unknown_unit', 'partial_day', 'conflicting']));
      expect(await flags(samples, totals)).toEqual(plain(expected));
    });

    test('the measure of a flag names the value of the day that comes from it', async () => {
      const totals = fc.sample(total, { numRuns: 60, seed: 25 });
      await flags([...fc.sample(heart, { numRuns: 500, seed: 25 }), ...fc.sample(weight, { numRuns: 60, seed: 25 })], totals);
      const { dialect } = warehouse;
      const found = await warehouse.rows(
        `select distinct measure, day_measure from ${dialect.table('quality_flags')} order by 1`,
      );
      expect(found).toEqual([
        ['activity.steps', 'steps'],
        ['heartrate', 'heartrate'],
        ['weight', 'weight'],
      ]);
      const days = (personDaysView(dialect, {}) as ShownView).columns.map(({ name }) => name);
      const sourced = days.filter((name) => name.endsWith('_source')).map((name) => name.replace(/_source$/, ''));
      expect(new Set(dayMeasures.values())).toEqual(new Set(sourced));
    });

    const full = (day: number, hours: number): Sample[] =>
      Array.from({ length: hours }, (_, hour) => ({
        user: 'ada',
        resource: 'heartrate' as const,
        provider: 'oura',
        day,
        hour,
        value: 60,
        unit: 'bpm',
      }));
    const week = (hours: number): Sample[] => [0, 1, 2, 3, 4, 5].flatMap((day) => full(day, hours));

    test.each([
      ['exactly half of the usual hours are not partial', [...week(20), ...full(6, 10)], []],
      [
        'fewer than half of the usual hours are partial',
        [...week(20), ...full(6, 9)],
        ['ada 2026-01-07 heartrate oura/watch partial_day 11 20'],
      ],
      ['six days are too few to know the usual hours', [...week(20).filter(({ day }) => day > 0), ...full(6, 1)], []],
    ])('%s', async (_, samples, expected) => {
      expect(await flags(samples, [])).toEqual(expected);
    });

    test('totals that differ by exactly a tenth do not conflict', async () => {
      const of = (by: string, steps: number): Total => ({ user: 'ada', day: 0, provider: by, type: 'watch', steps });
      expect(await flags([], [of('oura', 1000), of('garmin', 900)])).toEqual([]);
      expect(await flags([], [of('oura', 1000), of('garmin', 899)])).toEqual([
        'ada 2026-01-01 activity.steps garmin/watch conflicting 1 1',
        'ada 2026-01-01 activity.steps oura/watch conflicting 1 1',
      ]);
    });
  });
}
