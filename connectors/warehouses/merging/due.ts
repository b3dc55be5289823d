import type { LandedDates } from './landed-dates.ts';
import { landedAtOf, type MergeTarget, type PendingMerge, rowsOf } from './pending-merge.ts';

/** Conditions that make a merge due. One of them is enough. */
export interface MergePatience {
  /** Maximum wait in milliseconds since the oldest batch was landed. */
  readonly afterMs: number;
  readonly rows: number;
  /** Number of landed batches of one stream. Each batch is stored in at least one table. */
  readonly batches: number;
}

/** Whether a merge is due at `now`, in milliseconds since 1970. */
export function isDue(merge: PendingMerge<MergeTarget, LandedDates>, patience: MergePatience, now: number): boolean {
  if (now - landedAtOf(merge) >= patience.afterMs || rowsOf(merge) >= patience.rows) return true;
  const batches = merge.parts.map(({ batch }) => batch);
  return backloggedStreams(batches, patience.batches).size > 0;
}

/** Returns the latest time at which a merge becomes due, in milliseconds since 1970. More rows make it due earlier. */
export function dueAt(merge: PendingMerge<MergeTarget, LandedDates>, patience: MergePatience): number {
  const landedAt = landedAtOf(merge);
  return isDue(merge, patience, landedAt) ? landedAt : landedAt + patience.afterMs;
}

/** Returns the streams with at least `most` waiting batches. */
export function backloggedStreams(batches: Iterable<{ readonly stream: string }>, most: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { stream } of batches) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= most).map(([stream]) => stream));
}
