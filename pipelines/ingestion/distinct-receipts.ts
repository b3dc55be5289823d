import { ByPartition } from '@aorta/connectors/sources';

/** Number of offsets in a block. The receipt times of a block are stored together. */
const BLOCK = 1024;

/** Limits on the memory that {@link DistinctReceipts} uses. */
interface Limits {
  /** Maximum number of offset intervals in one list. */
  readonly intervals?: number;
  /** Maximum number of blocks with one exact time per offset. Such a block takes 8 KB. */
  readonly exactBlocks?: number;
  /** Maximum number of blocks for which times are stored, either exactly or as a range. */
  readonly blocks?: number;
}

/**
 * The receipts (source, partition, offset, time of receipt) seen so far, stored as lists of offset intervals. An offset
 * usually has one time, so a partition that is read from start to end takes one interval. If an offset has several
 * times, for example after a file was touched and loaded again, each additional time is stored in another list. Memory
 * is limited at the cost of exactness. If a list exceeds `intervals`, its two lowest intervals are merged, and an offset
 * in the gap between them counts as seen. If `exactBlocks` is exceeded, a block keeps only its first and last time, and
 * every time between them counts as seen. If `blocks` is exceeded, the oldest block loses its times, and its offsets
 * count as seen at any time.
 */
export class DistinctReceipts {
  readonly #partitions = new ByPartition<Reception[]>();
  readonly #intervals: number;
  readonly #known: KnownBlocks;

  constructor({ intervals = 100_000, exactBlocks = 1024, blocks = 16_384 }: Limits = {}) {
    this.#intervals = Math.max(intervals, 2);
    this.#known = new KnownBlocks(Math.max(blocks, 1), exactBlocks);
  }

  /** Adds a receipt. Returns false if it was seen before. */
  add(source: string, partition: string, offset: number, receivedAt: number): boolean {
    const receptions = this.#partitions.get(source, partition) ?? this.#partitions.set(source, partition, []);
    for (const reception of receptions) {
      const known = reception.add(offset, receivedAt, this.#intervals);
      if (known !== 'another time') return known === 'added';
    }
    const reception = new Reception(this.#known);
    receptions.push(reception);
    reception.add(offset, receivedAt, this.#intervals);
    return true;
  }
}

/** A list of offsets in one partition, with one receipt time per offset. */
class Reception {
  readonly #offsets = new Intervals();
  readonly #blocks = new Map<number, BlockTimes>();
  readonly #known: KnownBlocks;
  /** No times are stored for a new block with a number below this value. */
  #forgottenBefore = 0;

  constructor(known: KnownBlocks) {
    this.#known = known;
  }

  add(offset: number, time: number, limit: number): 'added' | 'seen' | 'another time' {
    const at = offset % BLOCK;
    const number = (offset - at) / BLOCK;
    const block = this.#blocks.get(number);
    if (!this.#offsets.add(offset)) return block === undefined || block.has(at, time) ? 'seen' : 'another time';
    if (block !== undefined) block.set(at, time, this.#known);
    else if (number >= this.#forgottenBefore) {
      this.#blocks.set(number, new BlockTimes(time));
      this.#known.add(this, number);
    }
    if (this.#offsets.count > limit) this.#offsets.joinLowest();
    return 'added';
  }

  /** Forgets the times of the block. From then on, no times are stored for new blocks with a lower number. */
  forget(number: number): void {
    this.#blocks.delete(number);
    this.#forgottenBefore = Math.max(this.#forgottenBefore, number + 1);
  }
}

/** Receipt times of a block: one time for all offsets (as in a plain event file), one time per offset, or only a range. */
class BlockTimes {
  #first: number;
  #last: number;
  /** One time per offset, if exact times are kept. */
  #each: Float64Array | undefined;

  constructor(time: number) {
    this.#first = time;
    this.#last = time;
  }

  has(at: number, time: number): boolean {
    const known = this.#each?.[at];
    if (known !== undefined && !Number.isNaN(known)) return known === time;
    return time >= this.#first && time <= this.#last;
  }

  set(at: number, time: number, known: KnownBlocks): void {
    if (this.#each === undefined && this.#first === this.#last && time !== this.#first && known.makeExact(this)) {
      // All offsets seen so far have this time. The values for other offsets are overwritten before they are used.
      this.#each = new Float64Array(BLOCK).fill(this.#first);
    }
    if (this.#each !== undefined) this.#each[at] = time;
    this.#first = Math.min(this.#first, time);
    this.#last = Math.max(this.#last, time);
  }

  /** Drops the exact times. The first and the last time remain. */
  forgetEach(): void {
    this.#each = undefined;
  }
}

/** The blocks for which times are stored, in a ring. When the limit is reached, a new block replaces the oldest one. */
class KnownBlocks {
  readonly #blocks: (readonly [of: Reception, number: number])[] = [];
  readonly #exact = new Set<BlockTimes>();
  readonly #limit: number;
  readonly #exactLimit: number;
  /** Index of the next block to replace. It wraps around at the limit. */
  #next = 0;

  constructor(limit: number, exactLimit: number) {
    this.#limit = limit;
    this.#exactLimit = exactLimit;
  }

  add(reception: Reception, number: number): void {
    const [oldest, block] = this.#blocks[this.#next] ?? [];
    if (oldest !== undefined) oldest.forget(block!);
    this.#blocks[this.#next] = [reception, number];
    this.#next = (this.#next + 1) % this.#limit;
  }

  /**
   * Returns whether the block may keep one time per offset. If the limit is reached, the block that has had exact times
   * the longest loses them.
   */
  makeExact(block: BlockTimes): boolean {
    if (this.#exactLimit === 0) return false;
    const [oldest] = this.#exact;
    if (oldest !== undefined && this.#exact.size >= this.#exactLimit) {
      oldest.forgetEach();
      this.#exact.delete(oldest);
    }
    this.#exact.add(block);
    return true;
  }
}

/** Whole numbers, stored as ascending intervals [from, to) with gaps between them. */
class Intervals {
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  get count(): number {
    return this.#from.length;
  }

  add(value: number): boolean {
    const newest = this.#to.length - 1;
    const end = this.#to[newest];
    if (end === undefined || value > end) {
      this.#from.push(value);
      this.#to.push(value + 1);
      return true;
    }
    if (value === end) {
      this.#to[newest] = value + 1;
      return true;
    }
    const at = this.#firstEndingAfter(value);
    if (value >= this.#from[at]!) return false;
    const touchesPrevious = at > 0 && this.#to[at - 1] === value;
    const touchesNext = this.#from[at] === value + 1;
    if (touchesPrevious && touchesNext) {
      this.#to[at - 1] = this.#to[at]!;
      this.#from.splice(at, 1);
      this.#to.splice(at, 1);
    } else if (touchesPrevious) this.#to[at - 1] = value + 1;
    else if (touchesNext) this.#from[at] = value;
    else {
      this.#from.splice(at, 0, value);
      this.#to.splice(at, 0, value + 1);
    }
    return true;
  }

  joinLowest(): void {
    this.#to.splice(0, 1);
    this.#from.splice(1, 1);
  }

  #firstEndingAfter(value: number): number {
    let low = 0;
    let high = this.#to.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#to[middle]! > value) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
