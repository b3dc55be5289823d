import type { Classification, Entry, WindowLimits } from './entry.ts';
import type { Knowledge } from './knowledge.ts';
import { RecentEntries } from './recent-entries.ts';

const MICROSECONDS_AN_HOUR = 3_600_000_000;

/**
 * The redelivery window of one partition. For each delivery, it contains the earlier entries within the limits (offsets,
 * hours and bytes). These entries depend only on the partition's log, even if reading is interrupted or repeated. `recent`
 * contains the entries before the reading position. After a rewind, `ahead` contains the known entries after the reading
 * position. An entry moves to `recent` when the reading position passes its offset, even if the delivery is skipped.
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
  /** Offset after the last delivery. Entries with a lower offset are in `recent`. */
  #next = 0;

  /** Creates a window whose reading position is the offset `at`. Default: the offset after all known entries. */
  constructor(limits: WindowLimits, known: Knowledge, at: number = Number.POSITIVE_INFINITY) {
    this.#limits = limits;
    this.#recent = new RecentEntries(limits.offsets);
    this.#floor = known.floor;
    this.#ceiling = known.ceiling;
    this.#first = known.first;
    this.#last = known.last;
    this.#next = at === Number.POSITIVE_INFINITY ? (known.entries.at(-1)?.offset ?? -1) + 1 : at;
    this.#split(known.entries);
  }

  /** Number of entry slots in memory. */
  get slots(): number {
    return this.#recent.size + this.#ahead.length;
  }

  /** Returns whether this window can classify a delivery at the offset. If not, the caller must build a new window from the streams. */
  covers(offset: number): boolean {
    const from = Math.max(offset - this.#limits.offsets, this.#first);
    return from >= offset || (this.#floor <= from && offset <= this.#ceiling);
  }

  /** Classifies and remembers the delivery at a covered offset. `entry` is undefined for a delivery without an id, which is always new. */
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

  /** Returns what is needed to rebuild this {@link PartitionWindow}. */
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
      // No entry below this offset was ever seen. Keeping the later entries would leave a gap, so they are dropped.
      this.#floor = offset;
      this.#ceiling = offset;
      this.#split([]);
    } else this.#split(entries);
  }

  /** Splits sorted entries at the reading position into `recent` and `ahead`. */
  #split(entries: readonly Entry[]): void {
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
