import { AortaError, type Metrics, type StepObserver } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { type AppendableLog, DurableSignal } from '../../stream-log.ts';
import type { StreamMetrics } from '../../streams/metrics.ts';
import type { KafkaProducer, ProducedRecord } from '../client/client.ts';
import { TopicError } from './errors.ts';
import type { RecordForm } from './record-form.ts';

const SEED = 0x9747b28c;
const M = 0x5bd1e995;

export interface WrittenTopic {
  readonly topic: string;
  /** The end of each partition. It is read when the log is opened, and each write advances it. */
  readonly ends: number[];
}

export interface TopicAppenderOptions {
  readonly producer: KafkaProducer;
  readonly form: RecordForm;
  readonly topics: ReadonlyMap<StreamName, WrittenTopic>;
  readonly metrics: Metrics<StreamMetrics>;
  readonly onStep: StepObserver;
  /** Called with the new end of a partition after its records became durable. The flush waits for the returned promise. */
  readonly onGrown: (stream: StreamName, partition: number, end: number) => Promise<void> | void;
}

/** Records of one partition that wait for the next flush. */
interface Waiting {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: ProducedRecord[];
  bytes: number;
}

/** Approximate size of a produce call, in bytes. Each call is one record batch, which readers fetch as a whole. */
const CALL_BYTES = 512 * 1024;

export class TopicAppender implements AppendableLog {
  readonly #options: TopicAppenderOptions;
  readonly #durable = new DurableSignal();
  #waiting = new Map<string, Waiting>();
  #pendingBytes = 0;
  #flushingBytes = 0;
  #lastFlush: Promise<void> = Promise.resolve();
  #declared = new Map<StreamName, Promise<void>>();
  #failure: AortaError | undefined;
  #closed = false;

  constructor(options: TopicAppenderOptions) {
    this.#options = options;
  }

  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#checkUsable();
    const value = this.#options.form.encode(stream, record);
    const key = Buffer.from(keyOf(record));
    const partition = partitionOfKey(key, this.#topic(stream).ends.length);
    const name = `${stream}/${partition}`;
    let waiting = this.#waiting.get(name);
    if (waiting === undefined) {
      waiting = { stream, partition, records: [], bytes: 0 };
      this.#waiting.set(name, waiting);
    }
    waiting.records.push({ key, value });
    waiting.bytes += value.length;
    this.#pendingBytes += value.length;
  }

  pendingBytes(): number {
    return this.#pendingBytes + this.#flushingBytes;
  }

  flush(): Promise<void> {
    const flush = this.#lastFlush.then(() => this.#flushOnce());
    this.#lastFlush = flush.catch(() => {});
    return flush;
  }

  onDurable(listener: () => void): () => void {
    return this.#durable.on(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#lastFlush;
    await this.#options.producer.close();
  }

  async #flushOnce(): Promise<void> {
    this.#checkUsable();
    const flushed = [...this.#waiting.values()];
    if (flushed.length === 0) return;
    this.#waiting = new Map();
    this.#flushingBytes = this.#pendingBytes;
    this.#pendingBytes = 0;
    const { metrics, onStep } = this.#options;
    const begun = performance.now();
    const results = await Promise.allSettled(flushed.map((one) => this.#write(one)));
    // All writes have settled here, so no write is still running when the flush rejects.
    const broken = results.find((result) => result.status === 'rejected');
    try {
      if (broken !== undefined) throw broken.reason;
      onStep('append:written');
      this.#durable.announce();
      onStep('append:durable');
    } catch (error) {
      this.#failure =
        error instanceof AortaError ? error : new AortaError('AORTA-BUG', { place: 'streams', problem: 'writing failed' });
      throw this.#failure;
    }
    this.#flushingBytes = 0;
    metrics.observe('aorta_stream_flush_seconds', {}, (performance.now() - begun) / 1000);
    for (const { stream, records, bytes } of flushed) {
      metrics.count('aorta_stream_records_total', { stream }, records.length);
      metrics.count('aorta_stream_bytes_total', { stream }, bytes);
    }
  }

  async #write({ stream, partition, records }: Waiting): Promise<void> {
    const { producer, form, onGrown } = this.#options;
    let declared = this.#declared.get(stream);
    if (declared === undefined) {
      declared = form.declare(stream);
      this.#declared.set(stream, declared);
    }
    await declared;
    const { topic, ends } = this.#topic(stream);
    const known = ends[partition]!;
    let end = known;
    // Starts all calls at once, because the producer keeps their order.
    const calls = inCalls(records).map(async (some) => {
      const first = await producer.produce({ topic, partition }, some);
      // New records follow the known end. If the first offset is below it, the topic was created again or has lost records.
      if (first < known) throw new TopicError('AORTA-STREAM-RECREATED', { topic, partition, end: first, known });
      end = Math.max(end, first + some.length);
    });
    const results = await Promise.allSettled(calls);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    ends[partition] = end;
    await onGrown(stream, partition, end);
  }

  #topic(stream: StreamName): WrittenTopic {
    const topic = this.#options.topics.get(stream);
    if (topic === undefined) throw new AortaError('AORTA-BUG', { place: 'streams', problem: 'unknown stream' });
    return topic;
  }

  #checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#closed) throw new AortaError('AORTA-BUG', { place: 'streams', problem: 'the log was used after it was closed' });
  }
}

/** Splits records into produce calls of about {@link CALL_BYTES}, with at least one record each. */
export function inCalls(records: readonly ProducedRecord[]): ProducedRecord[][] {
  const calls: ProducedRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const size = (record.key?.length ?? 0) + (record.value?.length ?? 0);
    if (bytes + size > CALL_BYTES) {
      calls.push([]);
      bytes = 0;
    }
    calls.at(-1)!.push(record);
    bytes += size;
  }
  return calls;
}

/**
 * Returns the Kafka key of a record. The key is the user, so that a user's records are in one partition and stay in order. The
 * key of a record without a user (an unreadable delivery) is its source partition, which keeps the order of the source.
 */
export function keyOf(record: StreamRecords[StreamName]): string {
  const user = 'event' in record ? record.event.user_id : record.user_id;
  return user ?? `${record.receipt.source}/${record.receipt.partition}`;
}

/**
 * Returns the partition of a key in a topic with `partitions` partitions. Uses the same hash as Kafka's own clients (murmur2), so
 * that other programs find a user's records in the same partition.
 *
 * If partitions are added, most keys move to a different partition. A job may then read a user's newer records before the older
 * ones. The tables stay correct, because the receipts, not the merge order, decide which version of a row is the newest.
 */
export function partitionOfKey(key: Buffer, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

/** 32-bit MurmurHash2 with Kafka's seed. */
export function murmur2(data: Buffer): number {
  const { length } = data;
  let hash = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let word = Math.imul(data.readInt32LE(at), M);
    word ^= word >>> 24;
    hash = Math.imul(hash, M) ^ Math.imul(word, M);
  }
  const rest = length - at;
  if (rest > 2) hash ^= data[at + 2]! << 16;
  if (rest > 1) hash ^= data[at + 1]! << 8;
  if (rest > 0) hash = Math.imul(hash ^ data[at]!, M);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, M);
  return hash ^ (hash >>> 15);
}
