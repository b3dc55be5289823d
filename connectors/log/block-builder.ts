import type { Codec } from '@aorta/schemas';
import { NotEncodable } from '../stream-log.ts';
import { BLOCK_END_BYTES, BLOCK_START_BYTES, SYNC_BYTES, writeBlockStart, writeChecksum } from './container.ts';

/**
 * A block ready for writing: the bytes of `buffer` from `start` to `end`. The last {@link SYNC_BYTES} bytes are reserved for the
 * sync marker.
 */
export interface Block {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** Size of the block's encoded records, in bytes. */
  readonly size: number;
}

const FIRST_BYTES = 16 * 1024;
/** Maximum number of full-size buffers to keep for reuse. Allocating a new buffer takes longer than encoding records into it. */
const MOST_SPARE = 8;

/** A pool of full-size block buffers, shared by all streams of a log. */
export class SpareBuffers {
  readonly fullBytes: number;
  readonly #spare: Buffer[] = [];

  constructor(blockBytes: number) {
    this.fullBytes = BLOCK_START_BYTES + blockBytes + BLOCK_END_BYTES;
  }

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.fullBytes);
  }

  giveBack(buffer: Buffer): void {
    if (buffer.length === this.fullBytes && this.#spare.length < MOST_SPARE) this.#spare.push(buffer);
  }
}

/**
 * Encodes the records of one stream and keeps them until the next flush. Each buffer has the layout of a block, with space for
 * its start and its end. A single write can therefore store the whole block. A block exceeds the full size only if
 * a single record is larger than that.
 */
export class BlockBuilder<R> {
  readonly #codec: Codec<R>;
  readonly #spare: SpareBuffers;
  #sealed: Block[] = [];
  #sealedBytes = 0;
  #buffer: Buffer;
  #at = BLOCK_START_BYTES;
  #count = 0;

  constructor(codec: Codec<R>, spare: SpareBuffers) {
    this.#codec = codec;
    this.#spare = spare;
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(FIRST_BYTES, spare.fullBytes));
  }

  /** Size of the encoded records that wait for the next flush, in bytes. */
  get bytes(): number {
    return this.#sealedBytes + this.#at - BLOCK_START_BYTES;
  }

  /**
   * Encodes a record and returns its size in bytes. Throws {@link NotEncodable} if the record does not match the schema. In that
   * case, the buffered records stay unchanged.
   */
  add(record: R): number {
    for (;;) {
      let end: number;
      try {
        end = this.#codec.encodeInto(record, this.#buffer, this.#at);
      } catch {
        throw new NotEncodable(this.#codec.stream);
      }
      const limit = this.#buffer.length - BLOCK_END_BYTES;
      if (end >= 0 && end <= limit) {
        const bytes = end - this.#at;
        this.#at = end;
        this.#count += 1;
        return bytes;
      }
      // If `end` is negative, `-end` bytes are missing. The end of the block needs space as well.
      this.#makeRoom(end < 0 ? this.#buffer.length - end : end);
    }
  }

  /** Returns the buffered records as blocks and continues with a new buffer. */
  take(): Block[] {
    this.#seal();
    const blocks = this.#sealed;
    this.#sealed = [];
    this.#sealedBytes = 0;
    return blocks;
  }

  #makeRoom(end: number): void {
    const needed = end + BLOCK_END_BYTES;
    const full = this.#spare.fullBytes;
    if (needed > full && this.#count > 0) {
      this.#seal(this.#spare.take());
    } else {
      const length = Math.max(needed, Math.min(full, this.#buffer.length * 2));
      const grown = length === full ? this.#spare.take() : Buffer.allocUnsafeSlow(length);
      this.#buffer.copy(grown, 0, 0, this.#at);
      this.#buffer = grown;
    }
  }

  #seal(next?: Buffer): void {
    if (this.#count === 0) return;
    const size = this.#at - BLOCK_START_BYTES;
    const start = writeBlockStart(this.#buffer, BLOCK_START_BYTES, this.#count, size);
    writeChecksum(this.#buffer, BLOCK_START_BYTES, this.#at);
    this.#sealed.push({ buffer: this.#buffer, start, end: this.#at + BLOCK_END_BYTES, count: this.#count, size });
    this.#sealedBytes += size;
    this.#buffer = next ?? Buffer.allocUnsafeSlow(Math.min(FIRST_BYTES, this.#spare.fullBytes));
    this.#at = BLOCK_START_BYTES;
    this.#count = 0;
  }
}
