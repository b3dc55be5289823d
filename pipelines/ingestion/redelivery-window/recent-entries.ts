import type { Entry } from './entry.ts';

const SMALLEST = 64;
/** Entries beyond the window's offsets that are kept, as a share of them: a restart from an older position then needs no scan. */
const SLACK = 0.5;

/**
 * The newest entries of a partition in ascending order of offset, found by identity. Columns of numbers in a ring, with
 * chains by identity as LZ77 has them: 56 bytes an entry, no removal, and what the ring has overwritten ends a chain.
 */
export class RecentEntries {
  readonly #largest: number;
  #size = SMALLEST;
  #offset!: Float64Array;
  #receivedAt!: Float64Array;
  #identity!: Float64Array;
  #bytes!: Float64Array;
  #bytesBefore!: Float64Array;
  #crc32!: Uint32Array;
  /** Ordinal of the newest entry of a bucket, and of the one before each entry in its bucket; -1 for none. */
  #newest!: Float64Array;
  #before!: Float64Array;
  /** Ordinal of the next entry. */
  #next = 0;
  #total = 0;
  /** Offset after the newest entry that was overwritten. */
  overwrittenTo: number = Number.NEGATIVE_INFINITY;

  constructor(windowOffsets: number) {
    this.#largest = capacityFor(windowOffsets);
    this.#widen(Math.min(SMALLEST, this.#largest));
  }

  /** Slots allocated. */
  get size(): number {
    return this.#size;
  }

  get length(): number {
    return Math.min(this.#next, this.#size);
  }

  push(entry: Entry): void {
    if (this.#next >= this.#size && this.#size < this.#largest) this.#widen(this.#size * 2);
    const slot = this.#next & (this.#size - 1);
    if (this.#next >= this.#size) this.overwrittenTo = this.#offset[slot]! + 1;
    this.#offset[slot] = entry.offset;
    this.#receivedAt[slot] = entry.receivedAt;
    this.#identity[slot] = entry.identity;
    this.#bytes[slot] = entry.bytes;
    this.#crc32[slot] = entry.crc32;
    this.#bytesBefore[slot] = this.#total;
    this.#chain(slot, entry.identity, this.#next);
    this.#next += 1;
    this.#total += entry.bytes;
  }

  /**
   * Looks for the identity of `entry` among the entries whose offset is at least `from`, that are not older than
   * `since`, and behind which at most `bytes` of bodies stand. `body`: one has the same body; `identity`: only others.
   */
  find(entry: Entry, from: number, since: number, bytes: number): 'body' | 'identity' | 'none' {
    const oldest = Math.max(0, this.#next - this.#size);
    const mask = this.#size - 1;
    let found: 'identity' | 'none' = 'none';
    for (let at = this.#newest[entry.identity & mask]!; at >= oldest; at = this.#before[at & mask]!) {
      const slot = at & mask;
      // Most others of a bucket have another identity: no more of them is looked at.
      if (this.#identity[slot] !== entry.identity) continue;
      // Both bounds only get further away along the chain.
      if (this.#offset[slot]! < from || this.#total - this.#bytesBefore[slot]! > bytes) break;
      if (this.#receivedAt[slot]! < since) continue;
      if (this.#bytes[slot] === entry.bytes && this.#crc32[slot] === entry.crc32) return 'body';
      found = 'identity';
    }
    return found;
  }

  /** All entries held, ascending. */
  toArray(): Entry[] {
    const entries: Entry[] = [];
    for (let at = Math.max(0, this.#next - this.#size); at < this.#next; at += 1) {
      const slot = at & (this.#size - 1);
      entries.push({
        offset: this.#offset[slot]!,
        receivedAt: this.#receivedAt[slot]!,
        identity: this.#identity[slot]!,
        bytes: this.#bytes[slot]!,
        crc32: this.#crc32[slot]!,
      });
    }
    return entries;
  }

  /** Makes so many slots, with the entries that there are. Nothing was overwritten until now, so they stand from the first slot on. */
  #widen(size: number): void {
    const wider = (column: Float64Array | undefined): Float64Array => {
      const widened = new Float64Array(size);
      if (column !== undefined) widened.set(column);
      return widened;
    };
    const crc32 = new Uint32Array(size);
    if (this.#crc32 !== undefined) crc32.set(this.#crc32);
    this.#size = size;
    this.#offset = wider(this.#offset);
    this.#receivedAt = wider(this.#receivedAt);
    this.#identity = wider(this.#identity);
    this.#bytes = wider(this.#bytes);
    this.#bytesBefore = wider(this.#bytesBefore);
    this.#crc32 = crc32;
    this.#before = new Float64Array(size);
    this.#newest = new Float64Array(size).fill(-1);
    for (let slot = 0; slot < this.#next; slot += 1) this.#chain(slot, this.#identity[slot]!, slot);
  }

  /** Makes an entry the newest of its bucket. */
  #chain(slot: number, identity: number, ordinal: number): void {
    const bucket = identity & (this.#size - 1);
    this.#before[slot] = this.#newest[bucket]!;
    this.#newest[bucket] = ordinal;
  }
}

/** How many entries are kept of a partition: the window's offsets and some slack, as a power of two. */
export function capacityFor(windowOffsets: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, windowOffsets * (1 + SLACK))));
}
