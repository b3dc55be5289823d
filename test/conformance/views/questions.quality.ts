import { measures } from '@aorta/schemas';
import { expectedMetricDays } from './person-days-oracle.ts';
import type { Answer } from './questions.answers.ts';
import { type Day, dateOf, type KnownPerson, localClock } from './questions.days.ts';
import type { PeopleRows, Source } from './questions.user.ts';
import { canonical } from './sample-days-oracle.ts';
import { nameOf } from './source-oracle.ts';

/** Finds the doubtful values of people in plain code, from the rules in docs/guides/querying.md alone. */

interface Value extends Source {
  readonly user_id: string;
  readonly date: string;
  readonly measure: string;
  /** Undefined if the unit is not known. */
  readonly value: number | undefined;
  readonly at?: string;
}

const plausible = new Map(measures.map(({ id, plausible: range }) => [id, range]));

/** The values of days by the measure that they come from, with their names in `metric_days`. */
const dayMeasures: Readonly<Record<string, string>> = {
  'activity.steps': 'steps',
  'activity.heart_rate_resting_bpm': 'heart_rate_resting',
  heartrate: 'heartrate',
  glucose: 'glucose',
  weight: 'weight',
};

function valuesOf(rows: PeopleRows): Value[] {
  const clock = localClock(rows);
  return [
    ...rows.timeseries
      .filter(({ resource }) => resource in dayMeasures)
      .map((one) => ({
        ...one,
        date: dateOf(clock(one)),
        measure: one.resource,
        value: canonical({ ...one, sample_type: '' }),
        at: one.start_at,
      })),
    ...rows.activity.flatMap(({ steps, heart_rate_resting_bpm, calendar_date: date, ...owner }) =>
      Object.entries({ steps, heart_rate_resting_bpm }).flatMap(([column, value]) =>
        value === null ? [] : [{ ...owner, date, measure: `activity.${column}`, value }],
      ),
    ),
  ];
}

interface ExaminedDay extends Source {
  readonly series: string;
  readonly date: string;
  readonly values: readonly Value[];
  readonly hours: number;
}

function examined(values: readonly Value[]): ExaminedDay[] {
  const key = (one: Value): string => `${one.user_id} ${one.measure} ${nameOf(one)} ${one.date}`;
  return [...Map.groupBy(values, key).values()].map((list) => {
    const { user_id, measure, provider, source_type, date } = list[0]!;
    const hours = new Set(list.flatMap(({ at }) => (at ? [new Date(at).getUTCHours()] : [])));
    return {
      provider,
      source_type,
      series: `${user_id} ${measure} ${provider} ${source_type}`,
      date,
      values: list,
      hours: hours.size,
    };
  });
}

/** Counts the values of complete days, and those with a flag. */
export function doubtful(rows: PeopleRows, persons: readonly KnownPerson[], complete: readonly Day[]): Answer {
  const days = examined(valuesOf(rows));
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
  const isFlagged = ({ values, hours, series, date, ...source }: ExaminedDay) => {
    const { user_id, measure } = values[0]!;
    const [low, high] = plausible.get(measure)!;
    const totals = measure === 'activity.steps' ? steps.get(`${user_id} ${date}`)! : [];
    const own = totals.find((one) => nameOf(one) === nameOf(source))?.steps ?? 0;
    return (
      values.some(({ value }) => value === undefined || value < low || value > high) ||
      (hours > 0 && hours * 2 < (usual.get(series) ?? 0)) ||
      totals.some((one) => Math.abs(one.steps! - own) * 10 > Math.max(one.steps!, own))
    );
  };
  const flagged = new Set(
    days.filter(isFlagged).map(({ values, date, ...source }) => {
      const { user_id, measure } = values[0]!;
      return `${user_id} ${date} ${dayMeasures[measure]} ${nameOf(source)}`;
    }),
  );
  const whole = new Set(complete.map(({ user_id, date }) => `${user_id} ${date}`));
  const found = persons
    .flatMap(({ person, known }) =>
      expectedMetricDays(person, known).map((day) => ({ ...day, user: known.user }) as Record<string, string>),
    )
    .filter(({ user, local_date }) => whole.has(`${user} ${local_date}`));
  const answer = [...Map.groupBy(found, ({ provider }) => provider!)].map(([provider, list]) => {
    const own = list.filter((one) => flagged.has(`${one.user} ${one.local_date} ${one.measure} ${one.source}`));
    return { provider, day_values: list.length, doubtful: own.length, doubtful_pct: (100 * own.length) / list.length };
  });
  return { rows: answer.toSorted((a, b) => (a.provider < b.provider ? -1 : 1)), digits: { doubtful_pct: 1 } };
}
