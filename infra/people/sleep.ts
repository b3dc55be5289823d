import { hourMs, instantText, minuteMs } from './calendar.ts';
import { type ProviderConnection, summarySource } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { heartRateAt } from './heart-rate.ts';
import { coversEnd, type Pull, pulledDays } from './pull.ts';
import { type Random, randomOf, stream } from './random.ts';
import { datesOf, summaryId, summaryKind } from './summary.ts';
import type { EventContents, Poll, Verb } from './visit.ts';

/** A period of sleep as one device recorded it. Instants are in ms. */
export interface SleepSession {
  kind: typeof summaryKind.night | typeof summaryKind.nap;
  /** local day on which the sleep ends */
  day: number;
  start: number;
  stop: number;
  /** end of the sleep in the tentative version */
  tentativeStop: number;
  /** `day` of the tentative version, which is sometimes one day earlier */
  tentativeDay: number;
}

/** Returns the periods of sleep that end on a local day: the night, unless the device was not worn, and sometimes a nap. */
export function sleepSessions(connection: ProviderConnection, day: number): SleepSession[] {
  const rhythm = dayRhythm(connection.person, day);
  const random = randomOf(connection.seed, stream.sleep, day);
  const sessions: SleepSession[] = [];
  const start = rhythm.asleep + random.whole(-4, 12) * 30_000;
  const stop = rhythm.wake - random.whole(0, 8) * 30_000;
  const slack = random.chance(0.3) ? random.whole(2, 40) * 30_000 : 0;
  const tentativeDay = random.chance(0.05) ? day - 1 : day;
  if (random.chance(0.96))
    sessions.push({ kind: summaryKind.night, day, start, stop, tentativeStop: stop - slack, tentativeDay });
  if (random.chance(0.08)) {
    const from = rhythm.wake + random.whole(5, 8) * hourMs + random.whole(0, 119) * 30_000;
    const to = from + random.whole(40, 140) * 30_000;
    sessions.push({ kind: summaryKind.nap, day, start: from, stop: to, tentativeStop: to, tentativeDay: day });
  }
  return sessions;
}

const half = (seconds: number) => Math.round(seconds / 30) * 30;

/**
 * Draws the durations of the sleep stages, in seconds. Light, REM and deep sleep add up to `total`, and `total` and
 * `awake` add up to `duration`.
 */
function stages(duration: number, nap: boolean, random: Random) {
  const awake = half(duration * random.between(0.03, 0.12));
  const total = duration - awake;
  const deep = half(total * (nap ? random.between(0, 0.1) : random.between(0.12, 0.24)));
  const rem = half(total * (nap ? random.between(0, 0.05) : random.between(0.16, 0.27)));
  return {
    duration,
    total,
    awake,
    light: total - deep - rem,
    rem,
    deep,
    latency: Math.min(awake, half(random.between(60, 1500))),
  };
}

function rates(connection: ProviderConnection, session: SleepSession) {
  const { person } = connection;
  const rhythm = dayRhythm(person, session.day);
  let lowest = Number.POSITIVE_INFINITY;
  let sum = 0;
  let count = 0;
  for (let at = session.start; at < session.stop; at += 5 * minuteMs) {
    const rate =
      session.kind === summaryKind.nap ? person.restingRate + 3 : heartRateAt(person, rhythm, Math.min(at, rhythm.wake - 1));
    lowest = Math.min(lowest, rate);
    sum += rate;
    count++;
  }
  return { hr_lowest: Math.round(lowest - 1), hr_average: Math.round(sum / Math.max(1, count)), hr_resting: person.restingRate };
}

/** Returns the `data` of a sleep event. Durations are in seconds, rates in bpm, HRV as rmssd, temperatures in °C. */
export function sleepData(connection: ProviderConnection, session: SleepSession, tentative = false): object {
  const { person, provider } = connection;
  const nap = session.kind === summaryKind.nap;
  const random = randomOf(connection.seed, stream.sleep, session.day, session.kind);
  const stop = tentative ? session.tentativeStop : session.stop;
  const day = tentative ? session.tentativeDay : session.day;
  const split = stages((stop - session.start) / 1000, nap, random);
  const score = Math.max(30, Math.min(99, Math.round(58 + (split.total / 3600 - 5) * 9 + 5 * random.bell())));
  const share = split.total / split.duration;
  return {
    id: summaryId(connection, session.kind, session.day),
    user_id: person.userId,
    ...datesOf(day),
    bedtime_start: instantText(session.start, 'offset'),
    bedtime_stop: instantText(stop, 'offset'),
    type: nap ? random.pick(['acknowledged_nap', 'short_sleep']) : 'long_sleep',
    timezone_offset: person.zone.offsetSeconds(session.stop),
    ...split,
    score: tentative || nap ? null : score,
    recovery_readiness_score:
      tentative || nap || !provider.confirmsSleep ? null : Math.min(99, Math.max(20, score + random.whole(-8, 8))),
    ...rates(connection, session),
    efficiency: Math.round(share * 1000) / 10,
    temperature_delta: provider.slug === 'oura' ? Math.round(25 * random.bell()) / 100 : null,
    average_hrv: Math.round(95 - person.restingRate + 8 * random.bell() + 20),
    respiratory_rate: Math.round((14.5 + 1.2 * random.bell()) * 10) / 10,
    ...(provider.confirmsSleep ? { state: tentative ? 'tentative' : 'confirmed' } : {}),
    source: summarySource(connection, provider.sourceTypes[0]),
  };
}

/** The probability that a provider which does not confirm sleep sends a recomputed version. It has the same values. */
const recomputedShare = 0.08;

/**
 * Adds the sleep that has ended since the previous visit. If the provider confirms sleep, the first version is tentative,
 * and the next visit sends the confirmed version.
 */
export function liveSleep({ visit, day, firstOfDay, since, before }: Poll): void {
  const { connection, instant } = visit;
  const { confirmsSleep } = connection.provider;
  const send = (verb: Verb, session: SleepSession, tentative: boolean) =>
    visit.add('sleep', verb, { data: () => sleepData(connection, session, tentative) });
  // A nap may end after the last visit of its day.
  for (const session of (firstOfDay ? [day - 1, day] : [day]).flatMap((of) => sleepSessions(connection, of))) {
    if (session.stop > since && session.stop <= instant) send('created', session, confirmsSleep);
    const again = confirmsSleep || randomOf(connection.seed, stream.sleep, session.day, session.kind, 1).chance(recomputedShare);
    if (again && session.stop > before && session.stop <= since) send('updated', session, false);
  }
}

/** Returns the sleep of a pull, in its final version. */
export function pastSleep(pull: Pull): EventContents[] {
  const { connection } = pull;
  return pulledDays(pull)
    .flatMap((day) => sleepSessions(connection, day).reverse())
    .filter(({ stop }) => coversEnd(pull, stop))
    .map((session) => ({ data: () => sleepData(connection, session) }));
}
