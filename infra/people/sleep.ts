import { dayText, hourMs, instantText, minuteMs } from './calendar.ts';
import type { Connection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { heartRateAt } from './heart-rate.ts';
import type { Ingestion, Verb } from './ingestion.ts';
import { type Random, randomOf, stream } from './random.ts';
import { sourceObject } from './source.ts';
import { deprecatedDate, discoveredAt, summaryId, summaryKind, versionTimes } from './summary.ts';

/** A stretch of sleep as one device saw it; instants in ms. */
export interface SleepSession {
  kind: typeof summaryKind.night | typeof summaryKind.nap;
  /** local day on which it ends */
  day: number;
  start: number;
  stop: number;
  /** the end that was believed at first */
  tentativeStop: number;
  /** a first version may carry the day before */
  tentativeDay: number;
}

/** Sleep of one local day: the night that ends on it (unless the device lay on the table) and now and then a nap. */
export function sleepSessions(connection: Connection, day: number): SleepSession[] {
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

/** Stages in seconds: they add to `total`, and `total` and `awake` to `duration`, which is stop less start. */
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

function rates(connection: Connection, session: SleepSession) {
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

/** `data` of a sleep event in one of its two versions. Durations in seconds, rates in bpm, HRV as rmssd, temperatures in °C. */
export function sleepData(connection: Connection, session: SleepSession, updatedAt: number, tentative: boolean): object {
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
    // Both spellings of a share are out there: 0.93 and 93.1.
    efficiency: generation === 'old' ? Math.round(share * 100) / 100 : Math.round(share * 1000) / 10,
    temperature_delta: provider.slug === 'oura' ? Math.round(25 * random.bell()) / 100 : null,
    average_hrv: Math.round(95 - person.restingRate + 8 * random.bell() + 20),
    respiratory_rate: Math.round((14.5 + 1.2 * random.bell()) * 10) / 10,
    ...(provider.confirmsSleep ? { state: tentative ? 'tentative' : 'confirmed' } : {}),
    source: sourceObject(connection, provider.sourceTypes[0], true),
    ...versionTimes(connection, discoveredAt(connection, session.day, session.stop), updatedAt),
  };
}

/** Instants of the visits before, in milliseconds. */
export interface EarlierVisits {
  readonly since: number;
  /** The one before that. */
  readonly before: number;
}

/**
 * Live sleep: sent at the first visit after its end; where the provider confirms, tentative there and confirmed at the
 * next visit. `revision` is the share of nights that are recomputed.
 */
export function ingestSleep(visit: Ingestion, day: number, { since, before }: EarlierVisits, revision: number): void {
  const { connection, instant } = visit;
  const send = (verb: Verb, session: SleepSession, tentative: boolean) =>
    visit.add(`daily.data.sleep.${verb}`, () => sleepData(connection, session, instant, tentative));
  for (const session of sleepSessions(connection, day)) {
    const confirms = connection.provider.confirmsSleep;
    if (session.stop > since && session.stop <= instant) {
      // A connection made since has brought it already, and whole.
      const known = discoveredAt(connection, day, session.stop) < instant;
      send(known ? 'updated' : 'created', session, confirms && !known);
    }
    // Others recompute a night now and then, with the same outcome and a newer version.
    const again = confirms || randomOf(connection.seed, stream.sleep, day, session.kind, 1).chance(revision);
    if (again && session.stop > before && session.stop <= since) send('updated', session, false);
  }
}
