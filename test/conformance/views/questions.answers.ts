import { expectedCalendar, expectedSources } from './calendar-oracle.ts';
import { expectedGlucoseDays, expectedStepsHours } from './hours-oracle.ts';
import type { Row } from './loaded-views.ts';
import { type Day, dateOf, daysOf, type KnownPerson, localClock, mean, offsetsOf, personsOf } from './questions.days.ts';
import { abnormalResults, turnaround } from './questions.labs.ts';
import { doubtful } from './questions.quality.ts';
import type { PeopleRows } from './questions.user.ts';
import { nameOf } from './source-oracle.ts';
import { expectedDuplicates } from './workouts-oracle.ts';

/** Answers the questions of docs/guides/questions.md in plain code, from the rows of the tables alone. */

export interface Answer {
  readonly rows: readonly Row[];
  /** The number of decimals of each column that the query rounds. The values in `rows` are exact. */
  readonly digits: Readonly<Record<string, number>>;
}

const TODAY = '2026-04-01';
const DAY = 86_400_000;

const later = (date: string, days: number): string => dateOf(Date.parse(date) + days * DAY);
const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const weekOf = (date: string): string => later(date, -((new Date(date).getUTCDay() + 6) % 7));
const order = (a: readonly (string | number)[], b: readonly (string | number)[]): number => {
  const index = a.findIndex((one, at) => one !== b[at]);
  return index === -1 ? 0 : a[index]! < b[index]! ? -1 : 1;
};
/** A number as a query sorts it. */
const rounded = (value: number): number => Number(value.toFixed(2));
/** Groups in the order of their keys. */
const groups = <T>(list: readonly T[], key: (one: T) => string): [string, T[]][] =>
  [...Map.groupBy(list, key)].toSorted(([a], [b]) => (a < b ? -1 : 1));

interface Context {
  readonly rows: PeopleRows;
  readonly persons: readonly KnownPerson[];
  readonly days: readonly Day[];
  /** The days that are complete. */
  readonly complete: readonly Day[];
}

/** The sum of the products of the deviations from the means, divided by their number. */
function covariance(pairs: readonly (readonly [x: number, y: number])[]): number {
  const [x, y] = [mean(pairs.map(([one]) => one)), mean(pairs.map(([, one]) => one))];
  return mean(pairs.map((pair) => (pair[0] - x) * (pair[1] - y)));
}
const variance = (list: readonly number[]): number => covariance(list.map((one) => [one, one]));

function restingHeartRate({ complete }: Context): Answer {
  const measured = complete.filter(({ resting }) => resting !== undefined);
  const rows = groups(measured, ({ date }) => weekOf(date)).map(([week, days]) => {
    const people = groups(days, ({ user_id }) => user_id).map(([, own]) => mean(own.map(({ resting }) => resting!)));
    return { week, resting_bpm: mean(people), people: people.length };
  });
  return { rows, digits: { resting_bpm: 2 } };
}

function sleepAfterActiveDays({ complete }: Context): Answer {
  const nights = new Map(complete.map((day) => [`${day.user_id} ${day.date}`, day.night?.total_s]));
  const pairs = complete.flatMap(({ user_id, date, steps }) => {
    const sleep = nights.get(`${user_id} ${later(date, 1)}`);
    return steps === undefined || typeof sleep !== 'number' ? [] : [{ user_id, steps, sleep }];
  });
  const people = groups(pairs, ({ user_id }) => user_id).filter(([, own]) => own.length >= 7);
  const rows = people.map(([user_id, own]) => {
    const spread = Math.sqrt(variance(own.map(({ steps }) => steps)) * variance(own.map(({ sleep }) => sleep)));
    return { user_id, nights: own.length, correlation: covariance(own.map(({ steps, sleep }) => [steps, sleep])) / spread };
  });
  return {
    rows: rows.toSorted((a, b) => order([-rounded(a.correlation), a.user_id], [-rounded(b.correlation), b.user_id])),
    digits: { correlation: 2 },
  };
}

function duplicateWorkouts({ rows: { workouts } }: Context): Answer {
  const byId = new Map(workouts.map((one) => [one.id, one]));
  const pairs = groups(workouts, ({ user_id }) => user_id)
    .flatMap(([user, own]) => expectedDuplicates(own, user))
    .map(({ id, kept_id }) => ({ copy: byId.get(id)!, kept_provider: byId.get(kept_id)!.provider }));
  const rows = groups(pairs, ({ copy, kept_provider }) => `${kept_provider} ${copy.provider}`).map(([, list]) => ({
    kept_provider: list[0]!.kept_provider,
    provider: list[0]!.copy.provider,
    workouts: list.length,
    people: new Set(list.map(({ copy }) => copy.user_id)).size,
  }));
  return { rows, digits: {} };
}

function stepsByHour({ persons, complete }: Context): Answer {
  const whole = new Set(complete.map(({ user_id, date }) => `${user_id} ${date}`));
  const hours = persons
    .flatMap(({ person, known }) => expectedStepsHours(person, known).map((hour) => ({ ...hour, user: known.user })))
    .map((hour) => hour as unknown as { user: string; local_date: string; local_hour: number; steps: number })
    .filter(({ user, local_date }) => whole.has(`${user} ${local_date}`));
  const total = sum(hours.map(({ steps }) => steps));
  const rows = [...Map.groupBy(hours, ({ local_hour }) => local_hour)]
    .toSorted(([a], [b]) => a - b)
    .map(([local_hour, list]) => ({ local_hour, steps_pct: (100 * sum(list.map(({ steps }) => steps))) / total }));
  return { rows, digits: { steps_pct: 1 } };
}

/** The sources of each person. */
const sourcesOf = (persons: readonly KnownPerson[]) =>
  persons.map(({ person, known }) => ({
    user_id: known.user,
    sources: expectedSources(person, known) as { first_date: string; last_date: string; last_received_at: string }[],
  }));
const lastOf = (list: readonly string[]): string | null => list.toSorted().at(-1) ?? null;

function lastData({ persons }: Context): Answer {
  const rows = sourcesOf(persons).map(({ user_id, sources }) => ({
    user_id,
    last_date: lastOf(sources.map(({ last_date }) => last_date)),
    last_received_at: lastOf(sources.map(({ last_received_at }) => last_received_at)),
  }));
  const sorted = rows.toSorted((a, b) =>
    order([a.last_date ?? '', a.last_received_at ?? '', a.user_id], [b.last_date ?? '', b.last_received_at ?? '', b.user_id]),
  );
  return { rows: sorted.slice(0, 5), digits: {} };
}

function stoppedUsers({ rows: { connections }, persons }: Context): Answer {
  const rows = sourcesOf(persons).flatMap(({ user_id, sources }) => {
    const last_date = lastOf(sources.map((one) => one.last_date));
    if (last_date === null || last_date >= later(TODAY, -3)) return [];
    const [first_date] = sources.map((one) => one.first_date).toSorted();
    const connected = connections.filter((one) => one.user_id === user_id && one.status === 'connected').length;
    return [{ user_id, first_date, last_date, connected }];
  });
  return { rows: rows.toSorted((a, b) => order([a.last_date, a.user_id], [b.last_date, b.user_id])), digits: {} };
}

function latency({ rows }: Context): Answer {
  const offsets = offsetsOf(rows);
  const connectedAt = new Map<string, number>();
  for (const { user_id, provider, _received_at } of rows.connection_events) {
    const key = `${user_id} ${provider}`;
    connectedAt.set(key, Math.min(connectedAt.get(key) ?? Number.POSITIVE_INFINITY, Date.parse(_received_at)));
  }
  const timed = rows.timeseries.flatMap((one) => {
    const received = Date.parse(one._received_at);
    const marked = Date.parse(one.end_at ?? one.start_at);
    const measured = one.time_basis === 'floating' ? marked - offsets.get(one.user_id)! * 1000 : marked;
    const isNew = measured >= (connectedAt.get(`${one.user_id} ${one.provider}`) ?? Number.POSITIVE_INFINITY);
    return isNew && received >= measured && one.event_type.endsWith('.created')
      ? [{ ...one, minutes: Math.floor((received - measured) / 1000) / 60 }]
      : [];
  });
  const answers = groups(timed, ({ provider }) => provider).map(([provider, list]) => {
    const minutes = list.map((one) => one.minutes).toSorted((a, b) => a - b);
    /** The shortest time within which this share has arrived. */
    const within = (share: number): number => minutes.find((_, index) => (index + 1) / minutes.length >= share)!;
    return { provider, measurements: minutes.length, median_min: within(0.5), p90_min: within(0.9) };
  });
  return { rows: answers, digits: { median_min: 0, p90_min: 0 } };
}

const millimetres = (pressure: number, unit: string | null): number => (unit === 'kPa' ? pressure / 0.133322387415 : pressure);

function pressureByTimeOfDay({ rows: { blood_pressure, ...others }, days }: Context): Answer {
  const clock = localClock({ blood_pressure, ...others });
  const sources = new Map(days.map((day) => [`${day.user_id} ${day.date}`, day.pressureSource]));
  const readings = blood_pressure.flatMap((one) => {
    const [at, systolic] = [clock(one), millimetres(one.systolic_mmhg, one.unit)];
    const counts = systolic >= 40 && systolic <= 350 && sources.get(`${one.user_id} ${dateOf(at)}`) === nameOf(one);
    return counts ? [{ user_id: one.user_id, hour: new Date(at).getUTCHours(), systolic }] : [];
  });
  const rows = groups(readings, ({ user_id }) => user_id).map(([user_id, own]) => {
    const meanAt = (is: (hour: number) => boolean): number | null => {
      const found = own.filter(({ hour }) => is(hour)).map(({ systolic }) => systolic);
      return found.length === 0 ? null : mean(found);
    };
    const [morning_mmhg, evening_mmhg] = [meanAt((hour) => hour >= 4 && hour < 12), meanAt((hour) => hour >= 17)];
    return { user_id, readings: own.length, morning_mmhg, evening_mmhg };
  });
  return { rows, digits: { morning_mmhg: 1, evening_mmhg: 1 } };
}

function glucoseRange({ persons }: Context): Answer {
  const rows = persons.flatMap(({ person, known }) => {
    const days = expectedGlucoseDays(person, known) as Record<string, number>[];
    if (days.length === 0) return [];
    const total = (column: string): number => sum(days.map((day) => day[column]!));
    const share = (...bands: readonly string[]): number => (100 * sum(bands.map(total))) / total('covered_s');
    return [
      {
        user_id: known.user,
        days: days.length,
        coverage_pct: total('coverage_pct') / days.length,
        below_pct: share('very_low_s', 'low_s'),
        in_range_pct: share('in_range_s'),
        above_pct: share('high_s', 'very_high_s'),
      },
    ];
  });
  const digits = { coverage_pct: 0, below_pct: 1, in_range_pct: 1, above_pct: 1 };
  return { rows: rows.toSorted((a, b) => order([a.user_id], [b.user_id])), digits };
}

function bedtimes({ days }: Context): Answer {
  const nights = days.filter(({ night }) => typeof night?.local_start_at === 'string');
  const people = groups(nights, ({ user_id }) => user_id).filter(([, own]) => own.length >= 7);
  const rows = people.map(([user_id, own]) => {
    // Minutes from the midnight of the night. The seconds of a bedtime do not count.
    const minutes = own.map(({ date, night }) =>
      Math.floor((Date.parse(`${night!.local_start_at}Z`) - Date.parse(date)) / 60_000),
    );
    const spread_min = Math.sqrt((variance(minutes) * minutes.length) / (minutes.length - 1));
    return { user_id, nights: own.length, bedtime_h: mean(minutes) / 60, spread_min };
  });
  return {
    rows: rows.toSorted((a, b) => order([-Math.round(a.spread_min), a.user_id], [-Math.round(b.spread_min), b.user_id])),
    digits: { bedtime_h: 1, spread_min: 0 },
  };
}

function weightTrend({ complete }: Context): Answer {
  const weighed = complete.flatMap(({ user_id, date, weight }) => (weight === undefined ? [] : [{ user_id, date, ...weight }]));
  const rows = groups(weighed, ({ user_id }) => user_id).flatMap(([user_id, own]) => {
    const dates = own.map(({ date }) => date).toSorted();
    if (dates.at(-1)! < later(dates[0]!, 13)) return [];
    const dayOf = (date: string): number => Date.parse(date) / DAY;
    const slope = covariance(own.map(({ date, kg }) => [dayOf(date), kg])) / variance(dates.map(dayOf));
    return [
      {
        user_id,
        days: own.length,
        sources: new Set(own.map(({ source }) => source)).size,
        mean_kg: mean(own.map(({ kg }) => kg)),
        kg_per_week: 7 * slope,
      },
    ];
  });
  return {
    rows: rows.toSorted((a, b) => order([rounded(a.kg_per_week), a.user_id], [rounded(b.kg_per_week), b.user_id])),
    digits: { mean_kg: 1, kg_per_week: 2 },
  };
}

function coverage({ persons }: Context): Answer {
  const rows = persons.flatMap(({ person, known }) => {
    const days = expectedCalendar(person, known);
    const having = (column: string): number => days.filter((day) => day[column] !== null).length;
    const incomplete = days.filter(({ is_complete }) => is_complete === false).length;
    const counts = { days: days.length, with_data: having('sources'), with_gaps: having('missing'), incomplete };
    return days.length === 0 ? [] : [{ user_id: known.user, ...counts }];
  });
  return {
    rows: rows.toSorted((a, b) => order([a.with_data - a.days, a.user_id], [b.with_data - b.days, b.user_id])),
    digits: {},
  };
}

/** The answers in the order of the page. */
export function answers(rows: PeopleRows): Readonly<Record<string, Answer>> {
  const persons = personsOf(rows);
  const days = persons.flatMap(daysOf);
  const complete = days.filter(({ isComplete }) => isComplete);
  const context = { rows, persons, days, complete };
  return {
    'How does resting heart rate change from week to week?': restingHeartRate(context),
    'Do people sleep longer after active days?': sleepAfterActiveDays(context),
    'Which workouts were recorded twice?': duplicateWorkouts(context),
    'At what time of day do people walk?': stepsByHour(context),
    'When did each user last have data?': lastData(context),
    'Which users have stopped sending data?': stoppedUsers(context),
    'How long do measurements take to arrive?': latency(context),
    'How long do lab results take?': turnaround(),
    'Which lab results are abnormal?': abnormalResults(),
    'Is blood pressure higher in the morning or in the evening?': pressureByTimeOfDay(context),
    'How much time do people spend in the glucose range?': glucoseRange(context),
    'Which people go to bed at irregular times?': bedtimes(context),
    'Which people gain or lose weight?': weightTrend(context),
    'Which providers send doubtful values?': doubtful(rows, persons, complete),
    'On how many days does each user have data?': coverage(context),
  };
}
