import { type LandedBatch, type MergeRange, rowsIn } from './batches.ts';

/** Batches of one merge at most: each is a table that the statement names. */
export const MOST_BATCHES = 16;

/**
 * Batches of a stream whose samples of old dates gather at most. Streams on Kafka have many partitions, and the batches of
 * a quiet one are small: without a limit thousands of them would wait, each a table or two of its own.
 */
export const MOST_GATHERED = 64;

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

/** Cuts batches of which one range is to be merged into merges of so many rows at most, in their order; a batch of more rows has a merge of its own. */
export function mergeGroups(batches: readonly LandedBatch[], range: MergeRange, mostRows: number): LandedBatch[][] {
  const groups: LandedBatch[][] = [];
  let rows = 0;
  for (const batch of batches) {
    const group = groups.at(-1);
    rows += rowsIn(batch, range);
    if (group !== undefined && group.length < MOST_BATCHES && rows <= mostRows) group.push(batch);
    else {
      groups.push([batch]);
      rows = rowsIn(batch, range);
    }
  }
  return groups;
}
