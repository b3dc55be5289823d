import { ByPartition } from '@aorta/connectors/sources';

/** Offsets of a block, whose times are kept together. */
const BLOCK = 1024;

/** Bounds of the memory that {@link DistinctReceipts} takes. */
interface Limits {
  /** Intervals of offsets in one partition. */
  readonly intervals?: number;
  /** Blocks whose times are known one by one: 8 KB each. */
  readonly exactBlocks?: number;
  /** Blocks of which any time is known. */
  readonly blocks?: number;
}

/**
 * Which receipts (source, partition, offset, time of receipt) were seen. A position usually has one time, so offsets are
 * kept as lists of intervals: a partition that is read from end to end costs one. A second time of a position goes into a
 * second list, as when a file is touched and loaded again.
 *
 * Memory is bounded, at the cost of exactness. Beyond `intervals` in one list its two lowest are joined: what comes late
 * out of that gap counts as seen. Beyond `exactBlocks` only the first and the last time of a block are known: what lies
 * between them counts as seen. Beyond `blocks` a position counts as seen at any time.
 */
export class DistinctReceipts {
  readonly #partitions = new ByPartition<Reception[]>();
  readonly #intervals: number;
  readonly #known: KnownBlocks;

  constructor({ intervals = 100_000, exactBlocks = 1024, blocks = 16_384 }: Limits = {}) {
    this.#intervals = Math.max(intervals, 2);
    this.#known = new KnownBlocks(Math.max(blocks, 1), exactBlocks);
  }

  /** Adds a receipt; false where it was there. */
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

/** Offsets of a partition, each with one time. */
class Reception {
  readonly #offsets = new Intervals();
  readonly #blocks = new Map<number, BlockTimes>();
  readonly #known: KnownBlocks;
  /** Of blocks before this one no time is known any more. */
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

  /** Forgets the times of a block, and of those before it. */
  forget(number: number): void {
    this.#blocks.delete(number);
    this.#forgottenBefore = Math.max(this.#forgottenBefore, number + 1);
  }
}

/** Times of the offsets of a block: one for all, as in a plain file, or one each, or their range. */
class BlockTimes {
  #first: number;
  #last: number;
  /** NaN where there is none. */
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
      // Of the offsets that are not there yet nobody asks before they are set.
      this.#each = new Float64Array(BLOCK).fill(this.#first);
    }
    if (this.#each !== undefined) this.#each[at] = time;
    this.#first = Math.min(this.#first, time);
    this.#last = Math.max(this.#last, time);
  }

  /** Keeps the range alone. */
  forgetEach(): void {
    this.#each = undefined;
  }
}

/** The blocks whose times are known, in the order in which they came: the oldest makes room for another. */
class KnownBlocks {
  readonly #blocks: (readonly [of: Reception, number: number])[] = [];
  readonly #exact = new Set<BlockTimes>();
  readonly #limit: number;
  readonly #exactLimit: number;
  /** Where the next one goes, once there are as many as may be. */
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

  /** Whether the block may know the time of each of its offsets. */
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

/** Whole numbers as ascending intervals [from, to) that do not touch. */
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
