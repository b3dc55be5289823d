import type { FileHandle } from 'node:fs/promises';

const SMALL = 4 * 1024;
const LARGE = 256 * 1024;

/** Reads `length` bytes of a file from `position`. Returns fewer bytes at the end of the file. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
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
