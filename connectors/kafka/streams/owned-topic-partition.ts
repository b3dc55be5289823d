import type { AortaError } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { StreamPartition } from '../../stream-log.ts';
import type { AssignedPartition, KafkaBatch, KafkaRecord } from '../client/client.ts';

export interface OwnedPartitionOptions {
  readonly assigned: AssignedPartition;
  readonly incarnation: string;
  /** The position at which reading starts. */
  readonly from: number;
  /** Returns the maximum number of bytes that the partition may buffer now. */
  readonly limit: () => number;
  /** The first position of the partition, and the position after its last record that can be read. */
  readonly known: Pick<AssignedPartition, 'low' | 'end'>;
}

/**
 * Represents a partition of a topic for as long as it is assigned to this reader. {@link ReadableLog.assigned} returns these
 * objects. Each one buffers records that have arrived but have not been read yet. If the partition is assigned again, a new
 * object represents it.
 */
export class OwnedTopicPartition implements StreamPartition {
  readonly stream: StreamName;
  readonly partition: number;
  readonly topic: string;
  readonly incarnation: string;
  readonly start: number;
  /** Position after the last known record that can be read. */
  end: number;
  /** The offset at which an open transaction starts. Nothing from there on can be read. Undefined if there is none. */
  heldAt: number | undefined;
  /** The error that prevents reading the partition. */
  problem: AortaError | undefined;
  committed: number | undefined;
  /** True during a rebalance that revokes the partition. Reads then return no records from it. */
  leaving = false;
  /** Position after the last record that a read has returned; undefined after that record is committed. */
  handedOut: number | undefined;
  readonly #assigned: AssignedPartition;
  readonly #limit: () => number;
  #records: KafkaRecord[] = [];
  /** Index in `#records` of the first record that was not dropped. */
  #taken = 0;
  #bytes = 0;
  /** The buffer holds every record from this position up to {@link next}. */
  #from: number;
  /** Position after the last record that arrived. */
  #next: number;
  #paused = false;
  #settled: (() => void)[] = [];

  constructor(of: StreamPartition, { assigned, incarnation, from, limit, known }: OwnedPartitionOptions) {
    this.stream = of.stream;
    this.partition = of.partition;
    this.topic = assigned.topic;
    this.incarnation = incarnation;
    this.start = known.low;
    this.end = known.end;
    this.committed = assigned.committed;
    this.#assigned = assigned;
    this.#limit = limit;
    this.#from = from;
    this.#next = from;
  }

  get bytes(): number {
    return this.#bytes;
  }

  take({ records, next, stable, bytes }: KafkaBatch): void {
    for (const record of records) this.#records.push(record);
    this.#next = next;
    this.end = Math.max(this.end, stable, next);
    this.#bytes += bytes;
    if (!this.#paused && this.#bytes > this.#limit()) {
      this.#paused = true;
      this.#assigned.pause();
    }
  }

  /** The lowest position that can still be read. */
  get from(): number {
    return this.#from;
  }

  /** Returns true if the reader has already received the record at the position, or has learned that there is none. */
  has(position: number): boolean {
    return this.#next > position;
  }

  /** Yields the buffered records at or after a position, and drops the earlier records. The position must not be below {@link from}. */
  *recordsFrom(position: number): Generator<KafkaRecord> {
    this.#forget(position);
    for (let index = this.#taken; index < this.#records.length; index++) yield this.#records[index]!;
  }

  get next(): number {
    return this.#next;
  }

  /** Commits a position. Never rejects; resolves with the outcome. */
  async commit(position: number): Promise<'committed' | 'lost' | 'failed'> {
    try {
      const done = await this.#assigned.commit(position);
      if (done) this.committed = position;
      return done ? 'committed' : 'lost';
    } catch {
      return 'failed';
    } finally {
      if (this.handedOut !== undefined && position >= this.handedOut) this.settle();
    }
  }

  /** Waits until all records returned by reads are committed, or until {@link settle} is called. */
  async settled(): Promise<void> {
    if (this.handedOut !== undefined) await new Promise<void>((resolve) => void this.#settled.push(resolve));
  }

  /** Ends the wait for commits of records returned by reads. */
  settle(): void {
    this.handedOut = undefined;
    for (const resolve of this.#settled.splice(0)) resolve();
  }

  #forget(position: number): void {
    while (this.#taken < this.#records.length && this.#records[this.#taken]!.offset < position)
      this.#bytes -= sizeOf(this.#records[this.#taken++]!);
    this.#from = Math.max(this.#from, position);
    // Shifting the array after every few records would cost more than reading them.
    if (this.#taken > 1000 || this.#taken === this.#records.length) {
      this.#records = this.#records.slice(this.#taken);
      this.#taken = 0;
    }
    if (this.#paused && this.#bytes <= this.#limit() / 2) {
      this.#paused = false;
      this.#assigned.resume();
    }
  }
}

function sizeOf({ key, value, headers }: KafkaRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, header] of headers) bytes += Buffer.byteLength(name) + (header?.length ?? 0);
  return bytes;
}
