import type { StreamName, StreamRecords } from '@aorta/schemas';

/**
 * The stream log: what consumers append to and jobs read from. Two forms stand behind this interface, `local` (Avro
 * container segments in a folder) and later `kafka` (topics); both pass the same conformance tests.
 *
 * A position is the ordinal of a record in its stream, from 0: never a byte offset, since segments are rewritten for
 * erasure. "Position p" as a place to read from means that p is the next record.
 */
export interface StreamLog {
  /** Names of the streams that hold records, in alphabetical order. */
  streams(): readonly StreamName[];

  /** Identity of the stream's contents: a new one when the stream is created again, so that positions of the old one are not taken for its own. */
  incarnation(stream: StreamName): string;

  /** Encodes and gathers a record. It is neither durable nor visible to readers before {@link flush}. Throws NotEncodable for a record that does not fit the schema, and is then as before. */
  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void;

  /** Encoded bytes that are not yet durable, over all streams: gathered, or in a flush that is running. */
  pendingBytes(): number;

  /** Writes what was gathered, in all streams, and waits until it is on the disk. Afterwards readers see it. Rejects with AORTA-DATA-UNWRITABLE; the log is then unusable and must be opened again. */
  flush(): Promise<void>;

  /** The position after the last durable record. */
  end(stream: StreamName): number;

  /**
   * Up to `limit.records` records from `from` on (fewer where `limit.bytes` of encoded bytes are reached, at least one
   * if there is one; none at the end of the stream). Records are decoded into the present shape of the declaration,
   * whatever version wrote them. Rejects with AORTA-BUG for a position beyond the end, and with AORTA-SEGMENT-CORRUPT at
   * damage (what is whole before it is handed out first).
   */
  read<S extends StreamName>(stream: S, from: number, limit: ReadLimit): Promise<ReadBatch<S>>;

  /** The position a group last committed, or undefined. */
  committed(group: string, stream: StreamName): number | undefined;

  /** Durably says that the group needs nothing before `position` any more. A lower position than before is a rewind; one beyond the end is AORTA-BUG. Rejects with AORTA-DATA-UNWRITABLE. */
  commit(group: string, stream: StreamName, position: number): Promise<void>;

  /** Names of the groups that have committed in the stream. */
  groups(stream: StreamName): readonly string[];

  /** Drops what was not flushed: durability is the caller's, by {@link flush}. Waits for flushes and commits under way; again does nothing. */
  close(): Promise<void>;
}

/** What a reader of the log needs of it. */
export type ReadableLog = Pick<StreamLog, 'streams' | 'incarnation' | 'end' | 'read' | 'commit'>;

export interface ReadLimit {
  readonly records: number;
  readonly bytes: number;
}

export interface ReadBatch<S extends StreamName> {
  readonly stream: S;
  /** Position of the first record of the batch. */
  readonly from: number;
  /** Position after the last one: where the next batch starts. */
  readonly to: number;
  readonly records: readonly StreamRecords[S][];
  /** Bytes of the encoded records. */
  readonly bytes: number;
}
