import { type AortaError, isAortaError } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';

/**
 * A partition of a stream. One reader reads it from start to end. A local stream has only partition 0. On Kafka, a stream
 * has the partitions of its topic, and the workers divide them among themselves. All records of a user are in one
 * partition.
 */
export interface StreamPartition<S extends StreamName = StreamName> {
  readonly stream: S;
  readonly partition: number;
}

/**
 * The stream log. Producers append records to the log, and the loader and the enrichment workers read them. It has two
 * implementations, `local` (Avro container segments in a folder) and `kafka` (topics). Both pass the same conformance
 * tests.
 *
 * A position identifies a record in a partition and increases with each record. In local streams it is the
 * record's index from 0, never a byte offset, since erasure rewrites segments. On Kafka it is the offset. Offsets can have
 * gaps, so never use positions to calculate the number of records. Reading from position p starts with the first record
 * at or after p.
 */
export interface StreamLog extends AppendableLog, ReadableLog {
  /** Returns the position that the group last committed, or undefined if it has not committed any. */
  committed(group: string, of: StreamPartition): number | undefined;

  /** Returns the names of the groups that have committed a position in the partition. */
  groups(of: StreamPartition): readonly string[];

  /**
   * Calls `listener` after every flush, once readers can see the flushed records. This wakes a loader in the same
   * process. Returns a function that unsubscribes.
   */
  onDurable(listener: () => void): () => void;
}

/**
 * A log that one thread appends to and another thread reads. The appending thread tells the reading thread which streams
 * have grown.
 */
export interface FollowableLog {
  /** Returns, as plain data, the streams that have grown beyond the ends given in `beyond`. */
  views(beyond: ReadonlyMap<StreamName, number>): readonly StreamNews[];
}

/** A stream that has grown, and the position after its last durable record. An implementation may add fields that its reader needs. */
export interface StreamNews {
  readonly name: StreamName;
  readonly end: number;
}

/** The part of a log that producers use. */
export interface AppendableLog {
  /**
   * Encodes and buffers a record. It is neither durable nor visible to readers until {@link flush} has completed. If the
   * record does not fit the schema, throws NotEncodable and does not change the log.
   */
  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void;

  /** Returns the number of encoded bytes, in all streams, that are buffered or being flushed. They are not durable yet. */
  pendingBytes(): number;

  /**
   * Writes the buffered records of all streams and waits until they are durable and visible to readers. Rejects with
   * AORTA-DATA-UNWRITABLE, or on Kafka with an AORTA-STREAM-… or AORTA-KAFKA-… error. After a failure the log is unusable
   * and must be reopened.
   */
  flush(): Promise<void>;

  /** Drops records that were not flushed, so call {@link flush} first. Waits for running flushes and commits. Further calls do nothing. */
  close(): Promise<void>;
}

/** The part of a log that readers use. */
export interface ReadableLog {
  /**
   * Returns the partitions assigned to this reader, including empty ones. A lost partition disappears from the list. If
   * it is assigned again, a new object represents it, and the caller must drop the state that it kept for the old object.
   * All local streams are always assigned.
   */
  assigned(): readonly StreamPartition[];

  /**
   * Returns the identity of the partition's contents. It changes if the stream is created again, so that old positions
   * are not applied to the new stream.
   */
  incarnation(of: StreamPartition): string;

  /** Returns the first position that the log still has. A new group starts reading there. */
  start(of: StreamPartition): number;

  /** Returns the position after the last durable record that this reader knows of. */
  end(of: StreamPartition): number;

  /** Fetches the current ends of the partitions. Undefined if the reader always knows them. */
  look?(): Promise<void>;

  /**
   * Returns up to `limit.records` records, starting at `from`. Stops earlier if the records reach `limit.bytes` encoded
   * bytes, but returns at least one record if any is available. Returns none if `from` is the end, if this reader has not
   * received any record yet, or if the partition was lost. Decodes records to the current schema, even if a different
   * version of Aorta wrote them. Rejects with AORTA-BUG if `from` is beyond the end. If data is damaged, returns the
   * intact records before the damage first. The next read then rejects with AORTA-SEGMENT-CORRUPT, or on Kafka with
   * AORTA-STREAM-UNREADABLE.
   */
  read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>>;

  /**
   * Durably commits that the group no longer needs records before `position`. A position lower than the committed one
   * is a rewind. Does nothing if the partition was lost. Rejects with AORTA-BUG if `position` is beyond the end, and
   * with AORTA-DATA-UNWRITABLE if a local log cannot store the position.
   */
  commit(group: string, of: StreamPartition, position: number): Promise<void>;
}

export interface ReadLimit {
  readonly records: number;
  readonly bytes: number;
}

export interface ReadBatch<S extends StreamName> {
  readonly stream: S;
  /** Position at which the read started: the first record's position, or a lower one. */
  readonly from: number;
  /** Position after the last record, where the next batch starts. */
  readonly to: number;
  readonly records: readonly StreamRecords[S][];
  /** Size of the encoded records, in bytes. */
  readonly bytes: number;
}

const firsts = new Map<StreamName, StreamPartition>();

/** Returns the partition with this number. Partition 0 of a stream is always the same object. Local streams use only partition 0. */
export function partitionOf<S extends StreamName>(stream: S, partition = 0): StreamPartition<S> {
  if (partition !== 0) return { stream, partition };
  let first = firsts.get(stream);
  if (first === undefined) {
    first = Object.freeze({ stream, partition });
    firsts.set(stream, first);
  }
  return first as StreamPartition<S>;
}

/** Returns the name of a partition, such as `timeseries/3`. */
export function partitionName({ stream, partition }: StreamPartition): string {
  return `${stream}/${partition}`;
}

/**
 * Returns the name used for display and in stored state. Partition 0 has the name of its stream, for compatibility with
 * state that was stored before streams had partitions.
 */
export function shortPartitionName(of: StreamPartition): string {
  return of.partition === 0 ? of.stream : partitionName(of);
}

/** Returns the assigned partitions that contain or have contained records, sorted by name. */
export function inUse(log: Pick<ReadableLog, 'assigned' | 'end'>): readonly StreamPartition[] {
  return log
    .assigned()
    .filter((of) => log.end(of) > 0)
    .sort((a, b) => (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.partition - b.partition));
}

/** Codes of errors that make one partition unreadable but do not affect the others. */
const damages: ReadonlySet<string> = new Set([
  'AORTA-SEGMENT-CORRUPT',
  'AORTA-STREAM-SHORTER',
  'AORTA-STREAM-TOPIC-SHORTER',
  'AORTA-STREAM-OVERTAKEN',
  'AORTA-STREAM-UNREADABLE',
]);

/** Returns the error if it makes only one partition unreadable, else undefined. */
export function damageOf(error: unknown): AortaError | undefined {
  return isAortaError(error) && damages.has(error.code) ? error : undefined;
}
