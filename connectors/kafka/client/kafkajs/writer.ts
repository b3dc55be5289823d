import { type AortaError, isAortaError } from '@aorta/runtime';
import type { Message } from 'kafkajs';
import type { ProducedRecord, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import type { KafkajsAdmin } from './admin.ts';
import { pause } from './connection.ts';
import { Leaders, type LeadersSettings, Sequences } from './leaders.ts';
import { protocolError, reasonOf, setupError } from './library-errors.ts';
import { nameOf, wholeNumber } from './offsets.ts';

/**
 * Maximum overhead of a record in bytes, in version 2 of the batch format. It consists of the attributes, the time and offset
 * deltas, the record length and the header count. The length prefixes of key and value are counted separately.
 */
const RECORD_OVERHEAD = 1 + 2 + 7 + 4 + 2;

/** Overhead of a batch in bytes, in version 2 of the batch format, rounded up. */
export const BATCH_OVERHEAD = 128;

export interface WriterSettings extends LeadersSettings {
  readonly admin: KafkajsAdmin;
  /** Maximum number of records in a batch. */
  readonly batchRecords: number;
  /** Milliseconds after which the writer gives up on unacknowledged records. */
  readonly patienceMs: number;
  /** Returns a topic's maximum batch size in bytes. */
  readonly limitOf: (topic: string) => Promise<number>;
}

/** A partition being written. At most one batch is in flight, so the records stay in order. */
interface Partition {
  readonly to: TopicPartition;
  readonly queue: PartitionQueue;
  readonly sequences: Sequences;
  working: Promise<void> | undefined;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Errors with which a broker refuses a sequence number, because it has lost its state for this producer or the state differs. */
const OUT_OF_SEQUENCE: ReadonlySet<string | undefined> = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
]);
const TOO_LARGE: ReadonlySet<string | undefined> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/**
 * Writes to several partitions as one idempotent producer. If the outcome of a batch is unknown, the writer sends the batch
 * again with the same sequence numbers, until the partition's leader reports whether it was written. If the
 * writer gives up on a batch, the partition's sequence numbers restart at 0.
 */
export class IdempotentWriter {
  readonly #settings: WriterSettings;
  readonly #leaders: Leaders;
  readonly #partitions = new Map<string, Partition>();

  constructor(settings: WriterSettings) {
    this.#settings = settings;
    this.#leaders = new Leaders(settings);
  }

  push(call: Call): void {
    const name = nameOf(call.to);
    let partition = this.#partitions.get(name);
    if (partition === undefined) {
      partition = { to: call.to, queue: new PartitionQueue(call.to), sequences: new Sequences(), working: undefined };
      this.#partitions.set(name, partition);
    }
    partition.queue.push(call);
    partition.working ??= this.#work(partition);
  }

  async connect(): Promise<void> {
    await this.#leaders.connect();
  }

  /** Waits until all queued records are written or have failed. */
  async drained(): Promise<void> {
    for (;;) {
      const working = [...this.#partitions.values()].flatMap(({ working }) => working ?? []);
      if (working.length === 0) return;
      await Promise.all(working);
    }
  }

  async close(): Promise<void> {
    await this.drained();
    await this.#leaders.close();
  }

  async #work(partition: Partition): Promise<void> {
    // Waits for other calls in the same event-loop turn, so that they can share a batch.
    await Promise.resolve();
    try {
      while (!partition.queue.isEmpty) {
        const bytes = await this.#settings.limitOf(partition.to.topic);
        const { batchRecords: records, compression } = this.#settings;
        const pieces = partition.queue.nextBatch({ bytes, records, compressed: compression !== 0 });
        if (pieces.length > 0) await this.#deliver(partition, pieces);
      }
    } finally {
      // Resets `working` in the same event-loop turn as the last check of the queue, so that a later call starts a new loop.
      partition.working = undefined;
    }
  }

  async #deliver(partition: Partition, pieces: readonly Piece[]): Promise<void> {
    const { to, sequences } = partition;
    const messages = pieces.flatMap(({ records }) => records.map(messageOf));
    const began = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const reason = await this.#try(partition, pieces, messages, pauseMs === FIRST_PAUSE_MS);
      if (reason === undefined) return;
      if (performance.now() - began + pauseMs > this.#settings.patienceMs) {
        // It remains unknown whether the batch was written, so the next sequence number is unknown too.
        this.#restartSequences(sequences);
        const seconds = this.#settings.patienceMs / 1000;
        return fail(pieces, new KafkaError('AORTA-KAFKA-UNACKNOWLEDGED', { ...to, seconds, reason }));
      }
      await pause(pauseMs);
    }
  }

  /**
   * Sends the pieces once. Returns undefined if all were written or have failed. If they must be sent again, returns the
   * reason.
   */
  async #try(
    partition: Partition,
    pieces: readonly Piece[],
    messages: readonly Message[],
    isFirst: boolean,
  ): Promise<string | undefined> {
    const { to, sequences } = partition;
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    try {
      const base = await this.#leaders.send({ to, messages, bytes, sequences });
      if (base !== undefined) {
        sequences.written(messages.length);
        settle(pieces, wholeNumber(base, to.topic, to.partition));
        return undefined;
      }
      if (!(await this.#isPartitionMissing(to))) return 'the brokers do not know the partition yet';
      fail(pieces, new KafkaError('AORTA-KAFKA-PARTITION-MISSING', { ...to }));
      return undefined;
    } catch (error) {
      const type = protocolError(error);
      if (TOO_LARGE.has(type)) {
        // An earlier attempt may have succeeded, so its sequence number must not be reused.
        if (!isFirst) this.#restartSequences(sequences);
        await this.#divide(partition, pieces);
        return undefined;
      }
      const refusal = await this.#refusal(to, error);
      if (refusal !== undefined || OUT_OF_SEQUENCE.has(type)) this.#restartSequences(sequences);
      if (refusal === undefined) return reasonOf(error);
      fail(pieces, refusal);
      return undefined;
    }
  }

  /**
   * Restarts the sequence numbers at 0 with a new producer id. This is safe after an `OUT_OF_SEQUENCE` error: if an earlier
   * attempt had succeeded, the broker would recognize its sequence number.
   */
  #restartSequences(sequences: Sequences): void {
    sequences.forget();
    this.#leaders.renewIdentity();
  }

  /** Returns the error to report if the broker's refusal is permanent, or undefined if a retry may help. */
  async #refusal({ topic }: TopicPartition, error: unknown): Promise<AortaError | undefined> {
    const type = protocolError(error);
    if (type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'INVALID_TOPIC_EXCEPTION') {
      const isMissing = await this.#settings.admin.isMissing(topic).catch(() => false);
      return isMissing ? new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic }) : undefined;
    }
    return isAortaError(error) ? error : setupError(error);
  }

  async #isPartitionMissing({ topic, partition }: TopicPartition): Promise<boolean> {
    const partitions = await this.#settings.admin.partitions(topic).catch(() => Number.POSITIVE_INFINITY);
    return partitions === undefined || partition >= partitions;
  }

  /** Splits the batch in half until the parts fit, because the broker's limit is lower than the topic's settings say. */
  async #divide(partition: Partition, pieces: readonly Piece[]): Promise<void> {
    if (pieces.length > 1) {
      const middle = pieces.length >> 1;
      await this.#deliver(partition, pieces.slice(0, middle));
      return await this.#deliver(partition, pieces.slice(middle));
    }
    const [piece] = pieces as [Piece];
    if (piece.records.length === 1) {
      const limit = await this.#settings.limitOf(partition.to.topic);
      return piece.failed(new KafkaError('AORTA-KAFKA-RECORD-SIZE', { ...partition.to, bytes: piece.bytes, limit }));
    }
    for (const half of halvesOf(piece)) await this.#deliver(partition, [half]);
  }
}

function settle(pieces: readonly Piece[], base: number): void {
  let offset = base;
  for (const { records, written } of pieces) {
    written(offset);
    offset += records.length;
  }
}
function fail(pieces: readonly Piece[], error: AortaError): void {
  for (const piece of pieces) piece.failed(error);
}

/** Converts a record to the form that the library writes. */
export function messageOf({ key, value, headers = [], timestamp }: ProducedRecord): Message {
  return {
    key,
    value,
    // Our own encoder expects the headers as a list.
    headers: headers as unknown as NonNullable<Message['headers']>,
    timestamp: timestamp === undefined ? undefined : String(timestamp),
  };
}

/** A call to write records to a partition. */
interface Call {
  readonly to: TopicPartition;
  readonly records: readonly ProducedRecord[];
  /** Called with the offset of the first record. */
  readonly written: (offset: number) => void;
  readonly failed: (error: AortaError) => void;
}

/** A call, or a part of one, that fits into one batch. */
interface Piece extends Call {
  readonly bytes: number;
}

interface BatchLimits {
  /** Maximum size of the records in a batch, in bytes. */
  readonly bytes: number;
  readonly records: number;
  /** If true, sizes are not checked here. Only the broker can tell whether a record fits after compression. */
  readonly compressed: boolean;
}

/** The queue of a partition. It contains pieces, followed by calls that are not split yet. */
class PartitionQueue {
  readonly to: TopicPartition;
  readonly #pieces: Piece[] = [];
  readonly #calls: Call[] = [];

  constructor(to: TopicPartition) {
    this.to = to;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#calls.length === 0;
  }

  push(call: Call): void {
    this.#calls.push(call);
  }

  /** Removes and returns the pieces that fit into one batch, in order. The list is empty if every queued call was too large. */
  nextBatch(limits: BatchLimits): Piece[] {
    for (const call of this.#calls.splice(0)) this.#pieces.push(...splitCall(call, limits));
    let bytes = 0;
    let records = 0;
    const end = this.#pieces.findIndex((piece, at) => {
      bytes += piece.bytes;
      records += piece.records.length;
      return at > 0 && (bytes > limits.bytes || records > limits.records);
    });
    return this.#pieces.splice(0, end === -1 ? this.#pieces.length : end);
  }
}

/** Splits a call into pieces. If one of its records is too large, fails the whole call and returns no piece. */
function splitCall(call: Call, { bytes: limit, records, compressed }: BatchLimits): Piece[] {
  const sizes = call.records.map(sizeOf);
  const tooLarge = compressed ? undefined : sizes.find((size) => size > limit);
  if (tooLarge !== undefined) {
    call.failed(new KafkaError('AORTA-KAFKA-RECORD-SIZE', { ...call.to, bytes: tooLarge, limit }));
    return [];
  }
  let begin = 0;
  let first = 0;
  const ends = runsOf(sizes, limit, records);
  let waiting = ends.length;
  return ends.map((end) => {
    const from = begin;
    begin = end;
    const written = (offset: number): void => {
      if (from === 0) first = offset;
      waiting -= 1;
      if (waiting === 0) call.written(first);
    };
    const bytes = sizes.slice(from, end).reduce((sum, size) => sum + size, 0);
    return { to: call.to, records: call.records.slice(from, end), bytes, written, failed: call.failed };
  });
}

/** Splits a piece into two halves. The piece is written when both halves are written. */
function halvesOf(piece: Piece): readonly [Piece, Piece] {
  const middle = piece.records.length >> 1;
  let first: number | undefined;
  let over = false;
  const half = (records: readonly ProducedRecord[]): Piece => ({
    ...piece,
    records,
    bytes: Math.ceil(piece.bytes / 2),
    written: (offset) => {
      if (over) return;
      if (first === undefined) first = offset;
      else piece.written(first);
    },
    failed: (error) => {
      if (!over) piece.failed(error);
      over = true;
    },
  });
  return [half(piece.records.slice(0, middle)), half(piece.records.slice(middle))];
}

/** Returns an upper bound for the size of a record in an uncompressed batch, in bytes. */
export function sizeOf({ key, value, headers = [] }: ProducedRecord): number {
  let bytes = RECORD_OVERHEAD + withLength(key?.length ?? 0) + withLength(value?.length ?? 0);
  for (const [name, content] of headers) bytes += withLength(Buffer.byteLength(name)) + withLength(content?.length ?? 0);
  return bytes;
}

/** Adds the size of the length prefix. The prefix stores seven bits per byte, and one bit is the sign. */
function withLength(bytes: number): number {
  if (bytes < 64) return bytes + 1;
  if (bytes < 8_192) return bytes + 2;
  return bytes + (bytes < 1_048_576 ? 3 : 5);
}

/**
 * Splits records into runs that each fit into a batch, and returns the end index of each run. An oversized record gets its own
 * run.
 */
export function runsOf(sizes: readonly number[], limitBytes: number, limitRecords: number): number[] {
  const ends: number[] = [];
  let bytes = 0;
  let records = 0;
  for (const [at, size] of sizes.entries()) {
    if (records > 0 && (bytes + size > limitBytes || records === limitRecords)) {
      ends.push(at);
      bytes = 0;
      records = 0;
    }
    bytes += size;
    records += 1;
  }
  if (sizes.length > 0) ends.push(sizes.length);
  return ends;
}
