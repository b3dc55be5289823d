import { ByPartition } from '@aorta/connectors/sources';
import type { Classification, Entry, WindowLimits } from './entry.ts';
import { identityOf } from './entry.ts';
import { type Knowledge, nothingYet } from './knowledge.ts';
import { PartitionWindow } from './partition-window.ts';

/** Storage of entries that a window does not hold in memory. */
export interface WindowHistory {
  /** Whether the partition has a file. */
  keeps(source: string, partition: string): boolean;
  /** Reads a partition's file; undefined if it is unusable, so that only a scan helps. */
  recall(source: string, partition: string): Promise<Knowledge | undefined>;
  /** Scans the streams for the partition's entries from an offset on, up to a limit. */
  scan(source: string, partition: string, from: number): Promise<Knowledge>;
  /** Writes the files of partitions. */
  keep(partitions: Iterable<KnownPartition>): Promise<void>;
  ends(): StreamEnds;
  /** Records durably that the partition files include every record up to these ends. */
  cover(ends: StreamEnds): Promise<void>;
}

/** Position after the last durable record, and its incarnation, by stream. */
export type StreamEnds = Readonly<Record<string, { readonly incarnation: string; readonly position: number }>>;

export interface KnownPartition {
  readonly source: string;
  readonly partition: string;
  readonly knowledge: Knowledge;
}

/** The facts of a delivery that the window needs. */
export interface Sighting {
  readonly source: string;
  readonly partition: string;
  readonly offset: number;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
  /** User and event type from the headers; null if absent. */
  readonly userId: string | null;
  readonly eventType: string | null;
  readonly deliveryId: string | null;
  /** Length and CRC-32 of the uncompressed body. */
  readonly bytes: number;
  readonly crc32: number;
}

/** Most entries in memory over all partitions. A single batch may exceed the limit. */
const SLOTS = 2 ** 21;

/** Bytes of one entry in memory. */
const SLOT_BYTES = 56;

interface Held {
  readonly window: PartitionWindow;
  usedAt: number;
  changed: boolean;
}

/**
 * The redelivery window over all partitions. All sources of a data folder share one. A partition whose deliveries carry no ids
 * costs nothing.
 *
 * The window must cover a delivery before {@link classify}: it must hold the entries that decide. A rewind beyond the entries
 * in memory, or a partition moved to disk, requires {@link restore} first. This way {@link classify} stays synchronous.
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

  /** Whether {@link classify} may be called for a delivery at this position. */
  covers(source: string, partition: string, offset: number): boolean {
    if (this.#limits.offsets === 0) return true;
    const held = this.#partitions.get(source, partition);
    return held === undefined ? !this.#history.keeps(source, partition) : held.window.covers(offset);
  }

  /** Covers an offset. All records appended so far must be durable, because this may read the streams. */
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

  /** Replaces the state of a partition. */
  adopt(source: string, partition: string, knowledge: Knowledge): void {
    this.#hold(source, partition, new PartitionWindow(this.#limits, knowledge), true);
  }

  /** Bytes that the entries take in memory. */
  bytes(): number {
    return this.#slotsHeld() * SLOT_BYTES;
  }

  /** Whether too many entries are in memory, so that the caller should call {@link shed}. */
  isOverLimit(): boolean {
    return this.#slotsHeld() > this.#slots;
  }

  /** Moves the longest idle partitions to disk until half of the memory is free. All appended records must be durable. */
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
      // Another source may have changed the partition in the meantime; then it stays in memory.
      if (!held.changed) this.#partitions.delete(source, partition);
    }
  }

  /**
   * Saves a snapshot, so that the next start reads only later records. Sources may continue meanwhile, so the snapshot holds
   * all entries up to its stream ends, and maybe later ones.
   */
  async save(): Promise<void> {
    if (this.#limits.offsets > 0) await this.#inTurn(() => this.#save());
  }

  async #save(): Promise<void> {
    const ends = this.#history.ends();
    await this.#history.keep(changed(this.#partitions));
    await this.#history.cover(ends);
  }

  /** Writes one after the other: several sources share the window and may save at the same time. */
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
