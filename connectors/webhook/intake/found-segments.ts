import { unlink } from 'node:fs/promises';
import { openSegment, readFrames, type Segment, segmentNumbers, segmentPath } from './segment.ts';
import type { SegmentEnds } from './segment-ends.ts';

/** The segments that an earlier process left in the folder of an intake log. */
export interface FoundSegments {
  /** In order. Includes segments with acknowledged messages whose file is missing. */
  readonly segments: Segment[];
  /** By partition: the next offset. */
  readonly offsets: number[];
}

/**
 * Finds the segments in the folder. A crash may leave messages at the end of the last segment that were not acknowledged. The reader
 * takes the complete ones, so their offsets count as used. Removes a segment without a header and without messages. Rejects
 * with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE.
 */
export async function findSegments(folder: string, ends: SegmentEnds, partitions: number): Promise<FoundSegments> {
  const segments: Segment[] = [];
  const offsets = Array.from({ length: partitions }, () => 0);
  const present = await segmentNumbers(folder);
  const numbers = [...new Set([...present, ...ends.numbers()])].sort((a, b) => a - b);
  for (const number of numbers) {
    const end = ends.of(number);
    const path = segmentPath(folder, number);
    const isThere = present.includes(number);
    const found = isThere ? await openSegment(folder, number) : { path, first: undefined, start: 0, end: 0, lastAt: 0 };
    if (found.first === undefined && end === undefined && !(await hasMessages(found))) {
      await unlink(path);
      continue;
    }
    const first = found.first ?? end?.first ?? [...offsets];
    segments.push({ ...found, number, first, next: end?.next });
    raise(offsets, first);
    raise(offsets, end?.next ?? []);
  }
  raise(offsets, ends.of(ends.last)?.next ?? []);
  const last = segments.at(-1);
  if (last === undefined) return { segments, offsets };
  for await (const { messages, to, damaged, torn } of readFrames(last.path, last.start, last.end)) {
    for (const { partition, offset } of messages) offsets[partition] = Math.max(offsets[partition]!, offset + 1);
    if (torn) last.end = to - damaged!;
  }
  return { segments, offsets };
}

async function hasMessages({ path, start, end }: Pick<Segment, 'path' | 'start' | 'end'>): Promise<boolean> {
  for await (const { messages } of readFrames(path, start, end)) if (messages.length > 0) return true;
  return false;
}

function raise(offsets: number[], others: readonly number[]): void {
  for (const [partition, offset] of others.entries()) offsets[partition] = Math.max(offsets[partition] ?? 0, offset);
}
