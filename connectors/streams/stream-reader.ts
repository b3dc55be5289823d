import { type AortaError, errorFields, type Lane, type Logger } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { damageOf, type ReadableLog, type ReadBatch, type ReadLimit, type StreamPartition } from '../stream-log.ts';
import type { ReadPositions } from './read-positions.ts';

/** Records that are read into a batch at a time: few enough that they are garbage before the collector runs twice. */
const PORTION = 2_048;

/** A batch that grows by portions of records. */
interface Batch {
  add(records: readonly StreamRecords[StreamName][]): void;
}

/** What was read into a batch. */
export interface Stretch {
  /** The position after it. */
  readonly to: number;
  readonly records: number;
  /** Receipt of the last record, in milliseconds since 1970. */
  readonly lastReceivedAt: number | undefined;
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

  /**
   * Reads portions into a batch, from the position until the limit or the end; `during` waits for each. Undefined if
   * nothing was read, or if the partition was lost meanwhile: its new owner reads it. Rejects only if nothing was read
   * before the error; otherwise the whole portions are in the batch, and the next call rejects.
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

  /** A portion of a batch. One that cannot be read is empty, unless it is the first. */
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

/** When the delivery of a record was received, in milliseconds since 1970. */
function receivedAt(record: StreamRecords[StreamName] | undefined): number | undefined {
  return record === undefined ? undefined : record.receipt.received_at / 1000;
}
