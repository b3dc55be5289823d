import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { LandedBatch } from '../landing/landed-batch.ts';
import type { WrittenPosition } from '../sql/index.ts';
import { isMerged, type MergedRecord } from './merged-record.ts';

/** Landed batches that may be dropped, and the positions that have to be written before. */
export interface Dropping {
  readonly batches: readonly LandedBatch[];
  readonly positions: readonly WrittenPosition[];
}

/**
 * The landing tables that every target has, of the targets that this worker owns: from the front of each partition, and
 * only once the position behind them is written. So what is covered by neither a position nor a table is missing, and
 * never just forgotten. Pure.
 */
export function droppable(
  landed: readonly LandedBatch[],
  merged: MergedRecord,
  tables: readonly TableDeclaration[],
  owns: (target: string) => boolean,
): Dropping {
  const lines = Map.groupBy(landed, ({ stream, partition, incarnation }) => JSON.stringify([stream, partition, incarnation]));
  const batches: LandedBatch[] = [];
  const positions: WrittenPosition[] = [];
  for (const line of lines.values()) {
    const [{ stream, partition, incarnation }] = line as [LandedBatch, ...LandedBatch[]];
    if (!owns((tables.find((table) => table.stream === stream) ?? deliveries).name)) continue;
    const front: LandedBatch[] = [];
    for (const batch of line.sort((a, b) => a.from - b.from)) {
      if (!isMerged(batch, merged, tables)) break;
      front.push(batch);
    }
    if (front.length === 0) continue;
    batches.push(...front);
    positions.push({ stream, partition, incarnation, position: Math.max(...front.map(({ to }) => to)) });
  }
  return { batches, positions };
}
