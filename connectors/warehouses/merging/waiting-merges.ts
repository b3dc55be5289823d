import type { WaitingMerge } from '../../warehouse.ts';

export type { WaitingMerge };

/** Compares waiting merges: the earliest due first, then by table and range. */
export function byDueTime(a: WaitingMerge, b: WaitingMerge): number {
  return a.dueAt - b.dueAt || a.table.localeCompare(b.table, 'en') || a.range.localeCompare(b.range, 'en');
}
