import type { StreamName } from '@aorta/schemas';
import type { MergePatience } from '../merging/due.ts';
import { daysIn, type MergeRange, mergeRanges, rowsIn } from '../merging/landed-dates.ts';
import type { PendingMerge } from '../merging/pending-merge.ts';
import type { MergeRules } from '../merging/plan.ts';
import type { LandedBatch } from './batches.ts';
import type { OldDatesPace } from './options.ts';

/** Batches of one merge at most: each is a table that the statement names. */
export const MOST_BATCHES = 16;

/**
 * Batches of a stream whose samples of old dates gather at most. Streams on Kafka have many partitions, and the batches of
 * a quiet one are small: without a limit thousands of them would wait, each a table or two of its own.
 */
const MOST_GATHERED = 64;

/** Samples of one merge at most: they bound the memory that a merge takes after a long backlog. */
export const MOST_SAMPLES = 500_000;

/**
 * Rows of one of DuckDB's row groups. Where a merge adds just as many, they are compressed and written once, on their
 * way in. Of any other number, a part is written twice or three times: to the log, and whenever a checkpoint puts parts
 * of row groups together.
 *
 * Row groups of half the size were tried: the last of a load is compressed sooner, which gave 2–4 % for 400,000 summaries
 * and took a tenth less memory, but only a file that is attached to another database can have them. Of a third and a
 * quarter the file grows by a fifth and more.
 */
export const ROW_GROUP = 122_880;

/** For so long merges into the table of a summary or event wait until the landed records fill a row group, in milliseconds. */
const PATIENCE_MS = 5_000;

/** The tables of a stream: its own, if it has one, and with the recent range `deliveries`. One transaction merges into both. */
export interface StreamTarget {
  readonly name: StreamName;
}

/** The dates of a stream's batches that are merged by one transaction. */
export type StreamMerge = PendingMerge<StreamTarget, LandedBatch>;

/** For how long a range of a stream's batches waits for more. */
function patienceOf(isTimeseries: boolean, range: MergeRange, pace: OldDatesPace): MergePatience {
  if (range === 'old') return { afterMs: pace.old_after_s * 1000, rows: pace.old_rows, batches: MOST_GATHERED };
  if (isTimeseries) return { afterMs: 0, rows: 0, batches: Number.POSITIVE_INFINITY };
  return { afterMs: PATIENCE_MS, rows: ROW_GROUP, batches: Number.POSITIVE_INFINITY };
}

/** The rules by which merges of this file are planned. */
export function mergeRules(
  isTimeseries: (stream: StreamName) => boolean,
  pace: OldDatesPace,
): MergeRules<StreamTarget, LandedBatch> {
  return {
    lacking: (batch) =>
      mergeRanges
        .filter((range) => !isMerged(batch, range))
        .map((range) => ({
          target: { name: batch.stream },
          range,
          days: daysIn(batch, range),
          rows: rowsIn(batch, range),
        })),
    patience: ({ name }, range) => patienceOf(isTimeseries(name), range, pace),
    limits: ({ name }) => ({
      batches: MOST_BATCHES,
      rows: isTimeseries(name) ? MOST_SAMPLES : ROW_GROUP,
      days: Number.POSITIVE_INFINITY,
    }),
  };
}

export const isMerged = (batch: LandedBatch, range: MergeRange): boolean =>
  range === 'recent' ? batch.recentMerged : batch.oldMerged;
