import type { ProviderConnection } from './connection.ts';
import { localDays } from './day-rhythm.ts';

/** A part of the past, in ms: instants in [from, until), and intervals that end in (from, until]. */
export interface PastRange {
  readonly from: number;
  readonly until: number;
  /**
   * when the service asks (ms). Default: the beginning of the connection. The range that contains `asOf` includes the
   * summary of the day that is not over, and the profile
   */
  readonly asOf?: number;
}

/** A request for past data of one resource. */
export interface Pull extends Required<PastRange> {
  readonly connection: ProviderConnection;
}

/** Returns whether the pull covers an instant (ms). */
export function covers({ from, until }: Pull, instant: number): boolean {
  return instant >= from && instant < until;
}

/** Returns whether the pull covers an interval that ends at `end` (ms). */
export function coversEnd({ from, until }: Pull, end: number): boolean {
  return end > from && end <= until;
}

/**
 * Returns the local days whose data may be in the pull, the newest first. A night begins on the day before it ends, and a
 * day's last measurements may follow midnight.
 */
export function pulledDays({ connection, from, until }: Pull): number[] {
  const days = localDays(connection.person, from, until);
  return [days[0]! - 1, ...days, days.at(-1)! + 1].reverse();
}

/** Returns the elements in groups of `size`. The last group comes first, and the first group may be smaller. */
export function newestFirst<T>(list: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let end = list.length; end > 0; end -= size) groups.push(list.slice(Math.max(0, end - size), end));
  return groups;
}
