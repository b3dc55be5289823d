import { unlink } from 'node:fs/promises';
import { openSegment, readFrames, type Segment, segmentNumbers, segmentPath } from './segment.ts';

export interface RecoveredIntake {
  /** In order. The end of each segment is that of its last durable message. */
  readonly segments: Segment[];
  /** By partition: the next offset. */
  readonly offsets: number[];
}

/**
 * Reads what an earlier process left in the folder. A segment's durable end is in the header of its successor. The last segment
 * has no successor, so it is read: what a crash left incomplete at its end was never acknowledged. Removes a segment without a
 * complete header. Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE.
 */
export async function recoverIntake(folder: string, partitions: number): Promise<RecoveredIntake> {
  const segments: Segment[] = [];
  for (const number of await segmentNumbers(folder)) {
    const found = await openSegment(folder, number);
    if (found === undefined) {
      await unlink(segmentPath(folder, number));
      continue;
    }
    const { previous, ...segment } = found;
    const before = segments.at(-1);
    if (before !== undefined && previous !== null) before.end = Math.min(before.end, previous);
    segments.push(segment);
  }
  const offsets = Array.from({ length: partitions }, (_, partition) => segments.at(-1)?.first[partition] ?? 0);
  const last = segments.at(-1);
  if (last === undefined) return { segments, offsets };
  for await (const { messages, to, damaged, torn } of readFrames(last.path, last.start, last.end)) {
    for (const { partition, offset } of messages) offsets[partition] = offset + 1;
    if (torn) last.end = to - damaged!;
  }
  return { segments, offsets };
}
