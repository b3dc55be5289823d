import type { WaitingMerge } from '../../warehouse.ts';

export type { WaitingMerge };

export function byDueTime(a: WaitingMerge, b: WaitingMerge): number {
  return a.dueAt - b.dueAt || a.table.localeCompare(b.table, 'en') || a.range.localeCompare(b.range, 'en');
}
