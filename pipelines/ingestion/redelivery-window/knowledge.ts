import type { Entry } from './entry.ts';

/** Known entries of a source partition: its deliveries with an id and an offset in [`floor`, `ceiling`), ascending. */
export interface Knowledge {
  /** -Infinity if no entry below is missing. */
  readonly floor: number;
  /** Infinity if no entry above is missing. */
  readonly ceiling: number;
  /** Lowest offset of any entry; Infinity if there was none. */
  readonly first: number;
  /** Highest offset of any entry; -Infinity if there was none. */
  readonly last: number;
  readonly entries: readonly Entry[];
}

/** Knowledge of a partition without any deliveries so far. */
export const nothingYet: Knowledge = {
  floor: Number.NEGATIVE_INFINITY,
  ceiling: Number.POSITIVE_INFINITY,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  entries: [],
};

/** Sorts entries by offset. If an offset occurs twice, because it was read twice, the last entry wins. */
function ascending(entries: readonly Entry[]): Entry[] {
  const byOffset = new Map<number, Entry>();
  for (const entry of entries) byOffset.set(entry.offset, entry);
  return [...byOffset.values()].sort((a, b) => a.offset - b.offset);
}

/** Gathers entries in any order and keeps the `limit` highest or lowest offsets. */
export class Gathering {
  #entries: Entry[] = [];
  readonly #limit: number;
  readonly #keep: 'highest' | 'lowest';
  /** All entries seen with this offset or a higher one are held. */
  floor: number = Number.NEGATIVE_INFINITY;
  /** All entries seen with a lower offset are held. */
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

  /** Returns the held entries, ascending by offset. */
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

/** Extends known entries with those gathered from later records of the streams. */
export function extend(known: Knowledge, gathered: Gathering): Knowledge {
  const later = gathered.entries();
  const floor = Math.max(known.floor, gathered.floor);
  const ceiling = Math.max(floor, known.ceiling);
  const entries = ascending([...known.entries, ...later]).filter((entry) => entry.offset >= floor && entry.offset < ceiling);
  return {
    floor,
    // Entries between an unfinished rewind and the gathered floor are missing. Only the bounds are known then.
    ceiling: ceiling === floor ? floor : ceiling,
    first: Math.min(known.first, gathered.first),
    last: Math.max(known.last, gathered.last),
    entries,
  };
}
