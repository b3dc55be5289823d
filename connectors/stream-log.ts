import { type AortaError, isAortaError } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';

/**
 * A partition of a stream: what one reader reads from end to end. A local stream is one, number 0; on Kafka they are the
 * topic's, shared out among the workers, and the records of a user are all in the same.
 */
export interface StreamPartition<S extends StreamName = StreamName> {
  readonly stream: S;
  readonly partition: number;
}

/**
 * The stream log: what consumers append to and jobs read from. Two forms stand behind this interface, `local` (Avro
 * container segments in a folder) and `kafka` (topics); both pass the same conformance tests.
 *
 * A position names a record of a partition, and grows from record to record. In local streams it is the record's ordinal,
 * from 0: never a byte offset, since segments are rewritten for erasure. On Kafka it is the offset, which may leave
 * numbers out: records are counted, never reckoned from positions. "Position p" as a place to read from means that the
 * next record is the first one at p or behind it.
 */
export interface StreamLog extends AppendableLog, ReadableLog {
  /** The position a group last committed, or undefined. */
  committed(group: string, of: StreamPartition): number | undefined;

  /** Names of the groups that have committed in the partition. */
  groups(of: StreamPartition): readonly string[];

  /**
   * Calls `listener` after every flush that made records durable, once readers see them: how a loader in the same process
   * learns that there is work. The function it returns ends that.
   */
  onDurable(listener: () => void): () => void;
}

/** A log whose reader in another thread hears from the thread that appends. */
export interface FollowableLog {
  /** What has become visible in the streams beyond these ends, as plain data. Streams that have not grown are left out. */
  views(beyond: ReadonlyMap<StreamName, number>): readonly StreamNews[];
}

/** A stream that has grown, up to the position after its last durable record. A log adds what its reader needs. */
export interface StreamNews {
  readonly name: StreamName;
  readonly end: number;
}

/** What is appended to. */
export interface AppendableLog {
  /** Encodes and gathers a record. It is neither durable nor visible to readers before {@link flush}. Throws NotEncodable for a record that does not fit the schema, and is then as before. */
  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void;

  /** Encoded bytes that are not yet durable, over all streams: gathered, or in a flush that is running. */
  pendingBytes(): number;

  /** Writes what was gathered, in all streams, and waits until it is durable. Afterwards readers see it. Rejects with AORTA-DATA-UNWRITABLE, on Kafka with AORTA-STREAM-…; the log is then unusable and must be opened again. */
  flush(): Promise<void>;

  /** Drops what was not flushed: durability is the caller's, by {@link flush}. Waits for flushes and commits under way; again does nothing. */
  close(): Promise<void>;
}

/** What a reader of the log needs of it. */
export interface ReadableLog {
  /**
   * The partitions that this reader has, whether they hold records or not. One that it loses is not among them any more;
   * one that it is given again is another object, and whatever was known of the old one is void. Local: all, for ever.
   */
  assigned(): readonly StreamPartition[];

  /** Identity of the partition's contents: a new one when the stream is created again, so that positions of the old one are not taken for its own. */
  incarnation(of: StreamPartition): string;

  /** The first position whose record the log still has; where reading begins that never began before. */
  start(of: StreamPartition): number;

  /** The position after the last durable record, as far as this reader has heard. */
  end(of: StreamPartition): number;

  /** Learns where the partitions end now. Undefined where the reader always knows. */
  look?(): Promise<void>;

  /**
   * Up to `limit.records` records from `from` on (fewer where `limit.bytes` of encoded bytes are reached, at least one
   * if there is one; none at the end, where what there is has not arrived here yet, and of a partition that was lost).
   * Records are decoded into the present shape of the declaration, whatever version wrote them. Rejects with AORTA-BUG
   * for a position beyond the end, and with AORTA-SEGMENT-CORRUPT at damage (what is whole before it is handed out first).
   */
  read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>>;

  /** Durably says that the group needs nothing before `position` any more. A lower position than before is a rewind; one beyond the end is AORTA-BUG. Of a partition that was lost nothing is committed. Rejects with AORTA-DATA-UNWRITABLE. */
  commit(group: string, of: StreamPartition, position: number): Promise<void>;
}

export interface ReadLimit {
  readonly records: number;
  readonly bytes: number;
}

export interface ReadBatch<S extends StreamName> {
  readonly stream: S;
  /** Where the batch was read from: at the position of its first record, or before it. */
  readonly from: number;
  /** Where the next batch starts: behind the last record. */
  readonly to: number;
  readonly records: readonly StreamRecords[S][];
  /** Bytes of the encoded records. */
  readonly bytes: number;
}

const firsts = new Map<StreamName, StreamPartition>();

/** A partition by its number; partition 0, as which every local stream is read, is always the same object. */
export function partitionOf<S extends StreamName>(stream: S, partition = 0): StreamPartition<S> {
  if (partition !== 0) return { stream, partition };
  let first = firsts.get(stream);
  if (first === undefined) {
    first = Object.freeze({ stream, partition });
    firsts.set(stream, first);
  }
  return first as StreamPartition<S>;
}

/** Name of a partition, as `timeseries/3`. */
export function partitionName({ stream, partition }: StreamPartition): string {
  return `${stream}/${partition}`;
}

/** The same for people and for what is kept: a stream that is one partition goes by its own name, as before there were others. */
export function shortPartitionName(of: StreamPartition): string {
  return of.partition === 0 ? of.stream : partitionName(of);
}

/** The partitions of a reader that hold records, or held some, by name. */
export function inUse(log: Pick<ReadableLog, 'assigned' | 'end'>): readonly StreamPartition[] {
  return log
    .assigned()
    .filter((of) => log.end(of) > 0)
    .sort((a, b) => (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.partition - b.partition));
}

/** Codes of errors that make one partition unreadable, and leave the others as they are. */
const damages: ReadonlySet<string> = new Set([
  'AORTA-SEGMENT-CORRUPT',
  'AORTA-STREAM-SHORTER',
  'AORTA-STREAM-TOPIC-SHORTER',
  'AORTA-STREAM-OVERTAKEN',
  'AORTA-STREAM-UNREADABLE',
]);

/** The error, if it makes one partition unreadable and leaves the others as they are. */
export function damageOf(error: unknown): AortaError | undefined {
  return isAortaError(error) && damages.has(error.code) ? error : undefined;
}
