import { type AortaError, errorFields, type Lane, type Logger } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import {
  damageOf,
  type ReadableLog,
  type ReadBatch,
  type ReadLimit,
  type StreamPartition,
  shortPartitionName,
} from '../stream-log.ts';

/** How far a partition was read. */
export interface ReadPosition {
  readonly incarnation: string;
  readonly position: number;
}

/** Positions by the names of partitions, for readers that keep them themselves. */
export class ReadPositions {
  readonly #all: Map<string, ReadPosition>;
  readonly #nameOf: (of: StreamPartition) => string;

  constructor(kept: Readonly<Record<string, ReadPosition>>, nameOf: (of: StreamPartition) => string = shortPartitionName) {
    this.#all = new Map(Object.entries(kept));
    this.#nameOf = nameOf;
  }

  get(of: StreamPartition): ReadPosition | undefined {
    return this.#all.get(this.#nameOf(of));
  }

  set(of: StreamPartition, position: ReadPosition): void {
    this.#all.set(this.#nameOf(of), position);
  }

  /** Forgets them: every partition is read from its start. */
  clear(): void {
    this.#all.clear();
  }

  all(): Readonly<Record<string, ReadPosition>> {
    return Object.fromEntries(this.#all);
  }
}

/** What a reader needs of a log. */
type Log = Pick<ReadableLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read' | 'look'>;

export interface StreamReaderOptions {
  readonly log: Log;
  /** Default: all streams. */
  readonly streams?: readonly StreamName[];
  /** Where reading goes on in a partition; `set` is called as it moves. A position of another incarnation is void. */
  readonly positions: Pick<ReadPositions, 'get'> & Partial<Pick<ReadPositions, 'set'>>;
  /** Of records that retention dropped before they were read: `skip` reads on behind them, `refuse` counts as damage. */
  readonly dropped: 'skip' | 'refuse';
  readonly logger: Logger;
  /** Opens what tells how far a partition is read; called at most once for each, when there is something to tell. */
  readonly lane?: (partition: PartitionReader) => Lane;
}

/**
 * Reads partitions of streams, each from where it was left. What may happen to a partition is handled here: a damaged one
 * is read no further and the others go on, a lost one is forgotten, and one of another incarnation is read from its start.
 */
export class StreamReader {
  readonly #options: StreamReaderOptions;
  /** By the object that stands for the partition: one that was lost and has come back is another one. */
  #partitions = new Map<StreamPartition, PartitionReader>();

  constructor(options: StreamReaderOptions) {
    this.#options = options;
  }

  /** The partitions that are this reader's now. */
  partitions(): readonly PartitionReader[] {
    const { log, streams } = this.#options;
    const before = this.#partitions;
    const assigned = log.assigned().filter(({ stream }) => streams === undefined || streams.includes(stream));
    this.#partitions = new Map(assigned.map((of) => [of, before.get(of) ?? new PartitionReader(of, this.#options)]));
    for (const [of, partition] of before) if (!this.#partitions.has(of)) partition.close();
    return [...this.#partitions.values()];
  }

  /** Whether there is more to read; of topics it may still be on its way. Asks where the partitions end now. */
  async isBehind(): Promise<boolean> {
    await this.#options.log.look?.();
    return this.partitions().some(({ damage, position, end }) => damage === undefined && position < end);
  }

  /** Reports on the open lanes how far the partitions have grown. */
  reportEnds(): void {
    for (const partition of this.#partitions.values()) partition.reportEnd();
  }

  close(): void {
    for (const partition of this.#partitions.values()) partition.close();
  }
}

/** One partition, for as long as it is this reader's. */
export class PartitionReader {
  readonly of: StreamPartition;
  readonly #options: StreamReaderOptions;
  #read: number | undefined;
  #damage: AortaError | undefined;
  #lane: Lane | undefined;

  constructor(of: StreamPartition, options: StreamReaderOptions) {
    this.of = of;
    this.#options = options;
    const before = options.positions.get(of);
    this.#read = before?.incarnation === options.log.incarnation(of) ? before.position : undefined;
  }

  get incarnation(): string {
    return this.#options.log.incarnation(this.of);
  }

  /** How far it was read; undefined if it never was in this incarnation. */
  get read(): number | undefined {
    return this.#read;
  }

  /** Where the next batch begins. */
  get position(): number {
    const { log, dropped } = this.#options;
    const start = log.start(this.of);
    return dropped === 'skip' ? Math.max(start, this.#read ?? start) : (this.#read ?? start);
  }

  get end(): number {
    return this.#options.log.end(this.of);
  }

  /** Why it cannot be read any further. */
  get damage(): AortaError | undefined {
    return this.#damage;
  }

  /** Whether it is ours still. */
  get isAssigned(): boolean {
    return this.#options.log.assigned().includes(this.of);
  }

  get lane(): Lane | undefined {
    this.#lane ??= this.#options.lane?.(this);
    return this.#lane;
  }

  /** The next batch, if there is one. {@link advance} moves on behind it. */
  async next(limit: ReadLimit): Promise<ReadBatch<StreamName> | undefined> {
    const { position, end } = this;
    if (end === 0) return undefined;
    this.lane?.report({ position, end, state: this.#damage === undefined ? 'reading' : 'damaged' });
    if (position >= end || this.#damage !== undefined) return undefined;
    return this.unlessDamaged(() => this.readAt(position, limit));
  }

  /** The batch at a position; undefined if the partition was lost meanwhile: its new owner reads it. Rejects as the log does. */
  async readAt(position: number, limit: ReadLimit): Promise<ReadBatch<StreamName> | undefined> {
    const batch = await this.#options.log.read(this.of, position, limit);
    return this.isAssigned ? batch : undefined;
  }

  /** Everything before `position` is done. */
  advance(position: number): void {
    this.#read = position;
    this.#options.positions.set?.(this.of, { incarnation: this.incarnation, position });
    this.#lane?.report({ position, end: this.end });
  }

  /** Does something with the partition. If that fails because of damage, it is logged, and `damage` says so from then on. */
  async unlessDamaged<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const damage = damageOf(error);
      if (damage === undefined) throw error;
      this.#damage = damage;
      this.lane?.report({ state: 'damaged' });
      const { stream, partition } = this.of;
      this.#options.logger.error('stream cannot be read', { stream, partition, ...errorFields(damage) });
      return undefined;
    }
  }

  /** Reports how far the partition has grown, if its lane is open. */
  reportEnd(): void {
    this.#lane?.report({ end: this.end });
  }

  close(): void {
    this.#lane?.end();
  }
}
