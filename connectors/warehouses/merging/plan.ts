import { cutMerge, type MergeLimits } from './cutting.ts';
import { dueAt, isDue, type MergePatience } from './due.ts';
import type { LandedDates, MergeRange } from './landed-dates.ts';
import { type Lacking, landedAtOf, type MergeTarget, type PendingMerge, pendingMerges } from './pending-merge.ts';

/**
 * Plans merges for every warehouse: which batches to merge now, for which dates and in which order, and which merges wait. The
 * functions are pure: the caller passes the landed batches, the warehouse's rules and the time.
 */

export interface MergeRules<T extends MergeTarget, B> {
  /** Returns the parts of a batch that are not merged into the targets yet, recent dates before old ones. */
  readonly lacking: (batch: B) => Iterable<Lacking<T>>;
  readonly patience: (target: T, range: MergeRange) => MergePatience;
  readonly limits: (target: T, range: MergeRange) => MergeLimits;
  /** The batches that could not be merged into a target. Absent if the warehouse never sets batches aside. */
  readonly aside?: AsideBatches<T, B>;
}

/** Batches that were set aside because they could not be merged even on their own, see `SetAside`. */
interface AsideBatches<T extends MergeTarget, B> {
  /**
   * Splits a merge: returns one merge of the batches that are not set aside, and one merge for each set-aside batch whose
   * retry is due. If `always` is true, every retry is due.
   */
  apart(merge: PendingMerge<T, B>, now: number, always: boolean): PendingMerge<T, B>[];
  /** Splits waiting merges in the same way, due or not. `until` is the time of the next retry in milliseconds since 1970. */
  waiting(merges: readonly PendingMerge<T, B>[]): readonly {
    readonly merge: PendingMerge<T, B>;
    readonly until: number | undefined;
  }[];
}

export interface PlanMoment {
  readonly extent: 'due' | 'all';
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the merges to run now. Each merge stays within the limits. The oldest batches of a target and range come first. */
export function planMerges<T extends MergeTarget, B extends LandedDates>(
  batches: readonly B[],
  rules: MergeRules<T, B>,
  { extent, now }: PlanMoment,
): PendingMerge<T, B>[] {
  const all = extent === 'all';
  return pendingMerges(batches, rules.lacking)
    .flatMap((merge) => rules.aside?.apart(merge, now, all) ?? [merge])
    .filter((merge) => all || isDue(merge, rules.patience(merge.target, merge.range), now))
    .flatMap((merge) => cutMerge(merge, rules.limits(merge.target, merge.range)));
}

/** A pending merge. Times are in milliseconds since 1970. */
export interface MergeWait<T extends MergeTarget, B> {
  readonly merge: PendingMerge<T, B>;
  readonly landedAt: number;
  readonly dueAt: number;
  readonly dueAtRows: number;
  /** Whether this merge is the retry of a batch that was set aside. */
  readonly aside: boolean;
}

/** Returns every pending merge with the time at which it is due. */
export function planWaits<T extends MergeTarget, B extends LandedDates>(
  batches: readonly B[],
  rules: MergeRules<T, B>,
): MergeWait<T, B>[] {
  const pending = pendingMerges(batches, rules.lacking);
  const waiting = rules.aside?.waiting(pending) ?? pending.map((merge) => ({ merge, until: undefined }));
  return waiting.map(({ merge, until }) => {
    const patience = rules.patience(merge.target, merge.range);
    return {
      merge,
      landedAt: landedAtOf(merge),
      dueAt: until ?? dueAt(merge, patience),
      dueAtRows: patience.rows,
      aside: until !== undefined,
    };
  });
}
