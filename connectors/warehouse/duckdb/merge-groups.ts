import { type LandedBatch, type MergeRange, rowsIn } from './batches.ts';

/** Batches and rows of one merge at most: they bound the memory that a merge takes after a long backlog. */
const MOST_BATCHES = 16;
const MOST_ROWS = 500_000;

/** Cuts batches of which one range is to be merged into merges, in their order; a batch of more rows has a merge of its own. */
export function mergeGroups(batches: readonly LandedBatch[], range: MergeRange): LandedBatch[][] {
  const groups: LandedBatch[][] = [];
  let rows = 0;
  for (const batch of batches) {
    const group = groups.at(-1);
    rows += rowsIn(batch, range);
    if (group !== undefined && group.length < MOST_BATCHES && rows <= MOST_ROWS) group.push(batch);
    else {
      groups.push([batch]);
      rows = rowsIn(batch, range);
    }
  }
  return groups;
}
