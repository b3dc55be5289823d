import { ByPartition } from './by-partition.ts';

/**
 * Which positions (source, partition, offset) were seen: lists of intervals, so that a partition that is read from end to
 * end costs one. Beyond `limit` intervals in one partition its two lowest are joined: what comes late out of that gap
 * then counts as seen, which keeps memory bounded for files with millions of gaps.
 */
export class DistinctPositions {
  readonly #partitions = new ByPartition<Intervals>();
  readonly #limit: number;

  constructor(limit = 100_000) {
    this.#limit = Math.max(limit, 2);
  }

  /** Adds a position; false where it was there. */
  add(source: string, partition: string, offset: number): boolean {
    const intervals = this.#partitions.get(source, partition) ?? this.#partitions.set(source, partition, new Intervals());
    const added = intervals.add(offset);
    if (added && intervals.count > this.#limit) intervals.joinLowest();
    return added;
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
