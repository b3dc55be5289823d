import type { TableDeclaration } from '@aorta/schemas';
import type { WaitingMerge } from '../../warehouse.ts';
import { type PendingMerge, rowsOf } from '../../warehouses/merging/pending-merge.ts';
import { byDueTime, type MergeLimits, type MergeRules, planWaits } from '../../warehouses/merging/plan.ts';
import type { SetAside } from '../../warehouses/merging/set-aside.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import type { BigQuerySettings } from '../options.ts';
import { BACKLOG_FROM } from '../quotas/quotas.ts';
import { MOST_DAYS } from '../sql/merge.ts';
import { lackingOf, type MergedRecord } from './merged-record.ts';

export type TableMerge = PendingMerge<TableDeclaration, LandedBatch>;

/**
 * Limits of one statement. A few large merges cost less than many small ones, because every merge reads an unpartitioned table
 * completely. BigQuery allows 1,000 tables per statement.
 */
export const statementLimits: MergeLimits = { batches: 300, rows: 20_000_000, days: MOST_DAYS };

export interface MergeRulesOptions {
  readonly settings: Pick<BigQuerySettings, 'merge_rows' | 'old_rows' | 'old_after_s'>;
  readonly tables: readonly TableDeclaration[];
  readonly merged: MergedRecord;
  /** Milliseconds between two merges into a target. */
  readonly everyMs: (target: TableDeclaration) => number;
  /** Default: all tables. */
  readonly owns?: (target: string) => boolean;
  /** Batches that cannot be merged into a table, even one at a time. Default: none. */
  readonly setAside?: SetAside;
}

/** A merge into a table is due by age or rows, with separate limits for old dates. With {@link BACKLOG_FROM} batches, it is due at once. */
export function mergeRules(options: MergeRulesOptions): MergeRules<TableDeclaration, LandedBatch> {
  const { settings, tables, merged, everyMs, owns = () => true, setAside } = options;
  const { merge_rows, old_rows, old_after_s } = settings;
  return {
    lacking: (batch) => lackingOf(batch, merged, tables).filter(({ target }) => owns(target.name)),
    patience: ({ target, range }) =>
      range === 'old'
        ? { afterMs: old_after_s * 1000, rows: old_rows, batches: BACKLOG_FROM }
        : { afterMs: everyMs(target), rows: merge_rows, batches: BACKLOG_FROM },
    limits: () => statementLimits,
    aside: setAside,
  };
}

/** Returns the pending merges with their due times. `heldBy` returns the code of the error that blocks merges of a table. */
export function waitingMerges(
  batches: readonly LandedBatch[],
  rules: MergeRules<TableDeclaration, LandedBatch>,
  heldBy: (table: string) => string | undefined,
): WaitingMerge[] {
  const waiting = planWaits(batches, rules).map(({ merge, landedAt, dueAt, dueAtRows, aside }): WaitingMerge => {
    const { target, range, parts } = merge;
    const held = aside ? 'AORTA-BIGQUERY-BATCH-ASIDE' : heldBy(target.name);
    const due = { table: target.name, range, batches: parts.length, rows: rowsOf(merge), landedAt, dueAt, dueAtRows };
    return held === undefined ? due : { ...due, heldBy: held };
  });
  return waiting.sort(byDueTime);
}
