import { ByPartition } from '@aorta/connectors/sources';
import type { Classification, Entry, WindowLimits } from './entry.ts';
import { identityOf } from './entry.ts';
import { type Knowledge, nothingYet } from './knowledge.ts';
import { PartitionWindow } from './partition-window.ts';

/** Where a window finds what it no longer, or not yet, holds in memory. */
export interface WindowHistory {
  /** Whether there is kept knowledge of the partition. */
  keeps(source: string, partition: string): boolean;
  /** The kept knowledge of a partition; undefined where it cannot be used any more, so that only a scan helps. */
  recall(source: string, partition: string): Promise<Knowledge | undefined>;
  /** What the partition's log holds from an offset on, and some way after it. */
  scan(source: string, partition: string, from: number): Promise<Knowledge>;
  /** Keeps what is known of partitions. */
  keep(partitions: Iterable<KnownPartition>): Promise<void>;
  /** Where the streams end now. */
  ends(): StreamEnds;
  /** Says durably that everything in the streams up to these ends is part of what is kept. */
  cover(ends: StreamEnds): Promise<void>;
}

/** Position after the last durable record, and the incarnation it belongs to, by stream. */
export type StreamEnds = Readonly<Record<string, { readonly incarnation: string; readonly position: number }>>;

export interface KnownPartition {
  readonly source: string;
  readonly partition: string;
  readonly knowledge: Knowledge;
}

/** What the window has to know of a delivery. */
export interface Sighting {
  readonly source: string;
  readonly partition: string;
  readonly offset: number;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
  /** User and event type as the headers name them; null where they do not. */
  readonly userId: string | null;
  readonly eventType: string | null;
  readonly deliveryId: string | null;
  /** Length and CRC-32 of the uncompressed body. */
  readonly bytes: number;
  readonly crc32: number;
}

/** Partition windows together hold at most so many entries in memory, less what one batch adds. */
const SLOTS = 2 ** 21;

/** Memory of one entry. */
const SLOT_BYTES = 56;

interface Held {
  readonly window: PartitionWindow;
  usedAt: number;
  changed: boolean;
}

/**
 * The redelivery window over all partitions. One for each data folder, shared by all of its
 * sources. Partitions whose deliveries carry no ids are never met here, and cost nothing.
 *
 * Before a delivery is classified it must be covered; where it is not (a rewind deeper than memory, a partition set aside),
 * {@link restore} covers it. This keeps classification itself synchronous.
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

  /** Covers a position. Everything appended so far must be durable in the streams, since they may be read. */
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

  /** Judges a delivery and remembers it. */
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

  /** Takes what is known of a partition, as its newest state. */
  adopt(source: string, partition: string, knowledge: Knowledge): void {
    this.#hold(source, partition, new PartitionWindow(this.#limits, knowledge), true);
  }

  /** Memory that the entries take. */
  bytes(): number {
    return this.#slotsHeld() * SLOT_BYTES;
  }

  /** Whether more is held in memory than should be: {@link shed} is due. */
  crowded(): boolean {
    return this.#slotsHeld() > this.#slots;
  }

  /** Sets the partitions that were idle for longest aside, until half of the memory is free. Everything appended must be durable. */
  shed(): Promise<void> {
    return this.#inTurn(() => this.#shed());
  }

  async #shed(): Promise<void> {
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
      // Another source may have met it meanwhile: then it stays.
      if (!held.changed) this.#partitions.delete(source, partition);
    }
  }

  /**
   * Makes what is known durable, so that the next start reads only later records. Sources may go on meanwhile: the
   * snapshot then says of the streams what it said when it began, and knows at least that.
   */
  async save(): Promise<void> {
    if (this.#limits.offsets > 0) await this.#inTurn(() => this.#save());
  }

  async #save(): Promise<void> {
    const ends = this.#history.ends();
    await this.#history.keep(changed(this.#partitions));
    await this.#history.cover(ends);
  }

  /** Sources share the window, and may end at the same time: its files are written by one of them at a time. */
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

/** What has to be kept; from then on it counts as kept, unless it changes again. */
function* changed(partitions: Iterable<readonly [string, string, Held]>): Generator<KnownPartition> {
  for (const [source, partition, held] of partitions) {
    if (!held.changed) continue;
    held.changed = false;
    yield { source, partition, knowledge: held.window.knowledge() };
  }
}
