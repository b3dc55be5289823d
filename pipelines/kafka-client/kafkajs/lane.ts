import { AortaError, isAortaError } from '@aorta/telemetry';
import type { Kafka, Message, Producer, RecordMetadata } from 'kafkajs';
import type { ProducedRecord, TopicPartition } from '../client.ts';
import type { AdminOfCluster } from './admin.ts';
import { RETRY } from './connection.ts';
import { atMost, pause } from './deadline.ts';
import { protocolError, reasonOf, setupError } from './errors.ts';
import { wholeNumber } from './offsets.ts';
import { nameOf } from './positions.ts';
import { runsOf, sizeOf } from './record-sizes.ts';

/** Records that somebody wants written to a partition. */
export interface Call {
  readonly to: TopicPartition;
  readonly records: readonly ProducedRecord[];
  /** With the offset of the first record. */
  readonly written: (offset: number) => void;
  readonly failed: (error: AortaError) => void;
}

/** A call, or a part of one, that fits into one batch. */
interface Piece extends Call {
  readonly bytes: number;
}

/** What waits for a partition, in its order: what was cut into pieces already, and the calls behind it. */
interface Queue {
  readonly to: TopicPartition;
  readonly pieces: Piece[];
  readonly calls: Call[];
}

/** What one partition takes in one request. Pieces stay together as long as it is not known whether they were written. */
interface Batch {
  readonly to: TopicPartition;
  readonly pieces: readonly Piece[];
}

export interface LaneSettings {
  readonly kafka: Kafka;
  readonly admin: AdminOfCluster;
  readonly compression: number;
  /** Records of a batch at most, and bytes of a request. */
  readonly batchRecords: number;
  readonly requestBytes: number;
  /** Milliseconds in which records are acknowledged, or are given up. */
  readonly patienceMs: number;
  /** What batches of a topic may have, in bytes. */
  readonly limitOf: (topic: string) => Promise<number>;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const METADATA_AGE_MS = 180_000;

/** The broker knows of no such sequence: what it knew of this producer is gone, or counts otherwise. */
const OUT_OF_SEQUENCE: ReadonlySet<string | undefined> = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
]);
const TOO_LARGE: ReadonlySet<string | undefined> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/**
 * Writes for some partitions, one request at a time, as one idempotent producer. The library numbers a request's records
 * when it sends them, and takes the numbers back when that fails: were anything else sent then, the broker would take it
 * for what came before, and drop it or refuse it. So a request whose fate is unknown is repeated as it is until it is
 * known, and where that is given up, the numbers begin anew with another producer.
 */
export class Lane {
  readonly #settings: LaneSettings;
  readonly #queues = new Map<string, Queue>();
  #producer: Promise<Producer> | undefined;
  #working: Promise<void> | undefined;

  constructor(settings: LaneSettings) {
    this.#settings = settings;
  }

  push(call: Call): void {
    const name = nameOf(call.to);
    const queue = this.#queues.get(name) ?? { to: call.to, pieces: [], calls: [] };
    this.#queues.set(name, queue);
    queue.calls.push(call);
    this.#working ??= this.#work();
  }

  async connect(): Promise<void> {
    await this.#connected();
  }

  /** When nothing is waiting any more. */
  async drained(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  async close(): Promise<void> {
    await this.drained();
    await this.#renew();
  }

  async #work(): Promise<void> {
    // Whatever comes in the same turn goes into the same request.
    await Promise.resolve();
    try {
      while (this.#queues.size > 0) {
        const request = await this.#nextRequest();
        if (request.length > 0) await this.#deliver(request);
      }
    } finally {
      // In the same turn as the last look: who comes later finds nobody at work.
      this.#working = undefined;
    }
  }

  async #nextRequest(): Promise<Batch[]> {
    const request: Batch[] = [];
    let requested = 0;
    for (const [name, queue] of [...this.#queues]) {
      const limit = await this.#settings.limitOf(queue.to.topic);
      for (const call of queue.calls.splice(0)) queue.pieces.push(...this.#cut(call, limit));
      const pieces = this.#nextBatch(queue.pieces, limit);
      // Those that were served go to the end of the row.
      this.#queues.delete(name);
      if (queue.pieces.length > 0) this.#queues.set(name, queue);
      if (pieces.length > 0) request.push({ to: queue.to, pieces });
      requested += pieces.reduce((sum, { bytes }) => sum + bytes, 0);
      if (requested >= this.#settings.requestBytes) break;
    }
    return request;
  }

  /** As many as fit into one batch, in their order. */
  #nextBatch(waiting: Piece[], limit: number): Piece[] {
    let bytes = 0;
    let records = 0;
    const end = waiting.findIndex((piece, at) => {
      bytes += piece.bytes;
      records += piece.records.length;
      return at > 0 && (bytes > limit || records > this.#settings.batchRecords);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  /** The pieces of a call; none where one of its records is too large, which fails all of it. */
  #cut(call: Call, limit: number): Piece[] {
    const { batchRecords, compression } = this.#settings;
    const sizes = call.records.map(sizeOf);
    // What is compressed may be smaller than it seems: the broker decides.
    const tooLarge = compression === 0 ? sizes.find((size) => size > limit) : undefined;
    if (tooLarge !== undefined) {
      call.failed(new AortaError('AORTA-KAFKA-RECORD-SIZE', { ...call.to, bytes: tooLarge, limit }));
      return [];
    }
    let begin = 0;
    let first = 0;
    const ends = runsOf(sizes, limit, batchRecords);
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

  async #deliver(request: readonly Batch[]): Promise<void> {
    const began = Date.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      let unanswered: readonly Batch[];
      try {
        const producer = await this.#connected();
        unanswered = settle(request, await producer.sendBatch(this.#requestOf(request)));
      } catch (error) {
        if (await this.#isOver(request, error)) return;
        if (Date.now() - began + pauseMs > this.#settings.patienceMs) return await this.#giveUp(request, error);
        await pause(pauseMs);
        continue;
      }
      if (unanswered.length > 0) await this.#askForPartitions(unanswered);
      return;
    }
  }

  /** Whether nothing is left to repeat: the brokers said that they did not write it, and will not. */
  async #isOver(request: readonly Batch[], error: unknown): Promise<boolean> {
    const type = protocolError(error);
    const missing = type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'INVALID_TOPIC_EXCEPTION';
    const refused = isAortaError(error) ? error : setupError(error);
    if (!missing && refused === undefined && !OUT_OF_SEQUENCE.has(type) && !TOO_LARGE.has(type)) return false;
    if (request.length > 1) {
      // Only of one partition, as they were: those that were written are recognised by their numbers.
      for (const batch of request) await this.#deliver([batch]);
      return true;
    }
    const [batch] = request as [Batch];
    if (TOO_LARGE.has(type)) {
      await this.#divide(batch);
      return true;
    }
    if (OUT_OF_SEQUENCE.has(type)) {
      // It was not written, by no earlier try either: the broker would know that by its number. So it can be numbered anew.
      await this.#renew();
      return false;
    }
    if (missing && !(await this.#settings.admin.isMissing(batch.to.topic).catch(() => false))) return false;
    fail(batch, refused ?? new AortaError('AORTA-KAFKA-TOPIC-MISSING', { topic: batch.to.topic }));
    return true;
  }

  /** The broker takes less than it said: half of it, until it is one record. */
  async #divide({ to, pieces }: Batch): Promise<void> {
    if (pieces.length > 1) {
      const middle = pieces.length >> 1;
      await this.#deliver([{ to, pieces: pieces.slice(0, middle) }]);
      return await this.#deliver([{ to, pieces: pieces.slice(middle) }]);
    }
    const [piece] = pieces as [Piece];
    if (piece.records.length === 1) {
      const limit = await this.#settings.limitOf(to.topic);
      return piece.failed(new AortaError('AORTA-KAFKA-RECORD-SIZE', { ...to, bytes: piece.bytes, limit }));
    }
    const middle = piece.records.length >> 1;
    let first: number | undefined;
    let failure: AortaError | undefined;
    const half = (records: readonly ProducedRecord[]): Piece => ({
      ...piece,
      records,
      bytes: Math.ceil(piece.bytes / 2),
      written: (offset) => {
        first ??= offset;
      },
      failed: (error) => {
        failure ??= error;
      },
    });
    await this.#deliver([{ to, pieces: [half(piece.records.slice(0, middle))] }]);
    if (failure === undefined) await this.#deliver([{ to, pieces: [half(piece.records.slice(middle))] }]);
    if (failure !== undefined || first === undefined)
      piece.failed(failure ?? new AortaError('AORTA-KAFKA-RECORD-SIZE', { ...to }));
    else piece.written(first);
  }

  /** The library leaves out, without a word, what is for a partition that it does not know. */
  async #askForPartitions(unanswered: readonly Batch[]): Promise<void> {
    for (const batch of unanswered) {
      const { topic, partition } = batch.to;
      const partitions = await this.#settings.admin.partitions(topic).catch(() => undefined);
      if (partitions === undefined || partition >= partitions) {
        fail(batch, new AortaError('AORTA-KAFKA-PARTITION-MISSING', { topic, partition }));
        continue;
      }
      // It is new: a new producer knows it. Nothing was sent, so nothing can come twice.
      await this.#renew();
      await this.#deliver([batch]);
    }
  }

  async #giveUp(request: readonly Batch[], error: unknown): Promise<void> {
    const seconds = this.#settings.patienceMs / 1000;
    await this.#renew();
    for (const batch of request)
      fail(batch, new AortaError('AORTA-KAFKA-UNACKNOWLEDGED', { ...batch.to, seconds, reason: reasonOf(error) }));
  }

  #requestOf(request: readonly Batch[]): Parameters<Producer['sendBatch']>[0] {
    const topics = new Map<string, Message[]>();
    for (const { to, pieces } of request) {
      const messages = topics.get(to.topic) ?? [];
      for (const { records } of pieces) for (const record of records) messages.push(messageOf(record, to.partition));
      topics.set(to.topic, messages);
    }
    const topicMessages = [...topics].map(([topic, messages]) => ({ topic, messages }));
    return { acks: -1, compression: this.#settings.compression, topicMessages };
  }

  async #connected(): Promise<Producer> {
    this.#producer ??= this.#connect();
    const connecting = this.#producer;
    try {
      return await connecting;
    } catch (error) {
      if (this.#producer === connecting) this.#producer = undefined;
      throw error;
    }
  }

  async #connect(): Promise<Producer> {
    const producer = this.#settings.kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      metadataMaxAge: METADATA_AGE_MS,
      // The library wants to repeat at least once; the rest is ours.
      retry: { ...RETRY, retries: 1 },
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition!,
    });
    try {
      await producer.connect();
    } catch (error) {
      await atMost(1_000, producer.disconnect());
      throw error;
    }
    return producer;
  }

  async #renew(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    if (producer !== undefined)
      await atMost(
        3_000,
        producer.then((connected) => connected.disconnect()),
      );
  }
}

/** Tells the calls where their records are; gives what was not answered. */
function settle(request: readonly Batch[], answers: readonly RecordMetadata[]): readonly Batch[] {
  const offsets = new Map(
    answers.map(({ topicName: topic, partition, baseOffset }) => [nameOf({ topic, partition }), baseOffset]),
  );
  return request.filter(({ to, pieces }) => {
    const base = offsets.get(nameOf(to));
    if (base === undefined) return true;
    let offset = wholeNumber(base, to.topic, to.partition);
    for (const { records, written } of pieces) {
      written(offset);
      offset += records.length;
    }
    return false;
  });
}

function fail({ pieces }: Batch, error: AortaError): void {
  for (const piece of pieces) piece.failed(error);
}

function messageOf({ key, value, headers = [], timestamp }: ProducedRecord, partition: number): Message {
  return {
    partition,
    key,
    value,
    // In our form: see the mend of headers.
    headers: headers as unknown as NonNullable<Message['headers']>,
    ...(timestamp === undefined ? {} : { timestamp: String(timestamp) }),
  };
}
