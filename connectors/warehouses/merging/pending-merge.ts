import { type LandedDates, type MergeRange, unionOfDays } from './landed-dates.ts';

/** What merges write into, by name: a table, or in DuckDB the tables of a stream. */
export interface MergeTarget {
  readonly name: string;
}

/** What a target lacks of a landed batch, in one range of dates. */
export interface Lacking<T extends MergeTarget> {
  readonly target: T;
  readonly range: MergeRange;
  /** Days since 1970 that bound the merge; none if the target is not partitioned. */
  readonly days: readonly number[];
  readonly rows: number;
}

export interface MergePart<B> {
  readonly batch: B;
  readonly days: readonly number[];
  readonly rows: number;
}

/** Batches of which one target lacks something, in one range of dates: what a merge takes. At least one, the oldest first. */
export interface PendingMerge<T extends MergeTarget, B> {
  readonly target: T;
  readonly range: MergeRange;
  readonly parts: readonly MergePart<B>[];
}

/** Everything that targets lack of landed batches, by target and range, the oldest batches first. */
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

/** When the oldest of a merge's batches was landed, in milliseconds since 1970. */
export function landedAtOf({ parts }: PendingMerge<MergeTarget, LandedDates>): number {
  return parts[0]!.batch.landedAt;
}

/** The literal days that bound a merge: those of its parts, not the span from the first to the last. */
export function datesOf({ parts }: PendingMerge<MergeTarget, unknown>): number[] {
  return unionOfDays(parts.map(({ days }) => days));
}

/** A merge of several batches as two of half as many each, in their order. */
export function halvesOf<T extends MergeTarget, B>(merge: PendingMerge<T, B>): [PendingMerge<T, B>, PendingMerge<T, B>] {
  const { parts } = merge;
  const middle = Math.ceil(parts.length / 2);
  return [
    { ...merge, parts: parts.slice(0, middle) },
    { ...merge, parts: parts.slice(middle) },
  ];
}
