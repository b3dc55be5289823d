import { ByPartition } from '@aorta/connectors/sources';

/** Offsets in a block. The receipt times of a block are stored together. */
const BLOCK = 1024;

/** Bounds of the memory that {@link DistinctReceipts} takes. */
interface Limits {
  /** Intervals of offsets in one partition. */
  readonly intervals?: number;
  /** Blocks with one exact time per offset, 8 KB each. */
  readonly exactBlocks?: number;
  /** Blocks with any known time. */
  readonly blocks?: number;
}

/**
 * The receipts (source, partition, offset, time of receipt) seen so far, as lists of offset intervals. An offset usually has
 * one time, so a partition read from end to end costs one interval. Further times of an offset go to further lists, for example
 * when a file is touched and loaded again.
 *
 * Memory is bounded at the cost of exactness. Beyond `intervals` in one list, the two lowest intervals merge, and a late offset
 * from the gap between them counts as seen. Beyond `exactBlocks`, a block keeps only its first and last time, and every time
 * between them counts as seen. Beyond `blocks`, an offset counts as seen at any time.
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

/** A list of offsets of one partition, each with one receipt time. */
class Reception {
  readonly #offsets = new Intervals();
  readonly #blocks = new Map<number, BlockTimes>();
  readonly #known: KnownBlocks;
  /** Blocks with a lower number have no known times any more. */
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

  /** Forgets the times of this block and all earlier ones. */
  forget(number: number): void {
    this.#blocks.delete(number);
    this.#forgottenBefore = Math.max(this.#forgottenBefore, number + 1);
  }
}

/** Receipt times of a block: one for all offsets (as in a plain event file), one per offset, or only a range. */
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
      // All offsets seen so far have this time. The others are set before they are read.
      this.#each = new Float64Array(BLOCK).fill(this.#first);
    }
    if (this.#each !== undefined) this.#each[at] = time;
    this.#first = Math.min(this.#first, time);
    this.#last = Math.max(this.#last, time);
  }

  /** Drops the exact times and keeps the range. */
  forgetEach(): void {
    this.#each = undefined;
  }
}

/** Blocks with known times, oldest first. A new block replaces the oldest when the limit is reached. */
class KnownBlocks {
  readonly #blocks: (readonly [of: Reception, number: number])[] = [];
  readonly #exact = new Set<BlockTimes>();
  readonly #limit: number;
  readonly #exactLimit: number;
  /** Index of the next block; it wraps around at the limit. */
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

  /** Whether the block may keep one time per offset. If the limit is reached, the oldest exact block loses its times. */
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

/** Whole numbers as ascending intervals [from, to) that never touch. */
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
