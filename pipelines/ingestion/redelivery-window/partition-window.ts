import type { Classification, Entry, WindowLimits } from './entry.ts';
import type { Knowledge } from './knowledge.ts';
import { RecentEntries } from './recent-entries.ts';

const MICROSECONDS_AN_HOUR = 3_600_000_000;

/**
 * The redelivery window of one partition. The window of offset p holds the entries in [p - `offsets`, p), within the limits of
 * hours and bytes. It depends only on the partition's log, even if reading is interrupted or repeated.
 *
 * `recent` holds the entries below the reading position. After a rewind, `ahead` holds the known entries from the position on.
 * They move to `recent` when reading passes their offset, whether it reads or skips them.
 */
export class PartitionWindow {
  readonly #limits: WindowLimits;
  #recent: RecentEntries;
  #ahead: readonly Entry[] = [];
  #aheadAt = 0;
  #floor: number;
  #ceiling: number;
  #first: number;
  #last: number;
  /** Offset after the last delivery; entries below it are in `recent`. */
  #next = 0;

  /** A window that stands before the offset `at`, or behind everything known. */
  constructor(limits: WindowLimits, known: Knowledge, at: number = Number.POSITIVE_INFINITY) {
    this.#limits = limits;
    this.#recent = new RecentEntries(limits.offsets);
    this.#floor = known.floor;
    this.#ceiling = known.ceiling;
    this.#first = known.first;
    this.#last = known.last;
    this.#next = at === Number.POSITIVE_INFINITY ? (known.entries.at(-1)?.offset ?? -1) + 1 : at;
    this.#stand(known.entries);
  }

  /** Slots of memory that the window holds. */
  get slots(): number {
    return this.#recent.size + this.#ahead.length;
  }

  /** Whether the window of this offset is known here; if not, {@link PartitionWindow} has to be made anew from the streams. */
  covers(offset: number): boolean {
    const from = Math.max(offset - this.#limits.offsets, this.#first);
    return from >= offset || (this.#floor <= from && offset <= this.#ceiling);
  }

  /** Judges the delivery at an offset that is covered, and remembers it. Without an entry (no delivery id) it is new. */
  classify(offset: number, entry: Entry | undefined): Classification {
    this.#moveTo(offset);
    const verdict = entry === undefined ? 'new' : this.#judge(offset, entry);
    if (this.#ahead[this.#aheadAt]?.offset === offset) this.#aheadAt += 1;
    if (this.#ceiling !== Number.POSITIVE_INFINITY) {
      if (offset >= this.#ceiling) this.#ceiling = offset + 1;
      if (this.#ceiling > this.#last) this.#ceiling = Number.POSITIVE_INFINITY;
    }
    if (this.#aheadAt > 0 && this.#aheadAt === this.#ahead.length) this.#setAhead([]);
    this.#next = offset + 1;
    return verdict;
  }

  #judge(offset: number, entry: Entry): Classification {
    const since = entry.receivedAt - this.#limits.hours * MICROSECONDS_AN_HOUR;
    const found = this.#recent.find(entry, offset - this.#limits.offsets, since, this.#limits.bytes);
    this.#push(entry);
    if (offset < this.#first) this.#first = offset;
    if (offset > this.#last) this.#last = offset;
    if (found === 'none') return 'new';
    return found === 'body' ? 'redelivered' : 'same-id-other-body';
  }

  /** What the window knows, to be kept or to make it anew from. */
  knowledge(): Knowledge {
    return {
      floor: this.#floor,
      ceiling: this.#ceiling,
      first: this.#first,
      last: this.#last,
      entries: [...this.#recent.toArray(), ...this.#ahead.slice(this.#aheadAt)],
    };
  }

  #moveTo(offset: number): void {
    if (offset < this.#next || offset < this.#floor) this.#rewindTo(offset);
    for (; this.#aheadAt < this.#ahead.length; this.#aheadAt += 1) {
      const entry = this.#ahead[this.#aheadAt]!;
      if (entry.offset >= offset) break;
      this.#push(entry);
    }
  }

  #rewindTo(offset: number): void {
    const { entries } = this.knowledge();
    this.#recent = new RecentEntries(this.#limits.offsets);
    this.#next = offset;
    if (offset < this.#floor) {
      // Covered all the same: no entry was ever seen below. What is known further on leaves a gap, and is forgotten.
      this.#floor = offset;
      this.#ceiling = offset;
      this.#stand([]);
    } else this.#stand(entries);
  }

  /** Takes entries, ascending, as those around the reading position. */
  #stand(entries: readonly Entry[]): void {
    const from = entries.findIndex((entry) => entry.offset >= this.#next);
    const below = from < 0 ? entries.length : from;
    for (let at = 0; at < below; at += 1) this.#push(entries[at]!);
    this.#setAhead(entries.slice(below));
  }

  #setAhead(entries: readonly Entry[]): void {
    this.#ahead = entries;
    this.#aheadAt = 0;
  }

  #push(entry: Entry): void {
    this.#recent.push(entry);
    if (this.#recent.overwrittenTo > this.#floor) this.#floor = this.#recent.overwrittenTo;
  }
}
