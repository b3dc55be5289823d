import { type LandedDates, type MergeRange, unionOfDays } from './landed-dates.ts';

/** The target of a merge: one table, or in DuckDB all tables of a stream. */
export interface MergeTarget {
  readonly name: string;
}

/** The part of a landed batch, in one range of dates, that has not been merged into a target yet. */
export interface Lacking<T extends MergeTarget> {
  readonly target: T;
  readonly range: MergeRange;
  /** Days since 1970 to which the merge is limited; empty if the target is not partitioned. */
  readonly days: readonly number[];
  readonly rows: number;
}

export interface MergePart<B> {
  readonly batch: B;
  readonly days: readonly number[];
  readonly rows: number;
}

/**
 * The batches whose part in one range of dates has not been merged into a target yet. There is at least one batch. The oldest
 * comes first.
 */
export interface PendingMerge<T extends MergeTarget, B> {
  readonly target: T;
  readonly range: MergeRange;
  readonly parts: readonly MergePart<B>[];
}

/** Collects the parts of landed batches that are not merged yet, by target and range, the oldest batches first. */
export function pendingMerges<T extends MergeTarget, B extends LandedDates>(
  batches: readonly B[],
  lacking: (batch: B) => Iterable<Lacking<T>>,
): PendingMerge<T, B>[] {
  const pending = new Map<string, { target: T; range: MergeRange; parts: MergePart<B>[] }>();
  for (const batch of [...batches].sort((a, b) => a.landedAt - b.landedAt)) {
    for (const { target, range, days, rows } of lacking(batch)) {
      const key = `${target.name}/${range}`;
      const merge = pending.get(key);
      if (merge === undefined) pending.set(key, { target, range, parts: [{ batch, days, rows }] });
      else merge.parts.push({ batch, days, rows });
    }
  }
  return [...pending.values()];
}

export function rowsOf({ parts }: Pick<PendingMerge<MergeTarget, unknown>, 'parts'>): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns when the oldest batch of a merge was landed, by `steadyNow`. */
export function landedAtOf({ parts }: PendingMerge<MergeTarget, LandedDates>): number {
  return parts[0]!.batch.landedAt;
}

/** Returns the exact days that a merge touches, not the span from the first to the last. */
export function datesOf({ parts }: PendingMerge<MergeTarget, unknown>): number[] {
  return unionOfDays(parts.map(({ days }) => days));
}

/** Splits a merge of several batches into two halves and keeps the order. */
export function halvesOf<T extends MergeTarget, B>(merge: PendingMerge<T, B>): [PendingMerge<T, B>, PendingMerge<T, B>] {
  const { parts } = merge;
  const middle = Math.ceil(parts.length / 2);
  return [
    { ...merge, parts: parts.slice(0, middle) },
    { ...merge, parts: parts.slice(middle) },
  ];
}
