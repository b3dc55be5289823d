import { minuteMs } from './calendar.ts';
import type { Connection } from './connection.ts';
import { type DayRhythm, dayRhythm, localDays, quarterMs } from './day-rhythm.ts';
import type { Ingestion } from './ingestion.ts';
import { randomOf, stream } from './random.ts';
import { handwriting, type IntervalSample, timeseriesData } from './timeseries.ts';

/** A bucket of steps: [start, end) in ms and what the source type has counted of it. */
export interface Bucket {
  start: number;
  end: number;
  value: number;
}

/** One source type of a connection, and the day that it counts steps of. */
interface Counter {
  readonly connection: Connection;
  readonly sourceType: string;
  readonly rhythm: DayRhythm;
}

/** Steps that one source type counts in a quarter of an hour; a phone lies on the table part of the time. */
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

/** Steps of a local day up to an instant (ms): what the activity summary says, and exactly the sum of the day's buckets. */
export function stepsUntil(connection: Connection, rhythm: DayRhythm, sourceType: string, until: number): number {
  const counter = { connection, sourceType, rhythm };
  let sum = 0;
  for (let quarter = 0; quarter < rhythm.quarters.length; quarter++) sum += countedUntil(counter, quarter, until);
  return sum;
}

/** The buckets of a local day as known at an instant; hours count from local midnight, so a day of 24.5 hours ends in half of one. */
function buckets(connection: Connection, rhythm: DayRhythm, sourceType: string, until: number): Bucket[] {
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

/** Samples of an event: interval, count. The deprecated `timestamp` repeats the start in the transition generation. */
export function stepSamples(connection: Connection, list: readonly Bucket[], word: number): IntervalSample[] {
  const written = handwriting(connection, stream.steps, word, list.length);
  return list.map(({ start, end, value }) => ({
    start: written.instant(start),
    end: written.instant(end),
    ...(connection.generation === 'both' ? { timestamp: written.instant(start) } : {}),
    timezone_offset: written.offset(start),
    type: written.absentType,
    unit: 'count',
    value,
  }));
}

/** The event `data` for all buckets of a day that ended before an instant (first pull). */
export function stepsOfDay(connection: Connection, day: number, sourceType: string, until: number): Bucket[] {
  return buckets(connection, dayRhythm(connection.person, day), sourceType, until).filter(
    ({ end, value }) => end <= until && value > 0,
  );
}

interface News {
  created: Bucket[];
  updated: Bucket[];
}

interface LiveSteps {
  /** Instant of the visit before, in milliseconds. */
  readonly since: number;
  /** Share of the buckets that are sent while they still grow. */
  readonly early: number;
  /** Nothing was sent live before `since`, the start of the connection. */
  readonly first: boolean;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the minutes of a day
function newsSince({ connection, instant: now }: Ingestion, sourceType: string, { since, early, first }: LiveSteps): News {
  const news: News = { created: [], updated: [] };
  for (const day of localDays(connection.person, since - minuteMs, now)) {
    const rhythm = dayRhythm(connection.person, day);
    const sent = first ? [] : buckets(connection, rhythm, sourceType, since);
    const before = new Map(sent.map((bucket) => [bucket.start, bucket.value]));
    for (const bucket of buckets(connection, rhythm, sourceType, now)) {
      if (bucket.end <= since || bucket.value === 0) continue;
      const sentEarly = randomOf(connection.seed, stream.steps, bucket.start).chance(early);
      if (bucket.end > now && !sentEarly) continue;
      const known = sentEarly ? (before.get(bucket.start) ?? 0) : 0;
      if (known === 0) news.created.push(bucket);
      else if (bucket.value > known) news.updated.push(bucket);
    }
  }
  return news;
}

/**
 * Live steps: what was completed since the visit before, some buckets while they still grow, and those again once they have grown.
 *
 * @param first nothing was sent live before `since`, the start of the connection
 */
export function ingestSteps(visit: Ingestion, since: number, early: number, first: boolean): void {
  const { connection, instant } = visit;
  for (const sourceType of connection.provider.sourceTypes) {
    const news = newsSince(visit, sourceType, { since, early, first });
    for (const verb of ['created', 'updated'] as const) {
      const list = news[verb];
      if (list.length === 0) continue;
      visit.add(`daily.data.steps.${verb}`, () => timeseriesData(connection, sourceType, stepSamples(connection, list, instant)));
    }
  }
}
