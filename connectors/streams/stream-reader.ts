import { type AortaError, errorFields, type Lane, type Logger } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import {
  damageOf,
  partitionName,
  type ReadableLog,
  type ReadBatch,
  type ReadLimit,
  type StreamPartition,
} from '../stream-log.ts';

/**
 * Maximum number of records per read into a batch. It is small, so that the records can be freed before the garbage collector
 * moves them to the old generation.
 */
const PORTION = 2_048;

interface Batch {
  add(records: readonly StreamRecords[StreamName][]): void;
}

/** The outcome of reading into a batch. */
export interface Stretch {
  /** The position after the last record of the batch. */
  readonly to: number;
  readonly records: number;
  /** The time at which Aorta received the delivery that contained the last record, in milliseconds since 1970. */
  readonly lastReceivedAt: number | undefined;
}

type Log = Pick<ReadableLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read' | 'look'>;

export interface ReadPosition {
  readonly incarnation: string;
  readonly position: number;
}

/** Read positions by partition name, for readers that store them outside the log. */
export class ReadPositions {
  readonly #all: Map<string, ReadPosition>;
  readonly #nameOf: (of: StreamPartition) => string;

  constructor(kept: Readonly<Record<string, ReadPosition>>, nameOf: (of: StreamPartition) => string = partitionName) {
    this.#all = new Map(Object.entries(kept));
    this.#nameOf = nameOf;
  }

  get(of: StreamPartition): ReadPosition | undefined {
    return this.#all.get(this.#nameOf(of));
  }

  set(of: StreamPartition, position: ReadPosition): void {
    this.#all.set(this.#nameOf(of), position);
  }

  /** Forgets all positions, so every partition is read from its start. */
  clear(): void {
    this.#all.clear();
  }

  all(): Readonly<Record<string, ReadPosition>> {
    return Object.fromEntries(this.#all);
  }
}

export interface StreamReaderOptions {
  readonly log: Log;
  /** Default: all streams. */
  readonly streams?: readonly StreamName[];
  /** The position to resume from in each partition. `set` is called as the reader advances. A position of a different incarnation is ignored. */
  readonly positions: Pick<ReadPositions, 'get'> & Partial<Pick<ReadPositions, 'set'>>;
  /** What to do if retention deleted records before they were read: `skip` continues after the gap, and `refuse` treats the gap as damage. */
  readonly dropped: 'skip' | 'refuse';
  readonly logger: Logger;
  /** Opens the lane that reports progress in a partition. Called at most once per partition, when there is progress to report. */
  readonly lane?: (partition: StreamPartitionReader) => Lane;
}

/**
 * Reads partitions of streams and resumes each one where it stopped. It stops reading a damaged partition but continues with the
 * others. It forgets a revoked partition, and it reads a partition with a new incarnation from its start.
 */
export class StreamReader {
  readonly #options: StreamReaderOptions;
  /** Keyed by object identity: a partition that was revoked and assigned again is a new object. */
  #partitions = new Map<StreamPartition, StreamPartitionReader>();

  constructor(options: StreamReaderOptions) {
    this.#options = options;
  }

  /** The partitions currently assigned to this reader. */
  partitions(): readonly StreamPartitionReader[] {
    const { log, streams } = this.#options;
    const before = this.#partitions;
    const assigned = log.assigned().filter(({ stream }) => streams === undefined || streams.includes(stream));
    const isSame = (of: StreamPartition, reader: StreamPartitionReader | undefined): boolean =>
      reader?.began === log.incarnation(of);
    this.#partitions = new Map(
      assigned.map((of) => [of, isSame(of, before.get(of)) ? before.get(of)! : new StreamPartitionReader(of, this.#options)]),
    );
    for (const [of, partition] of before) if (this.#partitions.get(of) !== partition) partition.close();
    return [...this.#partitions.values()];
  }

  /** Asks the log for the current ends, and returns true if there are unread records. With Kafka, these records may not have arrived yet. */
  async isBehind(): Promise<boolean> {
    await this.#options.log.look?.();
    return this.partitions().some(({ damage, position, end }) => damage === undefined && position < end);
  }

  /** Reports the current ends of the partitions on the lanes that are already open. */
  reportEnds(): void {
    for (const partition of this.#partitions.values()) partition.reportEnd();
  }

  close(): void {
    for (const partition of this.#partitions.values()) partition.close();
  }
}

/** Reads one partition while it is assigned to this reader. */
export class StreamPartitionReader {
  readonly of: StreamPartition;
  /** The incarnation in which this reader began. In a new one, a new reader takes its place. */
  readonly began: string;
  readonly #options: StreamReaderOptions;
  #read: number | undefined;
  #damage: AortaError | undefined;
  #lane: Lane | undefined;

  constructor(of: StreamPartition, options: StreamReaderOptions) {
    this.of = of;
    this.#options = options;
    this.began = options.log.incarnation(of);
    const before = options.positions.get(of);
    this.#read = before?.incarnation === this.began ? before.position : undefined;
  }

  get incarnation(): string {
    return this.#options.log.incarnation(this.of);
  }

  /** The position after the last record read; undefined if nothing was read in this incarnation. */
  get read(): number | undefined {
    return this.#read;
  }

  /** The position at which the next batch starts. */
  get position(): number {
    const { log, dropped } = this.#options;
    const start = log.start(this.of);
    return dropped === 'skip' ? Math.max(start, this.#read ?? start) : (this.#read ?? start);
  }

  get end(): number {
    return this.#options.log.end(this.of);
  }

  /** Set once a read has shown that this partition is damaged. The partition is then no longer read. */
  get damage(): AortaError | undefined {
    return this.#damage;
  }

  get isAssigned(): boolean {
    return this.#options.log.assigned().includes(this.of);
  }

  get lane(): Lane | undefined {
    this.#lane ??= this.#options.lane?.(this);
    return this.#lane;
  }

  /** Reads the next batch. Returns undefined if there is none. Callers must call {@link advance} after processing the batch. */
  async next(limit: ReadLimit): Promise<ReadBatch<StreamName> | undefined> {
    const { position, end } = this;
    if (end === 0) return undefined;
    this.lane?.report({ position, end, state: this.#damage === undefined ? 'reading' : 'damaged' });
    if (position >= end || this.#damage !== undefined) return undefined;
    return this.unlessDamaged(() => this.readAt(position, limit));
  }

  /**
   * Reads a batch at a position. Returns undefined if the partition was revoked meanwhile, because the new owner reads these
   * records. Rejects with the errors of {@link ReadableLog.read}.
   */
  async readAt(position: number, limit: ReadLimit): Promise<ReadBatch<StreamName> | undefined> {
    const batch = await this.#options.log.read(this.of, position, limit);
    return this.isAssigned ? batch : undefined;
  }

  /**
   * Reads portions into a batch, from the current position to the limit or the end. `during` wraps each read. Returns undefined
   * if nothing was read, or if the partition was revoked meanwhile, because the new owner reads these records. Rejects if the
   * first portion is unreadable. If a later portion is unreadable, the batch keeps the portions before it, and the next call
   * rejects.
   */
  async readInto(batch: Batch, limit: ReadLimit, during: <T>(read: Promise<T>) => Promise<T>): Promise<Stretch | undefined> {
    const from = this.position;
    let [to, records, bytes] = [from, 0, 0];
    let lastReceivedAt: number | undefined;
    while (records < limit.records && bytes < limit.bytes && to < this.end) {
      const most = { records: Math.min(PORTION, limit.records - records), bytes: limit.bytes - bytes };
      const read = await this.#portion(to, most, to === from, during);
      if (read === undefined) return undefined;
      if (read.records.length === 0 && read.to === to) break;
      if (records === 0) this.lane?.report({ receivedAt: receivedAt(read.records[0]) });
      batch.add(read.records);
      lastReceivedAt = receivedAt(read.records.at(-1)) ?? lastReceivedAt;
      records += read.records.length;
      bytes += read.bytes;
      to = read.to;
    }
    return to === from ? undefined : { to, records, lastReceivedAt };
  }

  /** Reads one portion. If the read fails, rejects for the first portion and returns an empty batch for a later one. */
  async #portion(
    position: number,
    limit: ReadLimit,
    isFirst: boolean,
    during: <T>(read: Promise<T>) => Promise<T>,
  ): Promise<ReadBatch<StreamName> | undefined> {
    try {
      return await during(this.readAt(position, limit));
    } catch (error) {
      if (isFirst) throw error;
      return { stream: this.of.stream, from: position, to: position, records: [], bytes: 0 };
    }
  }

  /** Marks everything before `position` as processed. */
  advance(position: number): void {
    this.#read = position;
    this.#options.positions.set?.(this.of, { incarnation: this.incarnation, position });
    this.#lane?.report({ position, end: this.end });
  }

  /** Runs `work`. If it fails because the partition is damaged, logs the error and sets `damage`. Rejects with other errors. */
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

  reportEnd(): void {
    this.#lane?.report({ end: this.end });
  }

  close(): void {
    this.#lane?.end();
  }
}

/** Returns the time at which Aorta received the delivery that contained the record, in milliseconds since 1970. */
function receivedAt(record: StreamRecords[StreamName] | undefined): number | undefined {
  return record === undefined ? undefined : record.receipt.received_at / 1000;
}
