import { cutMerge, type MergeLimits } from './cutting.ts';
import { dueAt, isDue, type MergePatience } from './due.ts';
import type { LandedDates, MergeRange } from './landed-dates.ts';
import { type Lacking, landedAtOf, type MergeTarget, type PendingMerge, pendingMerges } from './pending-merge.ts';

/**
 * The plan of merges, for every warehouse: which landed batches are merged now, by which dates and in which order, and
 * what waits until when. Pure: the caller brings what is landed, the rules of the warehouse and the time.
 */

/** What a warehouse decides about its merges. */
export interface MergeRules<T extends MergeTarget, B> {
  /** What the targets lack of a batch, recent dates before old ones. */
  readonly lacking: (batch: B) => Iterable<Lacking<T>>;
  readonly patience: (target: T, range: MergeRange) => MergePatience;
  readonly limits: (target: T, range: MergeRange) => MergeLimits;
  /** The batches that a target could not take; absent if the warehouse sets none aside. */
  readonly aside?: AsideBatches<T, B>;
}

/** Batches that are kept out of the merges of others, see `SetAside`. */
interface AsideBatches<T extends MergeTarget, B> {
  /** A merge without them, then each that is tried again now (or `always`) as a merge of its own. */
  apart(merge: PendingMerge<T, B>, now: number, always: boolean): PendingMerge<T, B>[];
  /** The same as they wait, with the time of each next try, in milliseconds since 1970. */
  waiting(merges: readonly PendingMerge<T, B>[]): readonly {
    readonly merge: PendingMerge<T, B>;
    readonly until: number | undefined;
  }[];
}

export interface PlanMoment {
  /** What is due, or everything that is landed. */
  readonly extent: 'due' | 'all';
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The merges to make now, each within the limits, the oldest batches of a target and range first. */
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

/** A merge that is still to be made. Times are in milliseconds since 1970. */
export interface MergeWait<T extends MergeTarget, B> {
  readonly merge: PendingMerge<T, B>;
  readonly landedAt: number;
  /** When it is due at the latest. */
  readonly dueAt: number;
  /** Rows at which it is due at once. */
  readonly dueAtRows: number;
  /** It was set aside, and is tried again when it is due. */
  readonly aside: boolean;
}

/** Everything that is still to be merged, and until when it waits. */
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
