import { leavesIn, type PartitionBounds } from '../../sql/partition-bounds.ts';
import type { TableSize } from '../tables/table-sizes.ts';

const MIB = 1024 * 1024;
/** Minimum number of bytes that the real service bills for each table in a statement. */
const LEAST = 10 * MIB;

/**
 * Returns the number of bytes that a statement reads from a table: all bytes, or only those of the partitions that it selects.
 */
export function bytesRead({ rows, bytes, partitions }: TableSize, bounds: PartitionBounds): number {
  if (partitions.size === 0) return bytes;
  const read = [...partitions].reduce((sum, [day, count]) => sum + (leavesIn(bounds, day) ? count : 0), 0);
  return rows === 0 ? 0 : Math.round((bytes / rows) * read);
}

/**
 * Returns the total number of bytes billed. `read` contains the number of bytes read from each table. The service rounds each
 * number up to whole MiB and bills at least 10 MiB per table.
 */
export function bytesBilled(read: readonly number[]): number {
  return read.reduce((sum, bytes) => sum + Math.max(LEAST, Math.ceil(bytes / MIB) * MIB), 0);
}
