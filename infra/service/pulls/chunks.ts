import type { Connection } from '../connections/connection.ts';
import { providerOf } from '../connections/provider-catalogue.ts';
import type { User } from '../users/user.ts';
import type { Range } from './past-data.ts';

const DAY_MS = 86_400_000;
const CHUNK_MS = 10 * DAY_MS;
const DEMO_DAYS = 30;

/** The only resources with a history, for providers that do not have one for all. */
const historyOnlyOf: Readonly<Record<string, readonly string[]>> = { polar: ['sleep', 'sleep_stream'] };

/** Dense series have a shorter history at Fitbit. */
const FITBIT_SERIES_DAYS = 14;
const fitbitSeries: ReadonlySet<string> = new Set([
  ...['heartrate', 'steps', 'distance', 'floors_climbed', 'calories_active', 'calories_basal'],
]);

export function hasHistory(provider: string, resource: string): boolean {
  return historyOnlyOf[provider]?.includes(resource) ?? true;
}

function daysOf({ provider, is_demo }: Connection, resource: string): number {
  const days = is_demo === 1 ? DEMO_DAYS : providerOf(provider)!.historyDays;
  return provider === 'fitbit' && fitbitSeries.has(resource) ? Math.min(days, FITBIT_SERIES_DAYS) : days;
}

/**
 * Returns the range of a pull that is planned now: the provider's history within the user's bounds of ingestion. The range is
 * empty if the bounds exclude the whole history.
 */
export function rangeOf(user: User, connection: Connection, resource: string, now: number): Range {
  const { ingestion_start, ingestion_end } = user;
  const first = now - daysOf(connection, resource) * DAY_MS;
  const until = Math.min(now, ingestion_end === null ? now : Date.parse(ingestion_end) + DAY_MS);
  const from = Math.max(first, ingestion_start === null ? first : Date.parse(ingestion_start));
  return from < until ? { from, until } : { from: until, until };
}

export function countChunks({ from, until }: Range): number {
  return Math.ceil((until - from) / CHUNK_MS);
}

/** Returns a chunk of at most ten days. Chunk 0 is the newest. */
export function chunkOf({ from, until }: Range, index: number): Range {
  const end = until - index * CHUNK_MS;
  return { from: Math.max(from, end - CHUNK_MS), until: end };
}
