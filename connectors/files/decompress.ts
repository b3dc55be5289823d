import { setImmediate } from 'node:timers/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { looksGzipped } from '../sources/delivery.ts';

export const MAGIC_BYTES = 4;

/** Number of compressed bytes per write to a decompressor. */
const STEP = 64 * 1024;

/** Decompression pauses when this many bytes wait for the caller. 64 KiB of zstd can hold 2 GiB. */
const MOST_WAITING = 8 * 1024 * 1024;

/** The compressions that Aorta reads, named after the command-line tools for them. */
export type Compression = 'gzip' | 'zstd';

/** Returns the compression of a file that starts with these bytes, or undefined. Looks at no more than {@link MAGIC_BYTES}. */
export function compressionOf(start: Buffer): Compression | undefined {
  if (looksGzipped(start)) return 'gzip';
  if (start.length < MAGIC_BYTES) return undefined;
  const magic = start.readUInt32LE(0);
  // RFC 8878: a Zstandard frame, or one of the 16 kinds of skippable frames, which `pzstd` writes first.
  return magic === 0xfd2fb528 || (magic & 0xfffffff0) >>> 0 === 0x184d2a50 ? 'zstd' : undefined;
}

/** Thrown if the compressed bytes are damaged or incomplete. Everything before the damage has already been yielded. */
export class DamagedCompression extends Error {
  readonly compression: Compression;
  /** Offset of the first compressed bytes that could not be decompressed; undefined if the data ends too early. */
  readonly position: number | undefined;
  /** Whether the data is intact, but zstd needs more than its default of 128 MiB of memory to decompress it. */
  readonly needsMemory: boolean;

  constructor(compression: Compression, position: number | undefined, needsMemory = false) {
    super(`the ${compression} data is damaged or cut off`);
    this.name = 'DamagedCompression';
    this.compression = compression;
    this.position = position;
    this.needsMemory = needsMemory;
  }
}

/**
 * Decompresses a stream of any number of gzip members or zstd frames. If a stream pipeline fails, it drops its buffered
 * output. This function instead yields everything decompressed before the damage, and then throws
 * {@link DamagedCompression}. `open` returns the compressed bytes from their start. If there is damage, it is called a second
 * time.
 */
export async function* decompress(compression: Compression, open: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let given = 0;
  let damagedAt: number;
  try {
    for await (const bytes of decompressInSteps(compression, open(), Number.POSITIVE_INFINITY)) {
      given += bytes.length;
      yield bytes;
    }
    return;
  } catch (error) {
    if (!(error instanceof DamagedCompression) || error.position === undefined) throw error;
    damagedAt = error.position;
  }
  // A step that fails loses its output. Repeating the step byte by byte recovers nearly all of that output.
  for await (const bytes of decompressInSteps(compression, open(), damagedAt)) {
    const known = Math.min(given, bytes.length);
    given -= known;
    if (known < bytes.length) yield bytes.subarray(known);
  }
}

/** Decompresses in steps of {@link STEP} bytes, and byte by byte from offset `bytewise` on. */
async function* decompressInSteps(
  compression: Compression,
  chunks: AsyncIterable<Buffer>,
  bytewise: number,
): AsyncGenerator<Buffer> {
  let decompressor = new Decompressor(compression);
  let position = 0;
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) {
        const size = position < bytewise ? Math.min(STEP, bytewise - position) : 1;
        const bytes = chunk.subarray(at, at + size);
        const taken = yield* decompressor.write(bytes);
        if (decompressor.state === 'damaged' || taken === 0)
          throw new DamagedCompression(compression, position, decompressor.needsMemory);
        at += taken;
        position += taken;
        if (decompressor.state !== 'ended') continue;
        // Zero padding after the last gzip member ends the decompressor before its input ends.
        if (compression === 'gzip') return;
        // Node reads one zstd frame per write, and would drop the bytes after it without an error.
        decompressor.close();
        decompressor = new Decompressor(compression);
      }
    }
    yield* decompressor.end();
    if (decompressor.state === 'damaged') throw new DamagedCompression(compression, undefined);
  } finally {
    decompressor.close();
  }
}

/** One decompressor of `node:zlib` whose output can be pulled, so that none is lost if the next bytes are damaged. */
class Decompressor {
  state: 'open' | 'ended' | 'damaged' = 'open';
  /** See {@link DamagedCompression.needsMemory}. */
  needsMemory = false;
  readonly #stream: ReturnType<typeof createGunzip>;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #wake: () => void = () => {};

  constructor(compression: Compression) {
    // A gzip file is one long member, and is read faster in large chunks. A zstd file may have a frame for each event, and
    // every frame costs a new buffer. A block has at most 128 KiB.
    this.#stream =
      compression === 'gzip' ? createGunzip({ chunkSize: 2 * 1024 * 1024 }) : createZstdDecompress({ chunkSize: 128 * 1024 });
    this.#stream.on('data', (bytes: Buffer) => {
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
      if (this.#waitingBytes < MOST_WAITING) return;
      this.#stream.pause();
      this.#wake();
    });
    this.#stream.once('end', () => this.#settle('ended'));
    this.#stream.once('error', ({ code }: NodeJS.ErrnoException) => {
      this.needsMemory = code === 'ZSTD_error_frameParameter_windowTooLarge';
      this.#settle('damaged');
    });
  }

  close(): void {
    this.#stream.destroy();
  }

  /**
   * Yields the decompressed output. Returns the number of bytes that were read: all of them, unless the data ended earlier.
   */
  async *write(bytes: Buffer): AsyncGenerator<Buffer, number> {
    const before = this.#stream.bytesWritten;
    yield* this.#step((done) => this.#stream.write(bytes, done));
    return this.state === 'ended' ? this.#stream.bytesWritten - before : bytes.length;
  }

  /** Yields the last output. The state is `damaged` afterwards if the data is incomplete. */
  end(): AsyncGenerator<Buffer> {
    return this.#step(() => this.#stream.end());
  }

  async *#step(act: (done: () => void) => void): AsyncGenerator<Buffer> {
    let isDone = this.state !== 'open';
    if (!isDone)
      act(() => {
        isDone = true;
        this.#wake();
      });
    while (true) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (isDone || this.state !== 'open' || this.#stream.isPaused()) resolve();
      });
      // Output may still be on its way to the listener.
      await setImmediate();
      const isPaused = this.#stream.isPaused();
      const ready = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      yield* ready;
      if (!isPaused) return;
      this.#stream.resume();
    }
  }

  #settle(state: 'ended' | 'damaged'): void {
    if (this.state === 'open') this.state = state;
    this.#wake();
  }
}
