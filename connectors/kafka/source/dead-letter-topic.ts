import { errorFields, isAortaError, type Logger, pause } from '@aorta/runtime';
import type { DeadLetter } from '@aorta/schemas';
import type { KafkaClient, KafkaProducer, KafkaRecord, ProducedRecord, TopicPartition } from '../client/client.ts';
import { KafkaError } from '../client/errors.ts';

/** Header with the topic from which a dead letter was copied. */
export const ORIGIN_HEADER = '__connect.errors.topic';

/** Milliseconds between two attempts to write a copy. */
const PAUSE_MS = 1000;

/**
 * Returns the copy of a record that became a dead letter: value, key and headers unchanged, followed by the error
 * headers of Kafka Connect (KIP-298). Its timestamp is the time of the copy. If it kept the record's timestamp,
 * retention might delete the copy at once. Pure.
 */
export function deadLetterRecord(
  from: TopicPartition,
  record: KafkaRecord,
  letter: Pick<DeadLetter, 'error_headers'>,
): ProducedRecord {
  const errors = {
    ...letter.error_headers,
    [ORIGIN_HEADER]: from.topic,
    '__connect.errors.partition': String(from.partition),
  };
  const added = Object.entries(errors).map(([name, value]) => [name, Buffer.from(value, 'utf8')] as const);
  return { key: record.key, value: record.value, headers: [...record.headers, ...added] };
}

/** A topic that receives copies of a source's dead letters. Each copy is written before the position of its record counts as durable. */
export class DeadLetterTopic {
  readonly #topic: string;
  readonly #partitions: number;
  readonly #producer: KafkaProducer;
  readonly #logger: Logger;
  readonly #waiting = new Map<number, ProducedRecord[]>();

  private constructor(topic: string, partitions: number, producer: KafkaProducer, logger: Logger) {
    this.#topic = topic;
    this.#partitions = partitions;
    this.#producer = producer;
    this.#logger = logger;
  }

  /** Opens the topic. Rejects with AORTA-KAFKA-TOPIC-MISSING, or with the client's error. */
  static async open(client: KafkaClient, topic: string, logger: Logger): Promise<DeadLetterTopic> {
    const partitions = await client.admin.partitions(topic);
    if (partitions === undefined) throw new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic });
    return new DeadLetterTopic(topic, partitions, await client.producer({}), logger);
  }

  /** Queues a copy. The dead letters of one source partition go to one partition of the topic, in order. */
  add(from: TopicPartition, record: KafkaRecord, letter: Pick<DeadLetter, 'error_headers'>): void {
    const to = from.partition % this.#partitions;
    const copy = deadLetterRecord(from, record, letter);
    const waiting = this.#waiting.get(to);
    if (waiting === undefined) this.#waiting.set(to, [copy]);
    else waiting.push(copy);
  }

  /** Writes the queued copies and retries failures. Rejects when the signal aborts. */
  async write(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#waiting].map(([to, copies]) => this.#writeAll(to, copies.splice(0), signal)));
  }

  async close(): Promise<void> {
    await this.#producer.close();
  }

  async #writeAll(partition: number, copies: readonly ProducedRecord[], signal: AbortSignal): Promise<void> {
    for (const copy of copies) await this.#writeOne({ topic: this.#topic, partition }, copy, signal);
  }

  async #writeOne(to: TopicPartition, copy: ProducedRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      if (signal.aborted) throw new KafkaError('AORTA-KAFKA-FAILED', { doing: 'copy dead letters', reason: 'stopped' });
      try {
        await this.#producer.produce(to, [copy]);
        return;
      } catch (error) {
        this.#logger.warn('dead letter not copied', { topic: to.topic, partition: to.partition, ...errorFields(error) });
        // The copy is too large for the topic, so retries cannot succeed. The stream `dead_letters` holds the dead
        // letter anyway.
        if (isAortaError(error) && error.class === 'data') return;
        if (isAortaError(error) && error.class !== 'transient') throw error;
        await pause(PAUSE_MS, signal);
      }
    }
  }
}
