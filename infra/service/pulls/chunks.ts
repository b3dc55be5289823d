import type { User } from '../users/user.ts';
import type { Range } from './past-data.ts';

const DAY_MS = 86_400_000;
const CHUNK_MS = 10 * DAY_MS;

/** The only resources with a history, for providers that do not have one for all. */
const historyOnlyOf: Readonly<Record<string, readonly string[]>> = { polar: ['sleep', 'sleep_stream'] };

export function hasHistory(provider: string, resource: string): boolean {
  return historyOnlyOf[provider]?.includes(resource) ?? true;
}

/**
 * Returns the range of a pull that is planned now: the last days within the user's bounds of ingestion. The range is empty if the
 * bounds exclude all of these days.
 */
export function rangeOf({ ingestion_start, ingestion_end }: User, days: number, now: number): Range {
  const first = now - days * DAY_MS;
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
