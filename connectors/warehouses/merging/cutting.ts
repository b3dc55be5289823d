import type { MergePart, MergeTarget, PendingMerge } from './pending-merge.ts';

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
