import type { Lane, Logger } from '@aorta/runtime';
import type { CommittedRecord } from '../../sources/committed-record.ts';
import type { HandOver } from '../../sources/hand-over.ts';
import type { AssignedPartition, KafkaBatch, KafkaRecord } from '../client/client.ts';
import { readNote, writeNote } from './commit-note.ts';
import { partitionName } from './delivery-of-record.ts';
import type { ReadingStart } from './start-offset.ts';

/** Consecutive records of one partition. */
export interface RecordsOfPartition {
  readonly records: readonly KafkaRecord[];
  /** The covered offsets [from, next). Compaction may have removed records in this range. */
  readonly from: number;
  readonly next: number;
  /** Whether the records precede the position where reading resumes. Such records only fill the redelivery window. */
  readonly before: boolean;
  /** Set if the partition will be given up once everything read from it is durable. */
  readonly releasing?: true;
}

/** The kinds of incidents that the source counts for a partition. */
type PartitionIncident = 'repeated' | 'commit';

export interface PartitionReaderContext {
  readonly handOver: HandOver<TopicPartitionReader, RecordsOfPartition>;
  /** Id of the streams that contain the records once they are durable; undefined if it does not matter. */
  readonly streams: string | undefined;
  readonly lane: Lane;
  readonly logger: Logger;
  readonly onIncident: (incident: PartitionIncident, count: number) => void;
  /** Called when the window has been reread, with the number of records read, their bytes, and the duration in milliseconds. */
  readonly onWindowRead: (records: number, bytes: number, milliseconds: number) => void;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

/**
 * Reads one assigned partition until it is lost. Queues each record once and in order, pauses the client while the queue
 * is full, and commits durable positions.
 */
export class TopicPartitionReader {
  /** Name of the partition, as it appears in receipts. */
  readonly name: string;
  readonly topic: string;
  readonly partition: number;
  readonly #assigned: AssignedPartition;
  readonly #around: PartitionReaderContext;
  readonly #position: number;
  readonly #first: number;
  /** The next offset that the client should deliver. */
  #next: number;
  /** The next offset that the consumer will take. */
  #taken: number;
  /** Everything before this offset is durable. */
  #durable: number;
  /** The last record before {@link #durable} that became a delivery. */
  #last: CommittedRecord | undefined;
  #committed: number | undefined;
  #committing: Promise<void> | undefined;
  #failing = false;
  #ended = false;
  #releasing = false;
  #whenDurable: (() => void)[] = [];
  #rooms = 0;
  #held = false;
  #windowReading: { readonly since: number; records: number; bytes: number } | undefined;

  constructor(assigned: AssignedPartition, start: ReadingStart, around: PartitionReaderContext) {
    const { from, position, first } = start;
    this.name = partitionName(assigned);
    this.topic = assigned.topic;
    this.partition = assigned.partition;
    this.#assigned = assigned;
    this.#around = around;
    this.#position = position;
    this.#first = first;
    this.#next = from;
    this.#taken = position;
    this.#durable = position;
    this.#last = readNote(assigned.note)?.last;
    this.#committed = assigned.committed;
    if (from < position) this.#windowReading = { since: around.clock(), records: 0, bytes: 0 };
    around.lane.report({ position, end: assigned.stable, state: this.#state() });
  }

  get taken(): number {
    return this.#taken;
  }

  /** Accepts a batch from the client. Never throws. */
  arrived({ records, next, stable, bytes }: KafkaBatch): void {
    if (this.#ended || this.#releasing || next <= this.#next) return;
    const from = this.#next;
    const fresh = records[0] !== undefined && records[0].offset < from ? records.filter(({ offset }) => offset >= from) : records;
    if (fresh.length < records.length) this.#around.onIncident('repeated', records.length - fresh.length);
    this.#next = next;
    const border = this.#position;
    const split = fresh.findIndex(({ offset }) => offset >= border);
    const before = split === -1 ? fresh : fresh.slice(0, split);
    const after = split === -1 ? [] : fresh.slice(split);
    const bytesBefore = fresh.length === 0 ? 0 : Math.round((bytes * before.length) / fresh.length);
    if (from < border) {
      this.#windowRead(before.length, bytesBefore);
      this.#put({ records: before, from, next: Math.min(next, border), before: true }, bytesBefore);
    }
    if (next > border) this.#put({ records: after, from: Math.max(from, border), next, before: false }, bytes - bytesBefore);
    const last = after.at(-1)?.timestamp;
    this.#held = false;
    this.#around.lane.report({ end: stable, state: this.#state(), receivedAt: last });
  }

  /** Reports the last stable offset, and whether an open transaction holds the partition there. */
  logEnds(stable: number, held: boolean): void {
    if (this.#ended) return;
    this.#held = held;
    this.#around.lane.report({ end: stable, state: this.#state() });
  }

  /** Marks everything before `next` as taken by the consumer. */
  handedOn(next: number): void {
    this.#taken = Math.max(this.#taken, next);
    this.#around.lane.report({ position: this.#taken });
  }

  /** Marks everything before `next` as durable. `last` is the offset of the last record before `next`, if it is a new one. */
  durable(next: number, last: number | undefined): void {
    if (last !== undefined) this.#last = { offset: last, streams: this.#around.streams };
    this.#durable = Math.max(this.#durable, next);
    if (this.#durable < this.#taken) return;
    for (const resolve of this.#whenDurable.splice(0)) resolve();
  }

  /** Commits the durable position. Only one commit runs at a time. The next call retries a failed commit. Never rejects. */
  async commit(): Promise<void> {
    while (this.#committing !== undefined) await this.#committing;
    if (this.#ended || this.#committed === this.#durable) return;
    this.#committing = this.#commit(this.#durable).finally(() => {
      this.#committing = undefined;
    });
    await this.#committing;
  }

  /**
   * Gives up the partition and discards the records that the consumer has not taken. Resolves when the records that it
   * has taken are durable and committed. This may never happen, so the caller needs a deadline. Never rejects.
   */
  async release(): Promise<void> {
    const { handOver } = this.#around;
    this.#releasing = true;
    handOver.drop(this);
    if (this.#durable < this.#taken) {
      const durable = new Promise<void>((resolve) => {
        this.#whenDurable.push(resolve);
      });
      handOver.put({
        owner: this,
        thing: { records: [], from: this.#taken, next: this.#taken, before: false, releasing: true },
        bytes: 0,
      });
      await durable;
    }
    await this.commit();
  }

  /** Ends the reader after the partition was lost: discards queued records and commits nothing. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#around.handOver.drop(this);
    this.#around.lane.end();
    for (const resolve of this.#whenDurable.splice(0)) resolve();
  }

  #put(thing: RecordsOfPartition, bytes: number): void {
    const room = this.#around.handOver.put({ owner: this, thing, bytes });
    if (room === undefined) return;
    this.#rooms += 1;
    this.#assigned.pause();
    room.then(() => {
      this.#rooms -= 1;
      if (this.#rooms === 0 && !this.#ended) this.#assigned.resume();
    });
  }

  #windowRead(records: number, bytes: number): void {
    const reading = this.#windowReading;
    if (reading === undefined) return;
    reading.records += records;
    reading.bytes += bytes;
    if (this.#next < this.#position) return;
    this.#windowReading = undefined;
    this.#around.onWindowRead(reading.records, reading.bytes, this.#around.clock() - reading.since);
  }

  #state(): string {
    if (this.#rooms > 0) return 'waiting';
    if (this.#next < this.#position) return 'restoring';
    return this.#held ? 'held' : 'reading';
  }

  async #commit(next: number): Promise<void> {
    const { logger, onIncident } = this.#around;
    try {
      // If another worker owns the partition now, the commit is skipped and does not count as failed.
      if (await this.#assigned.commit(next, writeNote({ first: this.#first, last: this.#last }))) this.#committed = next;
      if (this.#failing) logger.info('positions are committed again', { partition: this.name });
      this.#failing = false;
    } catch {
      onIncident('commit', 1);
      if (!this.#failing) logger.warn('position not committed', { partition: this.name, offset: next });
      this.#failing = true;
    }
  }
}
