import { columnMeasures, measures } from '@aorta/schemas';
import type { Answer } from './questions.answers.ts';
import { canonical, dateOf, localClock, offsetsOf } from './questions.days.ts';
import type { PeopleRows, Source } from './questions.user.ts';
import { nameOf } from './source-oracle.ts';

/** Finds the doubtful values of people in plain code, from the rules in docs/guides/querying.md alone. */

interface Value extends Source {
  readonly user_id: string;
  readonly date: string | null;
  readonly measure: string;
  /** Undefined if the unit is not known. */
  readonly value: number | undefined;
  readonly at?: string | null;
}

const known = new Set(columnMeasures.map(({ id }) => id));
const plausible = new Map(measures.map(({ id, plausible: range }) => [id, range]));

/** The values of a summary, one for each of its columns with a measure. */
function ofSummary(table: string, columns: object, row: Omit<Value, 'measure' | 'value'>): Value[] {
  return Object.entries(columns).flatMap(([column, value]) => {
    const measure = `${table}.${column}`;
    return known.has(measure) && typeof value === 'number' ? [{ ...row, measure, value }] : [];
  });
}

function valuesOf(rows: PeopleRows): Value[] {
  const pressure = (value: number, unit: string | null): number => (unit === 'kPa' ? value / 0.133322387415 : value);
  const clock = localClock(rows);
  const offsets = offsetsOf(rows);
  const localDate = (one: Parameters<typeof clock>[0]): string | null =>
    one.time_basis === 'floating' || offsets.has(one.user_id) ? dateOf(clock(one)) : null;
  const base = ({ user_id, provider, source_type }: Source & { user_id: string }) => ({ user_id, provider, source_type });
  return [
    ...rows.timeseries.map((one) => ({
      ...base(one),
      date: localDate(one),
      measure: one.resource,
      value: canonical(one),
      at: one.start_at,
    })),
    ...rows.blood_pressure.flatMap((one) =>
      (['systolic_mmhg', 'diastolic_mmhg'] as const).map((column) => ({
        ...base(one),
        date: localDate(one),
        measure: `blood_pressure.${column}`,
        at: one.start_at,
        value: pressure(one[column], one.unit),
      })),
    ),
    ...rows.activity.flatMap((one) => ofSummary('activity', one, { ...base(one), date: one.calendar_date })),
    ...rows.sleep.flatMap((one) => ofSummary('sleep', one, { ...base(one), date: one.calendar_date, at: one.bedtime_start })),
    ...rows.workouts.flatMap((one) =>
      ofSummary('workouts', one.measures, { ...base(one), date: one.calendar_date, at: one.time_start }),
    ),
  ].filter(({ date }) => date !== null);
}

interface ExaminedDay extends Source {
  readonly series: string;
  readonly date: string;
  readonly values: readonly Value[];
  readonly hours: number;
}

function daysOf(values: readonly Value[]): ExaminedDay[] {
  const key = (one: Value): string => `${one.user_id} ${one.measure} ${nameOf(one)} ${one.date}`;
  return [...Map.groupBy(values, key).values()].map((list) => {
    const { user_id, measure, provider, source_type, date } = list[0]!;
    const hours = new Set(list.flatMap(({ at }) => (at ? [new Date(at).getUTCHours()] : [])));
    return {
      provider,
      source_type,
      series: `${user_id} ${measure} ${provider} ${source_type}`,
      date: date!,
      values: list,
      hours: hours.size,
    };
  });
}

export function doubtful(rows: PeopleRows, today: string): Answer {
  const days = daysOf(valuesOf(rows));
  const usual = new Map(
    [
      ...Map.groupBy(
        days.filter(({ hours }) => hours > 0),
        ({ series }) => series,
      ),
    ].flatMap(([series, list]) => {
      const hours = list.map((one) => one.hours).toSorted((a, b) => a - b);
      return hours.length < 7 ? [] : [[series, hours[Math.floor((hours.length - 1) / 2)]!] as const];
    }),
  );
  const steps = Map.groupBy(
    rows.activity.filter((one) => one.steps !== null),
    (one) => `${one.user_id} ${one.calendar_date}`,
  );
  const flagsOf = ({ values, hours, series, date, ...source }: ExaminedDay) => {
    const { user_id, measure } = values[0]!;
    const [low, high] = plausible.get(measure)!;
    const totals = measure === 'activity.steps' ? steps.get(`${user_id} ${date}`)! : [];
    const own = totals.find((one) => nameOf(one) === nameOf(source))?.steps ?? 0;
    return {
      implausible: values.some(({ value }) => value !== undefined && (value < low || value > high)),
      unknown_unit: values.some(({ value }) => value === undefined),
      partial_day: hours > 0 && hours * 2 < (usual.get(series) ?? 0),
      conflicting: totals.some((one) => Math.abs(one.steps! - own) * 10 > Math.max(one.steps!, own)),
    };
  };
  const flagged = days.filter(({ date }) => date < today).map((day) => ({ provider: day.provider, flags: flagsOf(day) }));
  const answer = [...Map.groupBy(flagged, ({ provider }) => provider)].map(([provider, list]) => {
    const count = (flag: keyof ReturnType<typeof flagsOf>): number => list.filter(({ flags }) => flags[flag]).length;
    return {
      provider,
      days: list.length,
      implausible: count('implausible'),
      unknown_unit: count('unknown_unit'),
      partial_day: count('partial_day'),
      conflicting: count('conflicting'),
      doubtful_pct: (100 * list.filter(({ flags }) => Object.values(flags).some(Boolean)).length) / list.length,
    };
  });
  return { rows: answer.toSorted((a, b) => (a.provider < b.provider ? -1 : 1)), digits: { doubtful_pct: 1 } };
}
