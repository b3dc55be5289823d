import type { Entry } from './entry.ts';

/**
 * What is known of a partition's log: its entries (deliveries with an id) from `floor` up to, not including, `ceiling`,
 * all of them, ascending by offset. Outside there may be more, which only the streams know.
 */
export interface Knowledge {
  /** -Infinity where nothing below is missing. */
  readonly floor: number;
  /** Infinity where nothing above is missing. */
  readonly ceiling: number;
  /** Lowest offset at which an entry was ever seen; Infinity if none was. */
  readonly first: number;
  /** Highest offset at which an entry was ever seen; -Infinity if none was. */
  readonly last: number;
  readonly entries: readonly Entry[];
}

/** A partition that nobody has met. */
export const nothingYet: Knowledge = {
  floor: Number.NEGATIVE_INFINITY,
  ceiling: Number.POSITIVE_INFINITY,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  entries: [],
};

/** Entries by offset, the last of an offset being the one that counts (a log has one; a repeated read brings it again). */
function ascending(entries: readonly Entry[]): Entry[] {
  const byOffset = new Map<number, Entry>();
  for (const entry of entries) byOffset.set(entry.offset, entry);
  return [...byOffset.values()].sort((a, b) => a.offset - b.offset);
}

/** Gathers entries that come in any order and keeps the `limit` highest, or lowest, offsets of them. */
export class Gathering {
  #entries: Entry[] = [];
  readonly #limit: number;
  readonly #keep: 'highest' | 'lowest';
  /** All entries seen from here on are held. */
  floor: number = Number.NEGATIVE_INFINITY;
  /** All entries seen before this are held. */
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

  /** The entries held, ascending by offset. */
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

/** Adds what was gathered from later records of the streams. */
export function extend(known: Knowledge, gathered: Gathering): Knowledge {
  const later = gathered.entries();
  const floor = Math.max(known.floor, gathered.floor);
  const ceiling = Math.max(floor, known.ceiling);
  const entries = ascending([...known.entries, ...later]).filter((entry) => entry.offset >= floor && entry.offset < ceiling);
  return {
    floor,
    // What lay between an unfinished rewind and the gathered floor is missing: nothing is then known but the bounds.
    ceiling: ceiling === floor ? floor : ceiling,
    first: Math.min(known.first, gathered.first),
    last: Math.max(known.last, gathered.last),
    entries,
  };
}
