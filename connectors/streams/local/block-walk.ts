import type { FileHandle } from 'node:fs/promises';
import {
  BLOCK_START_BYTES,
  type ContainerHeader,
  decodeBlockStart,
  decodeHeader,
  MOST_HEADER_BYTES,
  SYNC_BYTES,
} from './container.ts';
import { readAt, type SegmentWindow } from './segment-window.ts';

const FIRST_HEADER_BYTES = 16 * 1024;

/** A block that is framed correctly: its start is plausible, and the sync marker is where the declared size puts it. */
export interface FramedBlock {
  /** Byte offset of the block in the file. */
  readonly offset: number;
  /** Byte offset after the block's sync marker. */
  readonly end: number;
  readonly count: number;
}

/** Reads the header of a segment with a size of `bytes` bytes. Returns 'incomplete' if the file ends within the header. */
export async function readHeader(handle: FileHandle, bytes: number): Promise<ContainerHeader | 'incomplete' | 'invalid'> {
  for (let length = FIRST_HEADER_BYTES; ; length *= 2) {
    const header = decodeHeader(await readAt(handle, 0, Math.min(length, bytes)));
    if (header !== 'incomplete' || length >= bytes) return header;
    if (length > MOST_HEADER_BYTES) return 'invalid';
  }
}

/** Returns the block at `offset`, or undefined if there is no complete block. Checks only its start and its sync marker. */
export async function framedBlockAt(window: SegmentWindow, sync: Buffer, offset: number): Promise<FramedBlock | undefined> {
  const start = decodeBlockStart(await window.at(offset, BLOCK_START_BYTES), 0);
  if (start === undefined) return undefined;
  const end = offset + start.bytes + start.size + SYNC_BYTES;
  if (end > window.bytes) return undefined;
  // Reads the next block's start in the same call, because the caller asks for it next.
  const marker = (await window.at(end - SYNC_BYTES, SYNC_BYTES + BLOCK_START_BYTES)).subarray(0, SYNC_BYTES);
  return marker.equals(sync) ? { offset, end, count: start.count } : undefined;
}
