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

/** A whole block: its start is plausible and its sync marker stands where the start says. */
export interface FramedBlock {
  /** Byte of the file at which it starts. */
  readonly offset: number;
  /** Byte after its sync marker. */
  readonly end: number;
  /** Records in it. */
  readonly count: number;
}

/** The header of a segment of `bytes` bytes; 'incomplete' where the file ends within it. */
export async function readHeader(handle: FileHandle, bytes: number): Promise<ContainerHeader | 'incomplete' | 'invalid'> {
  for (let length = FIRST_HEADER_BYTES; ; length *= 2) {
    const header = decodeHeader(await readAt(handle, 0, Math.min(length, bytes)));
    if (header !== 'incomplete' || length >= bytes) return header;
    if (length > MOST_HEADER_BYTES) return 'invalid';
  }
}

/** The block at `offset`, looking at its start and its sync marker only; undefined where there is no whole one. */
export async function framedBlockAt(window: SegmentWindow, sync: Buffer, offset: number): Promise<FramedBlock | undefined> {
  const start = decodeBlockStart(await window.at(offset, BLOCK_START_BYTES), 0);
  if (start === undefined) return undefined;
  const end = offset + start.bytes + start.size + SYNC_BYTES;
  if (end > window.bytes) return undefined;
  // Asked for together with the next block's start, which is wanted next.
  const marker = (await window.at(end - SYNC_BYTES, SYNC_BYTES + BLOCK_START_BYTES)).subarray(0, SYNC_BYTES);
  return marker.equals(sync) ? { offset, end, count: start.count } : undefined;
}
