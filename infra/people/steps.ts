import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { type DayRhythm, dayRhythm, localDays, quarterMs } from './day-rhythm.ts';
import { coversEnd, type Pull, pulledDays } from './pull.ts';
import { randomOf, stream } from './random.ts';
import { handwriting, type IntervalSample, timeseriesData } from './timeseries.ts';
import type { EventContents, Poll, Visit } from './visit.ts';

/** A bucket of steps. It covers the interval [start, end) in ms and contains the steps that one source type counted. */
interface Bucket {
  start: number;
  end: number;
  value: number;
}

/** One source type of a connection, and the day for which it counts steps. */
interface Counter {
  readonly connection: ProviderConnection;
  readonly sourceType: string;
  readonly rhythm: DayRhythm;
}

/**
 * Returns the steps that a source type counts in a quarter of an hour. A phone misses some steps, because the person does
 * not always carry it.
 */
function counted({ connection, sourceType, rhythm }: Counter, quarter: number): number {
  const steps = rhythm.quarters[quarter] ?? 0;
  if (sourceType !== 'phone') return Math.round(steps * connection.stepFactor);
  const carried = randomOf(connection.seed, stream.steps, rhythm.day, quarter).uniform();
  return carried < 0.3 ? 0 : Math.round(steps * connection.stepFactor * carried);
}

function countedUntil(counter: Counter, quarter: number, until: number): number {
  const start = counter.rhythm.start + quarter * quarterMs;
  if (until <= start) return 0;
  const value = counted(counter, quarter);
  return until >= start + quarterMs ? value : Math.floor((value * (until - start)) / quarterMs);
}

/**
 * Returns the steps of a local day up to an instant (ms). The activity summary contains this value, which is also the sum
 * of the day's buckets.
 */
export function stepsUntil(connection: ProviderConnection, rhythm: DayRhythm, sourceType: string, until: number): number {
  const counter = { connection, sourceType, rhythm };
  let sum = 0;
  for (let quarter = 0; quarter < rhythm.quarters.length; quarter++) sum += countedUntil(counter, quarter, until);
  return sum;
}

/**
 * Returns the buckets of a local day, with the steps counted up to `until`. The first bucket starts at local midnight, so
 * the last hourly bucket of a 24.5-hour day is half an hour long.
 */
function buckets(connection: ProviderConnection, rhythm: DayRhythm, sourceType: string, until: number): Bucket[] {
  const counter = { connection, sourceType, rhythm };
  const quarters = connection.provider.bucketMinutes / 15;
  const list: Bucket[] = [];
  for (let first = 0; first < rhythm.quarters.length; first += quarters) {
    const start = rhythm.start + first * quarterMs;
    if (start >= until) break;
    let value = 0;
    const last = Math.min(first + quarters, rhythm.quarters.length);
    for (let quarter = first; quarter < last; quarter++) value += countedUntil(counter, quarter, until);
    list.push({ start, end: rhythm.start + last * quarterMs, value });
  }
  return list;
}

/** Returns the samples of an event. The deprecated `timestamp` has the same value as `start`. */
function stepSamples(connection: ProviderConnection, list: readonly Bucket[], word: number): IntervalSample[] {
  const written = handwriting(connection, stream.steps, word, list.length);
  return list.map(({ start, end, value }) => ({
    start: written.instant(start),
    end: written.instant(end),
    timestamp: written.instant(start),
    timezone_offset: written.offset(start),
    type: null,
    unit: 'count',
    value,
  }));
}

/** Returns the day's non-empty buckets that ended by `until`. A pull sends these buckets. */
function stepsOfDay(connection: ProviderConnection, day: number, sourceType: string, until: number): Bucket[] {
  return buckets(connection, dayRhythm(connection.person, day), sourceType, until).filter(
    ({ end, value }) => end <= until && value > 0,
  );
}

interface News {
  created: Bucket[];
  updated: Bucket[];
}

/** The probability that a bucket is sent before it is complete, and again as `updated` when its count has grown. */
const earlyShare = 0.5;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the buckets of a few days
function newsSince({ connection, instant: now }: Visit, sourceType: string, since: number): News {
  const news: News = { created: [], updated: [] };
  for (const day of localDays(connection.person, since - minuteMs, now)) {
    const rhythm = dayRhythm(connection.person, day);
    const sent = since === connection.connectedAt ? [] : buckets(connection, rhythm, sourceType, since);
    const before = new Map(sent.map((bucket) => [bucket.start, bucket.value]));
    for (const bucket of buckets(connection, rhythm, sourceType, now)) {
      if (bucket.end <= since || bucket.value === 0) continue;
      const sentEarly = randomOf(connection.seed, stream.steps, bucket.start).chance(earlyShare);
      if (bucket.end > now && !sentEarly) continue;
      const known = sentEarly ? (before.get(bucket.start) ?? 0) : 0;
      if (known === 0) news.created.push(bucket);
      else if (bucket.value > known) news.updated.push(bucket);
    }
  }
  return news;
}

/**
 * Adds live steps to a visit: the buckets completed since the previous visit, some incomplete buckets, and updates of
 * incomplete buckets whose count has grown.
 */
export function liveSteps({ visit, since }: Poll): void {
  const { connection, instant } = visit;
  for (const sourceType of connection.provider.sourceTypes) {
    const news = newsSince(visit, sourceType, since);
    for (const verb of ['created', 'updated'] as const) {
      const list = news[verb];
      if (list.length === 0) continue;
      visit.add('steps', verb, { data: () => timeseriesData(connection, sourceType, stepSamples(connection, list, instant)) });
    }
  }
}

/** Returns the buckets of a pull, with one event for each day and source type. */
export function pastSteps(pull: Pull): EventContents[] {
  const { connection, until } = pull;
  return pulledDays(pull).flatMap((day) =>
    connection.provider.sourceTypes.flatMap((sourceType) => {
      const list = () => stepsOfDay(connection, day, sourceType, until).filter(({ end }) => coversEnd(pull, end));
      if (list().length === 0) return [];
      return [{ data: () => timeseriesData(connection, sourceType, stepSamples(connection, list(), day)) }];
    }),
  );
}
