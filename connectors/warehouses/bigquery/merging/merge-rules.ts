import type { TableDeclaration } from '@aorta/schemas';
import type { WaitingMerge } from '../../../warehouse.ts';
import type { MergeRange } from '../../merging/landed-dates.ts';
import { type PendingMerge, rowsOf } from '../../merging/pending-merge.ts';
import { byDueTime, type MergeLimits, type MergePatience, type MergeRules, planWaits } from '../../merging/plan.ts';
import type { SetAside } from '../../merging/set-aside.ts';
import { BACKLOG_FROM } from '../landing/backlog-limit.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import type { BigQuerySettings } from '../options.ts';
import { MOST_DAYS } from '../sql/merge.ts';
import { lackingOf, type MergedRecord } from './merged-record.ts';

export type TableMerge = PendingMerge<TableDeclaration, LandedBatch>;

export interface MergePace {
  /** Milliseconds between two merges into a target. */
  readonly everyMs: (target: TableDeclaration) => number;
  /** Number of rows that makes a merge due at once. */
  readonly rows: number;
  readonly oldRows: number;
  readonly oldAfterMs: number;
}

export function mergePaceOf(
  settings: Pick<BigQuerySettings, 'merge_rows' | 'old_rows' | 'old_after_s'>,
  everyMs: MergePace['everyMs'],
): MergePace {
  return {
    everyMs,
    rows: settings.merge_rows,
    oldRows: settings.old_rows,
    oldAfterMs: settings.old_after_s * 1000,
  };
}

/** Returns the limits at which a merge into a table becomes due. With {@link BACKLOG_FROM} batches, the merge is due at once. */
export function patienceOf(pace: MergePace, target: TableDeclaration, range: MergeRange): MergePatience {
  if (range === 'old') return { afterMs: pace.oldAfterMs, rows: pace.oldRows, batches: BACKLOG_FROM };
  return { afterMs: pace.everyMs(target), rows: pace.rows, batches: BACKLOG_FROM };
}

/**
 * Limits of one statement. A few large merges cost less than many small ones, because every merge reads an unpartitioned table
 * completely. BigQuery allows 1,000 tables per statement.
 */
export const statementLimits: MergeLimits = { batches: 300, rows: 20_000_000, days: MOST_DAYS };

export interface TableMergesOptions {
  readonly merged: MergedRecord;
  readonly tables: readonly TableDeclaration[];
  readonly pace: MergePace;
  readonly owns: (target: string) => boolean;
  /** Batches that cannot be merged into a table, even one at a time. */
  readonly setAside: SetAside;
}

export function mergeRules(options: TableMergesOptions): MergeRules<TableDeclaration, LandedBatch> {
  const { merged, tables, pace, owns, setAside } = options;
  return {
    lacking: (batch) => lackingOf(batch, merged, tables).filter(({ target }) => owns(target.name)),
    patience: (target, range) => patienceOf(pace, target, range),
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
