import type { StreamName } from '@aorta/schemas';
import { type MergeRange, mergeRanges, partIn } from '../warehouses/merging/landed-dates.ts';
import { landedAtOf, type PendingMerge, rowsOf } from '../warehouses/merging/pending-merge.ts';
import type { MergePatience, MergeRules } from '../warehouses/merging/plan.ts';
import type { LandedBatch } from './batches.ts';
import type { OldDatesPace } from './options.ts';

/** Maximum number of batches in one merge. Every batch makes the merge statement longer, because it names the batch's table. */
export const MOST_BATCHES = 16;

/**
 * Maximum number of a stream's batches with unmerged old samples. Streams on Kafka have many partitions, and
 * partitions with little traffic produce small batches. Without a limit, thousands of small batches would wait for their merge,
 * each in one or two tables.
 */
const MOST_GATHERED = 64;

/** Maximum number of samples in one merge. It limits the memory that a merge needs after a long backlog. */
export const MOST_SAMPLES = 500_000;

/**
 * Number of rows in a DuckDB row group. If a merge adds exactly this many rows, they are compressed and written once. Otherwise
 * some of them are written two or three times: to the write-ahead log, and whenever a checkpoint combines partial row groups.
 *
 * With half-size row groups, the last rows of a load are compressed sooner. For 400,000 summaries, this saved 2–4 % of the time
 * and a tenth of the memory. However, only a file attached to another database can have half-size row groups. If row groups are
 * a third or a quarter of the full size, the file grows by a fifth or more.
 */
export const ROW_GROUP = 122_880;

/** Maximum milliseconds that a merge of summaries or events waits for a full row group. */
const PATIENCE_MS = 5_000;

/** If fewer rows of a stream wait for their merge, landing keeps up with the stream, so the merge waits only for {@link EarlyMerges}. */
export const FEW_ROWS = 8_192;

/** Merges of few rows take at most this part of the time. Each costs about 30 ms, so those of many streams wait longer. */
const EARLY_SHARE = 0.1;

/** Decides when merges of few rows are due, so that they do not take too much time. */
export class EarlyMerges {
  /** Time from which merges of few rows are due, by `steadyNow`. */
  dueFrom = Number.NEGATIVE_INFINITY;

  /** Notes the merges of a round, which ended at `now` and took this many milliseconds together. */
  took(milliseconds: number, now: number): void {
    this.dueFrom = now + milliseconds * (1 / EARLY_SHARE - 1);
  }
}

/** The tables of a stream: its own table, if any, and `deliveries` for recent dates. One transaction merges into all of them. */
export interface StreamTarget {
  readonly name: StreamName;
}

/** A merge of one range of dates from a stream's batches. It is one transaction. */
export type StreamMerge = PendingMerge<StreamTarget, LandedBatch>;

/** Returns the limits at which a merge of a stream becomes due. */
function patienceOf(isTimeseries: boolean, merge: StreamMerge, pace: OldDatesPace, { dueFrom }: EarlyMerges): MergePatience {
  if (merge.range === 'old') return { afterMs: pace.old_after_s * 1000, rows: pace.old_rows, batches: MOST_GATHERED };
  if (isTimeseries) return { afterMs: 0, rows: 0, batches: Number.POSITIVE_INFINITY };
  const untilEarly = Math.max(0, dueFrom - landedAtOf(merge));
  const afterMs = rowsOf(merge) < FEW_ROWS ? Math.min(untilEarly, PATIENCE_MS) : PATIENCE_MS;
  return { afterMs, rows: ROW_GROUP, batches: Number.POSITIVE_INFINITY };
}

export function mergeRules(
  isTimeseries: (stream: StreamName) => boolean,
  pace: OldDatesPace,
  early: EarlyMerges,
): MergeRules<StreamTarget, LandedBatch> {
  return {
    lacking: (batch) =>
      mergeRanges
        .filter((range) => !isMerged(batch, range))
        .map((range) => ({ target: { name: batch.stream }, ...partIn(batch, range) })),
    patience: (merge) => patienceOf(isTimeseries(merge.target.name), merge, pace, early),
    limits: ({ name }) => ({
      batches: MOST_BATCHES,
      rows: isTimeseries(name) ? MOST_SAMPLES : ROW_GROUP,
      days: Number.POSITIVE_INFINITY,
    }),
  };
}

export const isMerged = (batch: LandedBatch, range: MergeRange): boolean =>
  range === 'recent' ? batch.recentMerged : batch.oldMerged;
