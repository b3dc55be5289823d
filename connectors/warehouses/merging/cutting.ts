import type { MergePart, MergeTarget, PendingMerge } from './pending-merge.ts';

/** What one merge takes at most. A single batch of more rows has a merge of its own. */
export interface MergeLimits {
  readonly batches: number;
  readonly rows: number;
  /** Different days that bound it. */
  readonly days: number;
}

/** Cuts a merge into merges within the limits, in the order of its batches. No two neighbours would fit into one. */
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

/** A batch of too many days as parts of so many; its rows are shared out evenly, since only their sum is known. */
function cutDays<B>(part: MergePart<B>, mostDays: number): MergePart<B>[] {
  if (part.days.length <= mostDays) return [part];
  const cut: MergePart<B>[] = [];
  for (let at = 0; at < part.days.length; at += mostDays) {
    const days = part.days.slice(at, at + mostDays);
    cut.push({ ...part, days, rows: Math.ceil((part.rows * days.length) / part.days.length) });
  }
  return cut;
}
