import type { Entry } from './entry.ts';

/** Known entries of a source partition: all deliveries with an id and an offset in [`floor`, `ceiling`), sorted by offset. */
export interface KnownEntries {
  /** -Infinity if no lower entry is missing. */
  readonly floor: number;
  /** Infinity if no higher entry is missing. */
  readonly ceiling: number;
  /** Lowest offset of all entries ever seen; Infinity if no entry was seen. */
  readonly first: number;
  /** Highest offset of all entries ever seen; -Infinity if no entry was seen. */
  readonly last: number;
  readonly entries: readonly Entry[];
}

/** Used for a partition from which no delivery has been read yet. */
export const nothingYet: KnownEntries = {
  floor: Number.NEGATIVE_INFINITY,
  ceiling: Number.POSITIVE_INFINITY,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  entries: [],
};

/** Sorts entries by offset. If an offset was read twice, the last entry is kept. */
function ascending(entries: readonly Entry[]): Entry[] {
  const byOffset = new Map<number, Entry>();
  for (const entry of entries) byOffset.set(entry.offset, entry);
  return [...byOffset.values()].sort((a, b) => a.offset - b.offset);
}

/** Gathers entries in any order. Keeps at most `limit` entries: those with the highest or with the lowest offsets. */
export class EntryCollector {
  #entries: Entry[] = [];
  readonly #limit: number;
  readonly #keep: 'highest' | 'lowest';
  /** No entry at or above this offset has been dropped. */
  floor: number = Number.NEGATIVE_INFINITY;
  /** No entry below this offset has been dropped. */
  ceiling: number = Number.POSITIVE_INFINITY;
  first: number = Number.POSITIVE_INFINITY;
  last: number = Number.NEGATIVE_INFINITY;

  constructor(limit: number, keep: 'highest' | 'lowest') {
    this.#limit = limit;
    this.#keep = keep;
  }

  add(entry: Entry): void {
    this.first = Math.min(this.first, entry.offset);
    this.last = Math.max(this.last, entry.offset);
    if (entry.offset < this.floor || entry.offset >= this.ceiling) return;
    this.#entries.push(entry);
    if (this.#entries.length > this.#limit * 1.5) this.#prune();
  }

  /** Returns the kept entries, sorted by offset. */
  entries(): readonly Entry[] {
    this.#prune();
    return this.#entries;
  }

  #prune(): void {
    this.#entries = ascending(this.#entries);
    const excess = this.#entries.length - this.#limit;
    if (excess <= 0) return;
    if (this.#keep === 'highest') {
      this.#entries.splice(0, excess);
      this.floor = this.#entries[0]!.offset;
    } else {
      this.#entries.length = this.#limit;
      this.ceiling = this.#entries[this.#limit - 1]!.offset + 1;
    }
  }
}

/** Adds entries gathered from later records of the streams to the known entries. */
export function extend(known: KnownEntries, gathered: EntryCollector): KnownEntries {
  const later = gathered.entries();
  const floor = Math.max(known.floor, gathered.floor);
  const ceiling = Math.max(floor, known.ceiling);
  const entries = ascending([...known.entries, ...later]).filter((entry) => entry.offset >= floor && entry.offset < ceiling);
  return {
    floor,
    // After an unfinished rewind, entries may be missing between the known entries and the gathered ones.
    ceiling,
    first: Math.min(known.first, gathered.first),
    last: Math.max(known.last, gathered.last),
    entries,
  };
}
