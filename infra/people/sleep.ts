import { dayText, hourMs, instantText, minuteMs } from './calendar.ts';
import { type ProviderConnection, sourceObject } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { heartRateAt } from './heart-rate.ts';
import type { Ingestion, Verb } from './ingestion.ts';
import { type Random, randomOf, stream } from './random.ts';
import { deprecatedDate, discoveredAt, summaryId, summaryKind, versionTimes } from './summary.ts';

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
export function sleepData(connection: ProviderConnection, session: SleepSession, updatedAt: number, tentative: boolean): object {
  const { person, generation, provider } = connection;
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
    ...deprecatedDate(connection, day),
    calendar_date: dayText(day),
    bedtime_start: instantText(session.start, 'offset'),
    bedtime_stop: instantText(stop, 'offset'),
    type: nap ? random.pick(['acknowledged_nap', 'short_sleep']) : 'long_sleep',
    timezone_offset: person.zone.offsetSeconds(session.stop),
    ...split,
    score: tentative || nap ? null : score,
    recovery_readiness_score:
      tentative || nap || !provider.confirmsSleep ? null : Math.min(99, Math.max(20, score + random.whole(-8, 8))),
    ...rates(connection, session),
    // Real events contain both fractions (0.93) and percentages (93.1).
    efficiency: generation === 'old' ? Math.round(share * 100) / 100 : Math.round(share * 1000) / 10,
    temperature_delta: provider.slug === 'oura' ? Math.round(25 * random.bell()) / 100 : null,
    average_hrv: Math.round(95 - person.restingRate + 8 * random.bell() + 20),
    respiratory_rate: Math.round((14.5 + 1.2 * random.bell()) * 10) / 10,
    ...(provider.confirmsSleep ? { state: tentative ? 'tentative' : 'confirmed' } : {}),
    source: sourceObject(connection, provider.sourceTypes[0], true),
    ...versionTimes(connection, discoveredAt(connection, session.day, session.stop), updatedAt),
  };
}

/** Instants of the two previous visits, in milliseconds. */
export interface EarlierVisits {
  readonly since: number;
  /** The visit before `since`. */
  readonly before: number;
}

/**
 * Adds the sleep that has ended since the previous visit. If the provider confirms sleep, the first version is tentative,
 * and the next visit sends the confirmed version. For other providers, the next visit sends a recomputed version with the
 * probability `revision`.
 */
export function ingestSleep(visit: Ingestion, day: number, { since, before }: EarlierVisits, revision: number): void {
  const { connection, instant } = visit;
  const send = (verb: Verb, session: SleepSession, tentative: boolean) =>
    visit.add(`daily.data.sleep.${verb}`, () => sleepData(connection, session, instant, tentative));
  for (const session of sleepSessions(connection, day)) {
    const confirms = connection.provider.confirmsSleep;
    if (session.stop > since && session.stop <= instant) {
      // If the connection began after the sleep ended, its first pull has already sent the final version.
      const known = discoveredAt(connection, day, session.stop) < instant;
      send(known ? 'updated' : 'created', session, confirms && !known);
    }
    // A recomputed version differs from the first version only in `updated_at`.
    const again = confirms || randomOf(connection.seed, stream.sleep, day, session.kind, 1).chance(revision);
    if (again && session.stop > before && session.stop <= since) send('updated', session, false);
  }
}
