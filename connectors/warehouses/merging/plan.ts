import type { WaitingMerge } from '../../warehouse.ts';
import type { LandedDates, MergeRange } from './landed-dates.ts';
import {
  type Lacking,
  landedAtOf,
  type MergePart,
  type MergeTarget,
  type PendingMerge,
  pendingMerges,
  rowsOf,
} from './pending-merge.ts';

/**
 * Plans merges for every warehouse: which batches to merge now, for which dates and in which order, and which merges wait. The
 * functions are pure: the caller passes the landed batches, the warehouse's rules and the time. All times are by `steadyNow`.
 */

/** Limits of a single merge. A batch with more rows than the limit is merged alone. */
export interface MergeLimits {
  readonly batches: number;
  readonly rows: number;
  readonly days: number;
}

/** Splits a merge into merges within the limits and keeps the order of batches. No two neighbouring merges would fit into one. */
export function cutMerge<T extends MergeTarget, B>(merge: PendingMerge<T, B>, limits: MergeLimits): PendingMerge<T, B>[] {
  const cut: MergePart<B>[][] = [];
  let rows = 0;
  let days = new Set<number>();
  for (const part of merge.parts.flatMap((whole) => cutDays(whole, limits.days))) {
    const group = cut.at(-1);
    const together = new Set([...days, ...part.days]);
    const fits = rows + part.rows <= limits.rows && together.size <= limits.days;
    if (group !== undefined && group.length < limits.batches && fits) {
      group.push(part);
      rows += part.rows;
      days = together;
    } else {
      cut.push([part]);
      rows = part.rows;
      days = new Set(part.days);
    }
  }
  return cut.map((parts) => ({ ...merge, parts }));
}

/**
 * Splits a batch with too many days into parts of at most `mostDays` days. Divides its rows evenly among the days, because only
 * their sum is known.
 */
function cutDays<B>(part: MergePart<B>, mostDays: number): MergePart<B>[] {
  if (part.days.length <= mostDays) return [part];
  const cut: MergePart<B>[] = [];
  for (let at = 0; at < part.days.length; at += mostDays) {
    const days = part.days.slice(at, at + mostDays);
    cut.push({ ...part, days, rows: Math.ceil((part.rows * days.length) / part.days.length) });
  }
  return cut;
}

/** Conditions that make a merge due. One of them is enough. */
export interface MergePatience {
  /** Maximum wait in milliseconds since the oldest batch was landed. */
  readonly afterMs: number;
  readonly rows: number;
  /** Number of landed batches of one stream. Each batch is stored in at least one table. */
  readonly batches: number;
}

/** Whether a merge is due at `now`. */
export function isDue(merge: PendingMerge<MergeTarget, LandedDates>, patience: MergePatience, now: number): boolean {
  if (now - landedAtOf(merge) >= patience.afterMs || rowsOf(merge) >= patience.rows) return true;
  const batches = merge.parts.map(({ batch }) => batch);
  return backloggedStreams(batches, patience.batches).size > 0;
}

/** Returns the latest time at which a merge becomes due. More rows make it due earlier. */
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

export interface MergeRules<T extends MergeTarget, B> {
  /** Returns the parts of a batch that are not merged into the targets yet, recent dates before old ones. */
  readonly lacking: (batch: B) => Iterable<Lacking<T>>;
  readonly patience: (merge: PendingMerge<T, B>) => MergePatience;
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
  /** Splits waiting merges in the same way, due or not. `until` is the time of the next retry. */
  waiting(merges: readonly PendingMerge<T, B>[]): readonly {
    readonly merge: PendingMerge<T, B>;
    readonly until: number | undefined;
  }[];
}

export interface PlanMoment {
  readonly extent: 'due' | 'all';
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
    .filter((merge) => all || isDue(merge, rules.patience(merge), now))
    .flatMap((merge) => cutMerge(merge, rules.limits(merge.target, merge.range)));
}

/** A pending merge. */
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
    const patience = rules.patience(merge);
    return {
      merge,
      landedAt: landedAtOf(merge),
      dueAt: until ?? dueAt(merge, patience),
      dueAtRows: patience.rows,
      aside: until !== undefined,
    };
  });
}

export function byDueTime(a: WaitingMerge, b: WaitingMerge): number {
  return a.dueAt - b.dueAt || a.table.localeCompare(b.table, 'en') || a.range.localeCompare(b.range, 'en');
}
