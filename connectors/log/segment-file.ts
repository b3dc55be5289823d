import { type FileHandle, open } from 'node:fs/promises';
import { systemCode, unreadable } from '@aorta/runtime';
import {
  BLOCK_START_BYTES,
  type ContainerHeader,
  decodeBlockStart,
  decodeHeader,
  MOST_HEADER_BYTES,
  SYNC_BYTES,
} from './container.ts';
import { SegmentError } from './errors.ts';
import { isHeaderOf } from './salvage.ts';
import type { Segment } from './segment.ts';

const MOST_OPEN = 16;
const FIRST_HEADER_BYTES = 16 * 1024;
const SMALL = 4 * 1024;
const LARGE = 256 * 1024;

interface OpenFile {
  readonly handle: Promise<FileHandle>;
  users: number;
  /** Set when the file is removed from the map. The last user of the file then closes it. */
  dropped: boolean;
}

/** A cache of segment files that are open for reading. The most recently used files stay open between reads. */
export class SegmentFiles {
  readonly #open = new Map<string, OpenFile>();

  /**
   * Runs `work` with the segment's file open for reading. Rejects with AORTA-SEGMENT-CORRUPT if the file is missing, and with
   * AORTA-FILE-UNREADABLE if it cannot be opened.
   */
  async with<T>({ path, file: name, first }: Segment, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    const file = this.#open.get(path) ?? { handle: open(path, 'r'), users: 0, dropped: false };
    // Moves the file to the end of the map, which is ordered by last use.
    this.#open.delete(path);
    this.#open.set(path, file);
    file.users += 1;
    try {
      return await work(await file.handle);
    } catch (error) {
      this.#drop(path, file);
      if (systemCode(error) === 'ENOENT') throw new SegmentError('AORTA-SEGMENT-CORRUPT', { file: name, record: first });
      throw unreadable(path, error);
    } finally {
      file.users -= 1;
      if (file.dropped && file.users === 0) await closeQuietly(file);
      for (const [other, unused] of this.#open) {
        if (this.#open.size <= MOST_OPEN) break;
        if (unused.users > 0) continue;
        this.#drop(other, unused);
        await closeQuietly(unused);
      }
    }
  }

  async close(): Promise<void> {
    for (const [path, file] of this.#open) {
      this.#drop(path, file);
      if (file.users === 0) await closeQuietly(file);
    }
  }

  #drop(path: string, file: OpenFile): void {
    file.dropped = true;
    if (this.#open.get(path) === file) this.#open.delete(path);
  }
}

async function closeQuietly(file: OpenFile): Promise<void> {
  // A failed open was already reported. A failed close loses nothing, because the file was only read.
  await file.handle.then((handle) => handle.close()).catch(() => {});
}

/** Reads `length` bytes of a file from `position`. Returns fewer bytes at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  return buffer.subarray(0, await readInto(handle, buffer, 0, position));
}

/** Reads the file from `position` until `buffer` is full, beginning at `offset` in the buffer. Returns the number of bytes read. */
export async function readInto(handle: FileHandle, buffer: Buffer, offset: number, position: number): Promise<number> {
  let filled = offset;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled - offset);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled - offset;
}

/**
 * A buffered view of a file, used to read the starts of successive blocks. After a jump, it reads a small chunk. As long as the
 * reads are consecutive, it doubles the size of the chunks up to a limit. This is fast both for large blocks and for tiny blocks.
 */
export class SegmentWindow {
  readonly #handle: FileHandle;
  /** Size of the visible part of the file. Bytes after it are ignored. */
  readonly bytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #chunk = SMALL;

  constructor(handle: FileHandle, bytes: number) {
    this.#handle = handle;
    this.bytes = bytes;
  }

  /** Returns `length` bytes from `position`, or fewer at the end of the visible part. */
  async at(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.bytes - position));
    if (wanted === 0) return this.#buffer.subarray(0, 0);
    const end = this.#start + this.#buffer.length;
    if (position < this.#start || position + wanted > end) {
      const beside = position >= this.#start && position <= end;
      this.#chunk = beside ? Math.min(LARGE, this.#chunk * 2) : SMALL;
      this.#buffer = await readAt(this.#handle, position, Math.min(Math.max(wanted, this.#chunk), this.bytes - position));
      this.#start = position;
    }
    return this.#buffer.subarray(position - this.#start, position - this.#start + wanted);
  }
}

/**
 * Reads the header of a segment's file with a size of `bytes` bytes. Returns 'incomplete' if the file ends within the header, and
 * 'invalid' if it is damaged or the header of another segment.
 */
export async function readHeader(
  handle: FileHandle,
  bytes: number,
  segment: Segment,
): Promise<ContainerHeader | 'incomplete' | 'invalid'> {
  for (let length = FIRST_HEADER_BYTES; ; length *= 2) {
    const header = decodeHeader(await readAt(handle, 0, Math.min(length, bytes)));
    if (typeof header !== 'string' && !isHeaderOf(header, segment)) return 'invalid';
    if (header !== 'incomplete' || length >= bytes) return header;
    if (length > MOST_HEADER_BYTES) return 'invalid';
  }
}

/** A block that is framed correctly: its start is plausible, and the sync marker is where the declared size puts it. */
interface FramedBlock {
  /** Byte offset of the block in the file. */
  readonly offset: number;
  /** Byte offset after the block's sync marker. */
  readonly end: number;
  readonly count: number;
}

/** Returns the block at `offset`, or undefined if there is no complete block. Checks only its start and its sync marker. */
export async function framedBlockAt(window: SegmentWindow, sync: Buffer, offset: number): Promise<FramedBlock | undefined> {
  const start = decodeBlockStart(await window.at(offset, BLOCK_START_BYTES), 0);
  if (start === undefined) return undefined;
  const end = offset + start.whole;
  if (end > window.bytes) return undefined;
  // Reads the next block's start in the same call, because the caller asks for it next.
  const marker = (await window.at(end - SYNC_BYTES, SYNC_BYTES + BLOCK_START_BYTES)).subarray(0, SYNC_BYTES);
  return marker.equals(sync) ? { offset, end, count: start.count } : undefined;
}
