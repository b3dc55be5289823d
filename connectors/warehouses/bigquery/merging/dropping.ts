import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { LandedBatch } from '../landing/landed-batch.ts';
import type { WrittenPosition } from '../sql/index.ts';
import { isMerged, type MergedRecord } from './merged-record.ts';

export interface Dropping {
  readonly batches: readonly LandedBatch[];
  readonly positions: readonly WrittenPosition[];
}

/**
 * Returns the landing tables that can be dropped because they are merged into every target, and the positions to store first.
 * Skips streams whose table another worker owns. The tables of a partition are dropped in order, after the position at their end
 * is stored. A gap between the stored position and the next table therefore always means a missing batch.
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
