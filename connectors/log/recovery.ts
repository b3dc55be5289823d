import { type FileHandle, open } from 'node:fs/promises';
import { unreadable } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { BLOCK_START_BYTES, decodeBlockStart, SYNC_BYTES } from './container.ts';
import type { Segment } from './segment.ts';
import { framedBlockAt, readAt, readHeader, SegmentWindow } from './segment-file.ts';

/** A torn tail that was cut when the log was opened. */
export interface RecoveredTail {
  readonly stream: StreamName;
  /** Path of the segment, relative to the log's folder. */
  readonly file: string;
  readonly bytes: number;
  /** Position of the first record that was cut. The stream now ends here. */
  readonly record: number;
}

/**
 * The state of a segment. `end` is the position in the stream after the last intact block, and `bytes` is the byte offset in the
 * file after that block.
 */
export type SegmentState =
  /** Complete blocks up to the end of the file. */
  | { readonly kind: 'whole'; readonly end: number; readonly bytes: number }
  /** Complete blocks up to `bytes`, followed by a write that a crash interrupted. */
  | { readonly kind: 'torn'; readonly end: number; readonly bytes: number; readonly torn: number }
  /** Complete blocks up to `end`, followed by a damaged block. */
  | { readonly kind: 'damaged'; readonly end: number; readonly bytes: number };

const SEARCH_BYTES = 1024 * 1024;

/**
 * Examines the last segment of a stream: its header, and the start and sync marker of every block.
 *
 * Distinguishes a torn tail from damage. An append writes the sync marker at the end of a block last. If a crash interrupts the
 * append, the block therefore has no marker, and nothing follows it. If a marker is found anywhere after the last intact block, a
 * block that was completely written is damaged, and cutting it off would drop durable records.
 *
 * The expected marker is read from the header. If the very first block ends with a different marker, the header is damaged.
 */
export async function examineSegment(segment: Segment): Promise<SegmentState> {
  try {
    await using handle = await open(segment.path, 'r');
    const { size } = await handle.stat();
    const header = await readHeader(handle, size);
    if (header === 'incomplete' || header === 'invalid') {
      // A file is all zeros if its length reached the disk before its content. Any other invalid header was valid once and is damaged.
      const torn = header === 'incomplete' || (await isBlank(handle, size));
      return torn
        ? { kind: 'torn', end: segment.first, bytes: 0, torn: size }
        : { kind: 'damaged', end: segment.first, bytes: 0 };
    }
    segment.header = header;
    const window = new SegmentWindow(handle, size);
    let end = segment.first;
    let bytes = header.bytes;
    while (bytes < size) {
      const block = await framedBlockAt(window, header.sync, bytes);
      if (block === undefined) break;
      segment.note(end, bytes);
      end += block.count;
      bytes = block.end;
    }
    if (bytes === size) return { kind: 'whole', end, bytes };
    const unlike = bytes === header.bytes && (await endsWithAnotherMarker(window, bytes));
    if (unlike || (await holds(handle, header.sync, bytes, size))) return { kind: 'damaged', end, bytes };
    return { kind: 'torn', end, bytes, torn: size - bytes };
  } catch (error) {
    throw unreadable(segment.path, error);
  }
}

async function endsWithAnotherMarker(window: SegmentWindow, offset: number): Promise<boolean> {
  const start = decodeBlockStart(await window.at(offset, BLOCK_START_BYTES), 0);
  if (start === undefined) return false;
  const marker = await window.at(offset + start.bytes + start.size, SYNC_BYTES);
  return marker.length === SYNC_BYTES && marker.some((byte) => byte !== 0);
}

async function holds(handle: FileHandle, sync: Buffer, from: number, to: number): Promise<boolean> {
  // Consecutive reads overlap, so that a marker is found even if it crosses a read boundary.
  for (let at = from; at + SYNC_BYTES <= to; at += SEARCH_BYTES) {
    const piece = await readAt(handle, at, Math.min(SEARCH_BYTES + SYNC_BYTES - 1, to - at));
    if (piece.includes(sync)) return true;
  }
  return false;
}

async function isBlank(handle: FileHandle, size: number): Promise<boolean> {
  for (let at = 0; at < size; at += SEARCH_BYTES) {
    const piece = await readAt(handle, at, Math.min(SEARCH_BYTES, size - at));
    if (piece.some((byte) => byte !== 0)) return false;
  }
  return true;
}
