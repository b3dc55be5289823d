import type { Row } from './loaded-views.ts';
import { type Day, dateOf, daysOf, localClock, mean, offsetsOf } from './questions.days.ts';
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
/** Groups in the order of their keys. */
const groups = <T>(list: readonly T[], key: (one: T) => string): [string, T[]][] =>
  [...Map.groupBy(list, key)].toSorted(([a], [b]) => (a < b ? -1 : 1));

type Context = { readonly rows: PeopleRows; readonly days: readonly Day[]; readonly past: readonly Day[] };

function restingHeartRate({ past }: Context): Answer {
  const measured = past.filter(({ resting }) => resting !== undefined);
  const rows = groups(measured, ({ date }) => weekOf(date)).map(([week, days]) => {
    const people = groups(days, ({ user_id }) => user_id).map(([, own]) => mean(own.map(({ resting }) => resting!)));
    return { week, resting_bpm: mean(people), people: people.length };
  });
  return { rows, digits: { resting_bpm: 2 } };
}

function sleepAfterActiveDays({ past }: Context): Answer {
  const nights = new Map(past.map((day) => [`${day.user_id} ${day.date}`, day.night?.total_s]));
  const pairs = past.flatMap(({ user_id, date, steps }) => {
    const sleep = nights.get(`${user_id} ${later(date, 1)}`);
    return steps === undefined || typeof sleep !== 'number' ? [] : [{ user_id, steps, sleep_min: sleep / 60 }];
  });
  const compared = groups(pairs, ({ user_id }) => user_id).flatMap(([, own]) => {
    const usual = { steps: mean(own.map((one) => one.steps)), sleep_min: mean(own.map((one) => one.sleep_min)) };
    return own.map((one) => ({ steps: one.steps - usual.steps, sleep_min: one.sleep_min - usual.sleep_min }));
  });
  const rows = groups(compared, ({ steps }) => (steps > 0 ? 'more' : 'fewer')).map(([steps_than_usual, list]) => ({
    steps_than_usual,
    nights: list.length,
    steps: mean(list.map(({ steps }) => steps)),
    sleep_min: mean(list.map(({ sleep_min }) => sleep_min)),
  }));
  return { rows, digits: { steps: 0, sleep_min: 1 } };
}

function duplicateWorkouts({ rows: { workouts } }: Context): Answer {
  const byId = new Map(workouts.map((one) => [one.id, one]));
  const pairs = groups(workouts, ({ user_id }) => user_id)
    .flatMap(([user, own]) => expectedDuplicates(own, user))
    .map(({ id, kept_id }) => ({ copy: byId.get(id)!, kept_provider: byId.get(kept_id)!.provider }));
  const rows = groups(pairs, ({ copy, kept_provider }) => `${kept_provider} ${copy.provider}`).map(([, list]) => ({
    kept_provider: list[0]!.kept_provider,
    also_recorded_by: list[0]!.copy.provider,
    workouts: list.length,
    people: new Set(list.map(({ copy }) => copy.user_id)).size,
    km_counted_twice: sum(list.map(({ copy }) => copy.measures.distance_m ?? 0)) / 1000,
  }));
  return { rows, digits: { km_counted_twice: 1 } };
}

function stepsByHour({ rows: { timeseries, ...others } }: Context): Answer {
  const clock = localClock({ timeseries, ...others });
  const samples = timeseries
    .filter(({ resource, value }) => resource === 'steps' && value >= 0 && value <= 250_000)
    .map((one) => ({ ...one, at: clock(one) }))
    .filter(({ at }) => dateOf(at) < TODAY);
  const chosen = groups(samples, ({ user_id, at }) => `${user_id} ${dateOf(at)}`).map(([, ofDay]) => {
    const sources = groups(ofDay, nameOf).map(([, list]) => ({ list, total: sum(list.map(({ value }) => value)) }));
    return sources.reduce((a, b) => (b.total > a.total ? b : a)).list;
  });
  const rows = [...Map.groupBy(chosen.flat(), ({ at }) => new Date(at).getUTCHours())]
    .toSorted(([a], [b]) => a - b)
    .map(([local_hour, list]) => ({ local_hour, steps: sum(list.map(({ value }) => value)) / chosen.length }));
  return { rows, digits: { steps: 1 } };
}

/** The days that people can have lived, and not days of devices with a wrong clock. */
const lived = (days: readonly Day[]): Day[] => days.filter(({ date }) => date <= later(TODAY, 1));
const lastOf = (list: readonly string[]): string | null => list.toSorted().at(-1) ?? null;

function lastData({ rows: { users, deliveries }, days }: Context): Answer {
  const everyone = new Set([...users, ...days].map(({ user_id }) => user_id));
  const rows = [...everyone].map((user_id) => {
    const received = deliveries.filter((one) => one.user_id === user_id && one.event_type.startsWith('daily.data.'));
    const used = received.filter(({ redelivered, dead_letter_reason }) => !redelivered && dead_letter_reason === null);
    return {
      user_id,
      last_day: lastOf(lived(days).flatMap((day) => (day.user_id === user_id ? [day.date] : []))),
      last_received_at: lastOf(used.map(({ received_at }) => received_at)),
    };
  });
  const sorted = rows.toSorted((a, b) =>
    order([a.last_day ?? '', a.last_received_at ?? '', a.user_id], [b.last_day ?? '', b.last_received_at ?? '', b.user_id]),
  );
  return { rows: sorted.slice(0, 5), digits: {} };
}

function stoppedUsers({ rows: { connections }, days }: Context): Answer {
  const rows = groups(lived(days), ({ user_id }) => user_id).map(([user_id, own]) => {
    const dates = own.map(({ date }) => date).toSorted();
    const states = connections.flatMap((one) => (one.user_id === user_id ? [one.status] : []));
    const connected = states.filter((status) => status === 'connected').length;
    return {
      user_id,
      first_day: dates[0]!,
      last_day: dates.at(-1)!,
      days: dates.length,
      connected,
      broken: states.length - connected,
    };
  });
  const stopped = rows.filter(({ last_day }) => last_day < later(TODAY, -3));
  return { rows: stopped.toSorted((a, b) => order([a.last_day, a.user_id], [b.last_day, b.user_id])), digits: {} };
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

function pressureByTimeOfDay({ rows: { blood_pressure, ...others }, past }: Context): Answer {
  const clock = localClock({ blood_pressure, ...others });
  const sources = new Map(past.map((day) => [`${day.user_id} ${day.date}`, day.pressureSource]));
  const readings = blood_pressure.flatMap((one) => {
    const at = clock(one);
    const hour = new Date(at).getUTCHours();
    const part = hour >= 4 && hour < 12 ? 'morning' : hour >= 17 ? 'evening' : undefined;
    if (part === undefined || sources.get(`${one.user_id} ${dateOf(at)}`) !== nameOf(one)) return [];
    const [systolic, diastolic] = [millimetres(one.systolic_mmhg, one.unit), millimetres(one.diastolic_mmhg, one.unit)];
    if (systolic < 40 || systolic > 350 || diastolic < 20 || diastolic > 250) return [];
    return [{ user_id: one.user_id, part, systolic, diastolic }];
  });
  const both = groups(readings, ({ user_id }) => user_id).filter(([, own]) => new Set(own.map(({ part }) => part)).size === 2);
  const rows = ['morning', 'evening'].map((part) => {
    const people = both.map(([, own]) => own.filter((one) => one.part === part));
    const ofPeople = (column: 'systolic' | 'diastolic'): number => mean(people.map((own) => mean(own.map((one) => one[column]))));
    return {
      part,
      people: people.length,
      readings: people.flat().length,
      systolic_mmhg: ofPeople('systolic'),
      diastolic_mmhg: ofPeople('diastolic'),
    };
  });
  return { rows, digits: { systolic_mmhg: 1, diastolic_mmhg: 1 } };
}

function glucoseRange({ rows, past }: Context): Answer {
  const clock = localClock(rows);
  const sources = new Map(past.map((day) => [`${day.user_id} ${day.date}`, day.glucoseSource]));
  const readings = rows.timeseries
    .filter(({ resource, value }) => resource === 'glucose' && value > 0)
    .map((one) => ({ ...one, date: dateOf(clock(one)) }))
    .filter((one) => sources.get(`${one.user_id} ${one.date}`) === nameOf(one));
  const answers = groups(readings, ({ user_id }) => user_id).map(([user_id, own]) => {
    const share = (is: (value: number, low: number, high: number) => boolean): number =>
      (100 * own.filter(({ value, unit }) => (unit === 'mg/dL' ? is(value, 70, 180) : is(value, 3.9, 10))).length) / own.length;
    return {
      user_id,
      readings: own.length,
      days: new Set(own.map(({ date }) => date)).size,
      below_pct: share((value, low) => value < low),
      above_pct: share((value, _, high) => value > high),
      in_range_pct: share((value, low, high) => value >= low && value <= high),
    };
  });
  return { rows: answers, digits: { below_pct: 1, in_range_pct: 1, above_pct: 1 } };
}

function bedtimes({ past }: Context): Answer {
  const nights = past.filter(({ night }) => typeof night?.local_start_at === 'string');
  const people = groups(nights, ({ user_id }) => user_id).filter(([, own]) => own.length >= 7);
  const rows = people.map(([user_id, own]) => {
    // Minutes after the noon before the night. The seconds of a bedtime do not count.
    const minutes = own.map(({ night }) => {
      const [hour, minute] = night!.local_start_at!.slice(11, 16).split(':').map(Number);
      return ((hour! + 12) % 24) * 60 + minute!;
    });
    const totals = own.flatMap(({ night }) => (night!.total_s === null ? [] : [night!.total_s / 3600]));
    const spread = Math.sqrt(sum(minutes.map((one) => (one - mean(minutes)) ** 2)) / (minutes.length - 1));
    return {
      user_id,
      nights: own.length,
      sleep_h: mean(totals),
      debt_h: 8 - mean(totals),
      bedtime_h: 12 + mean(minutes) / 60,
      spread_min: spread,
    };
  });
  const sorted = rows.toSorted((a, b) => order([-a.spread_min, a.user_id], [-b.spread_min, b.user_id]));
  return { rows: sorted.slice(0, 5), digits: { sleep_h: 1, debt_h: 1, bedtime_h: 1, spread_min: 0 } };
}

function weightTrend({ past }: Context): Answer {
  const weighed = groups(
    past.filter(({ weight }) => weight !== undefined),
    ({ user_id }) => user_id,
  );
  const rows = weighed.flatMap(([user_id, own]) => {
    const dates = own.map(({ date }) => date).toSorted();
    const [firstWeek, lastWeek] = [later(dates[0]!, 6), later(dates.at(-1)!, -6)];
    if (firstWeek >= lastWeek) return [];
    const meanOf = (is: (date: string) => boolean): number =>
      mean(own.filter(({ date }) => is(date)).map(({ weight }) => weight!.kg));
    const [first_kg, last_kg] = [meanOf((date) => date <= firstWeek), meanOf((date) => date >= lastWeek)];
    return [
      {
        user_id,
        first_kg,
        last_kg,
        change_kg: last_kg - first_kg,
        sources: new Set(own.map(({ weight }) => weight!.source)).size,
      },
    ];
  });
  const sorted = rows.toSorted((a, b) => order([a.change_kg, a.user_id], [b.change_kg, b.user_id]));
  return { rows: sorted, digits: { first_kg: 2, last_kg: 2, change_kg: 2 } };
}

function coverage({ rows: { users }, past }: Context): Answer {
  const week = past.filter(({ date }) => date >= later(TODAY, -7));
  const rows = users.map(({ user_id }) => {
    const count = (has: (day: Day) => boolean): number => week.filter((day) => day.user_id === user_id && has(day)).length;
    return {
      user_id,
      steps: count(({ steps }) => steps !== undefined),
      heart_rate: count((day) => day.heartRate !== undefined),
      sleep: count(({ night }) => typeof night?.total_s === 'number'),
      weight: count((day) => day.weight !== undefined),
      blood_pressure: count((day) => day.pressureSource !== undefined),
      glucose: count((day) => day.glucoseSource !== undefined),
    };
  });
  return { rows: rows.toSorted((a, b) => order([a.steps, a.user_id], [b.steps, b.user_id])).slice(0, 5), digits: {} };
}

/** The answers in the order of the page. */
export function answers(rows: PeopleRows): Readonly<Record<string, Answer>> {
  const days = daysOf(rows);
  const context = { rows, days, past: days.filter(({ date }) => date < TODAY) };
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
    'Which providers send doubtful values?': doubtful(rows, TODAY),
    'On how many days does each user have data?': coverage(context),
  };
}
