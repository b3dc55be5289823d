import { AortaError, DeadlinePassed, errorFields, isAortaError, type Logger, within } from '@aorta/runtime';
import type { KafkaConnection, KafkaProducer, ProducedRecord, ProducerOptions, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import type { AdminOfCluster } from './admin.ts';
import { compressionType } from './codecs.ts';
import { CONNECT_MS, kafkaConfig, REQUEST_MS } from './connection.ts';
import { atMost } from './deadline.ts';
import { reasonOf, setupError } from './errors.ts';
import { IdempotentWriter } from './idempotent-writer.ts';
import type { Library } from './internals.ts';
import type { OpenCluster } from './leaders.ts';
import { library } from './library.ts';
import { nameOf, openCluster } from './positions.ts';
import { AROUND_BATCH } from './record-sizes.ts';
import { Sockets } from './sockets.ts';

const IN_FLIGHT = 4;
const DISCONNECT_MS = 2_000;
/** The brokers' default maximum batch size, in bytes. */
const DEFAULT_LIMIT = 1_048_588;
const BATCH_RECORDS = 1_000;
const REQUEST_BYTES = 4 * 1024 * 1024;

/**
 * A producer with several idempotent writers that work in parallel. Each partition always uses the same writer, so calls to one
 * partition stay in order.
 */
export class PartitionedProducer implements KafkaProducer {
  readonly #connection: KafkaConnection;
  readonly #admin: AdminOfCluster;
  readonly #logger: Logger;
  readonly #writers: readonly IdempotentWriter[];
  readonly #writerOf = new Map<string, IdempotentWriter>();
  readonly #limits = new Map<string, Promise<number>>();
  #closed: Promise<void> | undefined;

  constructor(connection: KafkaConnection, admin: AdminOfCluster, options: ProducerOptions, logger: Logger) {
    const kafkajs = library();
    this.#connection = connection;
    this.#admin = admin;
    this.#logger = logger;
    this.#writers = Array.from({ length: options.inFlight ?? IN_FLIGHT }, () => {
      return new IdempotentWriter({
        open: () => openFor(kafkajs, connection),
        admin,
        compression: compressionType(kafkajs, options.compression ?? 'none'),
        batchRecords: BATCH_RECORDS,
        requestBytes: REQUEST_BYTES,
        patienceMs: 2 * (connection.requestMs ?? REQUEST_MS),
        limitOf: (topic) => this.#limitOf(topic),
      });
    });
  }

  /** Connects, so that configuration errors are reported at once. */
  async start(): Promise<void> {
    const patienceMs = 2 * (this.#connection.connectMs ?? CONNECT_MS);
    try {
      await within(patienceMs, this.#writers[0]!.connect());
    } catch (error) {
      const setup = setupError(error);
      if (setup !== undefined) throw setup;
      if (isAortaError(error)) throw error;
      const reason = error instanceof DeadlinePassed ? 'no answer' : reasonOf(error);
      const brokers = this.#connection.brokers.join(', ');
      throw new KafkaError('AORTA-KAFKA-UNREACHABLE', { brokers, seconds: patienceMs / 1000, reason });
    }
  }

  async produce(to: TopicPartition, records: readonly ProducedRecord[]): Promise<number> {
    if (this.#closed !== undefined) throw new KafkaError('AORTA-KAFKA-FAILED', { doing: 'write records', reason: 'closed' });
    if (records.length === 0) throw new AortaError('AORTA-BUG', { place: 'the Kafka producer', problem: 'no records' });
    return await new Promise((written, failed) => {
      this.#writer(to).push({ to, records, written, failed });
    });
  }

  async close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#writers.map((writer) => writer.close())).then(() => {});
    await this.#closed;
  }

  #nextWriter = 0;

  #writer(to: TopicPartition): IdempotentWriter {
    const name = nameOf(to);
    const writer = this.#writerOf.get(name) ?? this.#writers[this.#nextWriter++ % this.#writers.length]!;
    this.#writerOf.set(name, writer);
    return writer;
  }

  /** Returns the maximum size of the records in a batch of the topic, in bytes. */
  async #limitOf(topic: string): Promise<number> {
    const asked = this.#limits.get(topic) ?? this.#askLimit(topic);
    this.#limits.set(topic, asked);
    return await asked;
  }

  async #askLimit(topic: string): Promise<number> {
    let limit = DEFAULT_LIMIT;
    try {
      limit = Number((await this.#admin.settings(topic)).get('max.message.bytes') ?? DEFAULT_LIMIT);
    } catch (error) {
      // A user with write permission is not always allowed to read settings. The default limit then applies. If the broker's
      // limit is lower, the broker refuses the batch, which is then divided.
      this.#logger.debug('the settings of a topic cannot be read', { topic, ...errorFields(error) });
    }
    return limit - AROUND_BATCH;
  }
}

/** Opens a connection for a writer. If the connection fails, closes all of its sockets. */
async function openFor(kafkajs: Library, connection: KafkaConnection): Promise<OpenCluster> {
  using opening = new DisposableStack();
  const sockets = opening.adopt(new Sockets(), (one) => one.end());
  const { cluster, disconnect } = await openCluster(new kafkajs.Kafka(kafkaConfig(connection, sockets)));
  const end = async (): Promise<void> => {
    await atMost(DISCONNECT_MS, disconnect());
    sockets.end();
  };
  opening.move();
  return { cluster, disconnect: end };
}
