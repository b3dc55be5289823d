import { ByPartition } from '@aorta/connectors/sources';
import { type Classification, type Entry, identityOf, type WindowLimits } from './entry.ts';
import { type KnownEntries, nothingYet } from './known-entries.ts';
import { RecentEntries } from './recent-entries.ts';

/** Storage for entries that the window does not keep in memory. */
export interface WindowHistory {
  /** Returns whether the partition has a file. */
  keeps(source: string, partition: string): boolean;
  /** Reads a partition's file. Returns undefined if the file is unusable and the streams must be scanned. */
  recall(source: string, partition: string): Promise<KnownEntries | undefined>;
  /** Scans the streams for the partition's entries, starting at an offset. Returns a limited number of entries. */
  scan(source: string, partition: string, from: number): Promise<KnownEntries>;
  /** Writes the files of the given partitions. */
  keep(partitions: Iterable<KnownPartition>): Promise<void>;
  ends(): StreamEnds;
  /** Durably records that the partition files cover every record up to the given ends. */
  cover(ends: StreamEnds): Promise<void>;
}

/** For each stream partition, its incarnation and the position after its last durable record. */
export type StreamEnds = Readonly<Record<string, { readonly incarnation: string; readonly position: number }>>;

export interface KnownPartition {
  readonly source: string;
  readonly partition: string;
  readonly knowledge: KnownEntries;
}

/** Data that the window needs to classify a delivery. */
export interface Sighting {
  readonly source: string;
  readonly partition: string;
  readonly offset: number;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
  /** User and event type from the headers; null if the headers do not contain them. */
  readonly userId: string | null;
  readonly eventType: string | null;
  readonly deliveryId: string | null;
  /** Length and CRC-32 of the uncompressed body. */
  readonly bytes: number;
  readonly crc32: number;
}

/** Maximum number of entries in memory, for all partitions together. A single batch may exceed it. */
const SLOTS = 2 ** 21;

/** Memory that one entry takes, in bytes. */
const SLOT_BYTES = 56;

const MICROSECONDS_AN_HOUR = 3_600_000_000;

/**
 * The redelivery window of one partition. For each delivery, it contains the earlier entries within the limits (offsets,
 * hours and bytes). These entries depend only on the partition's log, even if reading is interrupted or repeated. `recent`
 * contains the entries before the reading position. After a rewind, `ahead` contains the known entries after the reading
 * position. An entry moves to `recent` when the reading position passes its offset, even if the delivery is skipped.
 */
class PartitionWindow {
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
  constructor(limits: WindowLimits, known: KnownEntries, at: number = Number.POSITIVE_INFINITY) {
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
  knowledge(): KnownEntries {
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

interface Held {
  readonly window: PartitionWindow;
  usedAt: number;
  changed: boolean;
}

/**
 * The redelivery window for all partitions of all sources in a data folder. A partition whose deliveries have no ids takes
 * no memory. Before {@link classify} is called, the window must contain the entries on which the result depends. After a
 * rewind beyond the entries in memory, or if the partition was moved to disk, {@link restore} must be called first. This
 * keeps {@link classify} synchronous.
 */
export class RedeliveryWindow {
  readonly #limits: WindowLimits;
  readonly #history: WindowHistory;
  readonly #slots: number;
  readonly #partitions = new ByPartition<Held>();
  #clock = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(limits: WindowLimits, history: WindowHistory, slots = SLOTS) {
    this.#limits = limits;
    this.#history = history;
    this.#slots = slots;
  }

  /** Returns whether {@link classify} may be called for a delivery at the given offset. */
  covers(source: string, partition: string, offset: number): boolean {
    if (this.#limits.offsets === 0) return true;
    const held = this.#partitions.get(source, partition);
    return held === undefined ? !this.#history.keeps(source, partition) : held.window.covers(offset);
  }

  /** Makes the window cover an offset. All appended records must be durable, because this call may read the streams. */
  async restore(source: string, partition: string, offset: number): Promise<void> {
    if (this.#limits.offsets === 0) return;
    if (this.#partitions.get(source, partition) === undefined) {
      const kept = await this.#history.recall(source, partition);
      if (kept !== undefined) {
        const window = new PartitionWindow(this.#limits, kept, offset);
        if (window.covers(offset)) {
          this.#hold(source, partition, window, false);
          return;
        }
      }
    }
    const scanned = await this.#history.scan(source, partition, offset - this.#limits.offsets);
    this.#hold(source, partition, new PartitionWindow(this.#limits, scanned, offset), true);
  }

  /** Classifies a delivery and remembers it. */
  classify(seen: Sighting): Classification {
    if (this.#limits.offsets === 0) return 'new';
    let held = this.#partitions.get(seen.source, seen.partition);
    if (held === undefined) {
      if (seen.deliveryId === null) return 'new';
      held = this.#hold(seen.source, seen.partition, new PartitionWindow(this.#limits, nothingYet, seen.offset), true);
    }
    this.#clock += 1;
    held.usedAt = this.#clock;
    held.changed = true;
    return held.window.classify(seen.offset, seen.deliveryId === null ? undefined : entryOf(seen, seen.deliveryId));
  }

  /** Replaces the entries of a partition. */
  adopt(source: string, partition: string, knowledge: KnownEntries): void {
    this.#hold(source, partition, new PartitionWindow(this.#limits, knowledge), true);
  }

  /** Returns the memory that the entries take, in bytes. */
  bytes(): number {
    return this.#slotsHeld() * SLOT_BYTES;
  }

  /** Returns whether there are too many entries in memory. If so, the caller should call {@link evict}. */
  isOverLimit(): boolean {
    return this.#slotsHeld() > this.#slots;
  }

  /**
   * Moves the partitions that have been idle the longest to disk, until half of the slots are free. All appended records
   * must be durable.
   */
  evict(): Promise<void> {
    return this.#inTurn(() => this.#evict());
  }

  async #evict(): Promise<void> {
    const byIdleness = [...this.#partitions].sort(([, , a], [, , b]) => a.usedAt - b.usedAt);
    let slots = this.#slotsHeld();
    const leaving: typeof byIdleness = [];
    for (const one of byIdleness) {
      if (slots <= this.#slots / 2) break;
      slots -= one[2].window.slots;
      leaving.push(one);
    }
    await this.#history.keep(changed(leaving));
    for (const [source, partition, held] of leaving) {
      // If another source has changed the partition since it was written, it stays in memory.
      if (!held.changed) this.#partitions.delete(source, partition);
    }
  }

  /**
   * Saves a snapshot, so that the next start reads only later records. The snapshot contains all entries up to its stream
   * ends. It may also contain later entries, because sources may continue while it is being written.
   */
  async save(): Promise<void> {
    if (this.#limits.offsets > 0) await this.#inTurn(() => this.#save());
  }

  async #save(): Promise<void> {
    const ends = this.#history.ends();
    await this.#history.keep(changed(this.#partitions));
    await this.#history.cover(ends);
  }

  /** Runs one write at a time, because several sources share the window and may save it at the same time. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(write);
    this.#writing = turn.catch(() => {});
    return turn;
  }

  #slotsHeld(): number {
    let slots = 0;
    for (const [, , held] of this.#partitions) slots += held.window.slots;
    return slots;
  }

  #hold(source: string, partition: string, window: PartitionWindow, changed: boolean): Held {
    this.#clock += 1;
    return this.#partitions.set(source, partition, { window, usedAt: this.#clock, changed });
  }
}

function entryOf(seen: Sighting, deliveryId: string): Entry {
  return {
    offset: seen.offset,
    receivedAt: seen.receivedAt,
    identity: identityOf(seen.userId, seen.eventType, deliveryId),
    bytes: seen.bytes,
    crc32: seen.crc32,
  };
}

/** Yields the changed partitions and marks them as unchanged. */
function* changed(partitions: Iterable<readonly [string, string, Held]>): Generator<KnownPartition> {
  for (const [source, partition, held] of partitions) {
    if (!held.changed) continue;
    held.changed = false;
    yield { source, partition, knowledge: held.window.knowledge() };
  }
}
