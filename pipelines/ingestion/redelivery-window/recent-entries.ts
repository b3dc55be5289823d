import type { Entry } from './entry.ts';

const SMALLEST = 64;
/** Additional capacity, as a fraction of the window's offsets. It avoids a scan after a restart from an older offset. */
const SLACK = 0.5;

/**
 * The newest entries of a partition, sorted by offset and indexed by identity. They are stored in a ring of numeric
 * columns, with 56 bytes per entry. The index uses hash chains like those of LZ77. A chain ends at an entry that was
 * overwritten.
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
  /** For each bucket, the ordinal of its newest entry; -1 if the bucket is empty. */
  #newest!: Float64Array;
  /** For each entry, the ordinal of the previous entry in the same bucket; -1 if there is none. */
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

  /** Number of allocated slots. */
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
   * Searches for the identity of `entry` among the entries with an offset of at least `from` and a receipt time of at
   * least `since`. Ignores an entry if the total size of the bodies from this entry to the newest one exceeds `bytes`.
   * Returns `body` if a found entry has the same body, `identity` if entries were found but none has the same body, and
   * `none` otherwise.
   */
  find(entry: Entry, from: number, since: number, bytes: number): 'body' | 'identity' | 'none' {
    const oldest = Math.max(0, this.#next - this.#size);
    const mask = this.#size - 1;
    let found: 'identity' | 'none' = 'none';
    for (let at = this.#newest[entry.identity & mask]!; at >= oldest; at = this.#before[at & mask]!) {
      const slot = at & mask;
      // Most entries in a bucket have a different identity.
      if (this.#identity[slot] !== entry.identity) continue;
      // All further entries in the chain also exceed these two limits.
      if (this.#offset[slot]! < from || this.#total - this.#bytesBefore[slot]! > bytes) break;
      if (this.#receivedAt[slot]! < since) continue;
      if (this.#bytes[slot] === entry.bytes && this.#crc32[slot] === entry.crc32) return 'body';
      found = 'identity';
    }
    return found;
  }

  /** Returns all entries in the ring, sorted by offset. */
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

  /** Grows the ring to `size` slots. The ring has not wrapped around yet, so its entries start at slot 0. */
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

  /** Makes the entry the newest in its bucket. */
  #chain(slot: number, identity: number, ordinal: number): void {
    const bucket = identity & (this.#size - 1);
    this.#before[slot] = this.#newest[bucket]!;
    this.#newest[bucket] = ordinal;
  }
}

/** Returns the number of entries to keep per partition, rounded up to a power of two. */
export function capacityFor(windowOffsets: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, windowOffsets * (1 + SLACK))));
}
