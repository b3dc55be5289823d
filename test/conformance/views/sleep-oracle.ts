import {
  asleepOf,
  compare,
  type OffsetAt,
  overlap,
  type Session,
  type SleepRecord,
  sessionsOf,
  spanOf,
  sum,
} from './sleep-sessions.oracle.ts';
import { bySource, countBefore, nameOf, type Ranks, ranksWith, type Source } from './source-oracle.ts';

export type { OffsetAt, SleepRecord } from './sleep-sessions.oracle.ts';

/** Computes the nights of one user in plain code, from the rules alone. */

export interface Night {
  readonly night_date: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly local_start_at: string | null;
  readonly local_end_at: string | null;
  readonly local_basis: string | null;
  readonly duration_s: number | null;
  readonly total_s: number | null;
  readonly awake_s: number | null;
  readonly light_s: number | null;
  readonly rem_s: number | null;
  readonly deep_s: number | null;
  readonly latency_s: number | null;
  readonly efficiency: number | null;
  readonly hr_lowest_bpm: number | null;
  readonly hr_average_bpm: number | null;
  readonly hrv_ms: number | null;
  readonly score: number | null;
  readonly state: string | null;
  readonly provider: string | null;
  readonly source_type: string | null;
  readonly source: string | null;
  readonly fragments: number | null;
  readonly ids: readonly string[] | null;
  readonly naps: number;
  readonly nap_total_s: number;
  readonly nap_sources: string | null;
  readonly other_sleeps: number;
  readonly other_sleeps_total_s: number;
  readonly others: number;
  readonly partial_others: number;
  readonly other_sources: readonly {
    readonly provider: string;
    readonly source_type: string;
    readonly total_s: number | null;
    readonly is_partial: boolean;
  }[];
}

/** A session with its final night and kind. */
interface Sleep extends Session {
  readonly night: string;
  readonly nap: boolean;
}

const HOUR_S = 3600;
const places = {
  best: (one: Session): (number | string)[] => [Number(one.tentative), -one.asleep, one.from ?? Number.POSITIVE_INFINITY, one.id],
  length: (one: Session): (number | string)[] => [-one.asleep, one.from!, one.id],
};
const sameSource = (one: Source, other: Source): boolean => nameOf(one) === nameOf(other);
const overlapOf = (one: Session, other: Session): number =>
  one.from === undefined || one.to === undefined || other.from === undefined || other.to === undefined
    ? 0
    : overlap({ from: one.from, to: one.to }, { from: other.from, to: other.to });
const bestOf = <T extends Session>(list: readonly T[]): T | undefined =>
  list.toSorted((a, b) => compare(places.best(a), places.best(b)))[0];

/** For each source and night, the best session with at least 3 hours asleep that is no acknowledged nap. */
function longNights(sessions: readonly Session[]): Session[] {
  const long = sessions.filter(
    ({ acknowledged, asleep, from, date }) => !acknowledged && asleep >= 3 * HOUR_S && from !== undefined && date !== null,
  );
  return [...Map.groupBy(long, (one) => `${nameOf(one)} ${one.date}`).values()].map((list) => bestOf(list)!);
}

const isShort = ({ parts }: Session): boolean => parts.every(({ sleep_type }) => sleep_type === 'short_sleep');
const isLong = ({ parts, asleep }: Session): boolean =>
  parts.some(({ sleep_type }) => sleep_type === 'long_sleep') || asleep >= 3 * HOUR_S;

/** Whether a session that is no record of another source's night is a nap. */
function isNap(session: Session, all: readonly Session[]): boolean {
  const { hour, asleep } = session;
  if (hour !== undefined) {
    if (asleep < 3 * HOUR_S && hour >= 9 && hour < 21) return true;
    return asleep < HOUR_S && hour >= 8;
  }
  const beside = all.filter((other) => sameSource(session, other) && other.date === session.date && !other.acknowledged);
  return isShort(session) && !isLong(session) && beside.some(isLong);
}

/** Naps are decided over all devices. */
function sleepsOf(sessions: readonly Session[]): Sleep[] {
  const nights = longNights(sessions).sort((a, b) => compare(places.length(a), places.length(b)));
  return sessions.flatMap((session) => {
    const { acknowledged, date } = session;
    const of = acknowledged
      ? undefined
      : nights.find(
          (night) =>
            !sameSource(night, session) &&
            overlapOf(night, session) > 0 &&
            compare(places.length(night), places.length(session)) < 0,
        );
    const night = of?.date ?? date;
    const nap = acknowledged || (of === undefined && isNap(session, sessions));
    return night === null ? [] : [{ ...session, night, nap }];
  });
}

/** Devices with less than half of the longest main sleep do not decide. Phones and entries by hand are not the measure. */
function partialOf(mains: readonly Sleep[]): Set<Sleep> {
  const measures = mains
    .filter(({ source_type, provider, asleep }) => source_type !== 'phone' && provider !== 'manual' && asleep <= 14 * HOUR_S)
    .map(({ asleep }) => asleep);
  return new Set(mains.filter(({ asleep }) => 2 * asleep < Math.max(0, ...measures)));
}

export function expectedNights(
  records: readonly SleepRecord[],
  offsetAt: OffsetAt,
  user: string,
  ranks: Ranks = ranksWith({}),
): Night[] {
  const sleeps = sleepsOf(sessionsOf(records, offsetAt));
  const groups = [...Map.groupBy(sleeps, (one) => `${nameOf(one)} ${one.night}`).values()];
  const mains = groups.flatMap((list) => bestOf(list.filter(({ nap }) => !nap)) ?? []);
  const daysBefore = (one: Source): number =>
    countBefore(
      mains.filter((main) => sameSource(main, one)).map(({ night }) => night),
      (one as Sleep).night,
    );
  const inOrder = bySource(ranks, 'sleep', user, daysBefore);
  const naps = sleeps.filter(({ nap }) => nap);
  const counted = naps.filter(
    (one) => !naps.some((other) => !sameSource(one, other) && overlapOf(one, other) >= 0.5 && inOrder(other, one) < 0),
  );
  return [...new Set([...mains, ...counted].map(({ night }) => night))].sort().map((night) => {
    const ofNight = mains.filter((one) => one.night === night);
    const partial = partialOf(ofNight);
    const [best, ...rest] = ofNight.sort((a, b) => Number(partial.has(a)) - Number(partial.has(b)) || inOrder(a, b));
    const others = sleeps.filter(
      (one) => best !== undefined && one.night === night && sameSource(one, best) && !one.nap && one.id !== best.id,
    );
    const ofDay = counted.filter((one) => one.night === night);
    return {
      night_date: night,
      ...ofMain(best),
      naps: ofDay.length,
      nap_total_s: sum(ofDay.map(({ asleep }) => asleep)),
      nap_sources: ofDay.length === 0 ? null : [...new Set(ofDay.map(nameOf))].sort().join(', '),
      other_sleeps: others.length,
      other_sleeps_total_s: sum(others.map(({ asleep }) => asleep)),
      others: rest.length,
      partial_others: partial.size,
      other_sources: rest.map((one) => ({
        provider: one.provider,
        source_type: one.source_type,
        total_s: complete(one.parts, (part) => part.total_s),
        is_partial: partial.has(one),
      })),
    };
  });
}

function mean(parts: readonly SleepRecord[], of: (record: SleepRecord) => number | null): number | null {
  const having = parts.filter((part) => of(part) !== null);
  if (having.length === 0) return null;
  const weight = sum(having.map(asleepOf));
  if (weight === 0) return sum(having.map((part) => of(part)!)) / having.length;
  return sum(having.map((part) => of(part)! * asleepOf(part))) / weight;
}

const complete = (parts: readonly SleepRecord[], of: (record: SleepRecord) => number | null): number | null =>
  parts.length > 0 && parts.every((part) => of(part) !== null) ? sum(parts.map((part) => of(part)!)) : null;

/** The local and UTC times of the main sleep. */
function timesOf(main: Session | undefined) {
  const [from, to] = [main?.from, main?.to];
  const at = (milliseconds: number | undefined): string | null =>
    milliseconds === undefined ? null : new Date(milliseconds).toISOString();
  const wall = (milliseconds: number | undefined): string | null =>
    milliseconds === undefined || main?.local === undefined ? null : at(milliseconds + main.local.offset * 1000)!.slice(0, -1);
  const basis = main === undefined ? null : from === undefined ? 'calendar_date' : (main.local?.basis ?? 'calendar_date');
  return { start_at: at(from), end_at: at(to), local_start_at: wall(from), local_end_at: wall(to), local_basis: basis };
}

/** The values of the main sleep, or NULL for each of them. */
function ofMain(main: Session | undefined) {
  const parts = main?.parts ?? [];
  const total = complete(parts, (part) => part.total_s);
  const duration =
    main?.from === undefined || main.to === undefined ? (parts[0]?.duration_s ?? null) : Math.floor((main.to - main.from) / 1000);
  const efficiency = mean(parts, (part) => part.efficiency) ?? (total === null || !duration ? null : total / duration);
  const longest = parts.toSorted((a, b) => asleepOf(b) - asleepOf(a) || (spanOf(a)?.from ?? 0) - (spanOf(b)?.from ?? 0));
  const states = parts.flatMap(({ state }) => state ?? []).sort();
  const rates = parts.flatMap(({ hr_lowest_bpm }) => hr_lowest_bpm ?? []);
  return {
    ...timesOf(main),
    duration_s: duration,
    total_s: total,
    awake_s: complete(parts, (part) => part.awake_s),
    light_s: complete(parts, (part) => part.light_s),
    rem_s: complete(parts, (part) => part.rem_s),
    deep_s: complete(parts, (part) => part.deep_s),
    latency_s: parts.find(({ latency_s }) => latency_s !== null)?.latency_s ?? null,
    efficiency: efficiency !== null && efficiency <= 1 ? efficiency : null,
    hr_lowest_bpm: rates.length === 0 ? null : Math.min(...rates),
    hr_average_bpm: mean(parts, (part) => part.hr_average_bpm),
    hrv_ms: mean(parts, (part) => part.average_hrv_ms),
    score: longest.find(({ score }) => score !== null)?.score ?? null,
    state: main?.tentative ? 'tentative' : (states[0] ?? null),
    provider: main?.provider ?? null,
    source_type: main?.source_type ?? null,
    source: main === undefined ? null : nameOf(main),
    fragments: main === undefined ? null : parts.length,
    ids: main === undefined ? null : parts.map(({ id }) => id),
  };
}
