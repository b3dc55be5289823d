import { leavesIn, type PartitionBounds } from '../../sql/partition-bounds.ts';
import type { TableSize } from '../tables/table-sizes.ts';

const MIB = 1024 * 1024;
/** The real service bills at least so much of each table that a statement names. */
const LEAST = 10 * MIB;

/** Bytes of a table that a statement reads: all, or those of the partitions that it is bound to. */
export function bytesRead({ rows, bytes, partitions }: TableSize, bounds: PartitionBounds): number {
  if (partitions.size === 0) return bytes;
  const read = [...partitions].reduce((sum, [day, count]) => sum + (leavesIn(bounds, day) ? count : 0), 0);
  return rows === 0 ? 0 : Math.round((bytes / rows) * read);
}

/** Bytes that are billed for tables of which so many are read each: whole MiB, at least 10 of each. */
export function bytesBilled(read: readonly number[]): number {
  return read.reduce((sum, bytes) => sum + Math.max(LEAST, Math.ceil(bytes / MIB) * MIB), 0);
}
