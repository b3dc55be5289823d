import { AortaError, DeadlinePassed, errorFields, isAortaError, type Logger, within } from '@aorta/runtime';
import type { Producer } from 'kafkajs';
import type { KafkaConnection, KafkaProducer, ProducedRecord, ProducerOptions, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import type { KafkajsAdmin } from './admin.ts';
import { atMost, CONNECT_MS, kafkaConfig, type OpenCluster, openCluster, REQUEST_MS, RETRY, Sockets } from './connection.ts';
import type { Library } from './internals.ts';
import { catalogueError, reasonOf, setupError } from './library-errors.ts';
import { nameOf, wholeNumber } from './offsets.ts';
import { compressionType } from './records.ts';
import { library } from './workarounds.ts';
import { BATCH_OVERHEAD, IdempotentWriter, messageOf } from './writer.ts';

const IN_FLIGHT = 4;
const BATCH_RECORDS = 1_000;
const REQUEST_BYTES = 4 * 1024 * 1024;

/** The brokers' default maximum batch size, in bytes. */
const DEFAULT_LIMIT = 1_048_588;
const DISCONNECT_MS = 2_000;

/** Milliseconds after which the brokers abort a transaction that its producer does not end. Until then, readers wait for it. */
const TRANSACTION_MS = 20_000;

/**
 * A producer with several idempotent writers that work in parallel. Each partition always uses the same writer, so calls to one
 * partition stay in order.
 */
export class PartitionedProducer implements KafkaProducer {
  readonly #connection: KafkaConnection;
  readonly #admin: KafkajsAdmin;
  readonly #logger: Logger;
  readonly #writers: readonly IdempotentWriter[];
  readonly #writerOf = new Map<string, IdempotentWriter>();
  readonly #limits = new Map<string, Promise<number>>();
  #closed: Promise<void> | undefined;

  constructor(connection: KafkaConnection, admin: KafkajsAdmin, options: ProducerOptions, logger: Logger) {
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
    return limit - BATCH_OVERHEAD;
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

/**
 * A producer that holds a transactional id. Opening it aborts the transaction of the previous holder, and the brokers then
 * refuse that holder's writes. Each call is one transaction, and a call waits for the previous one.
 */
export class TransactionalProducer implements KafkaProducer {
  readonly #producer: Producer;
  readonly #sockets: Sockets;
  readonly #compression: number;
  #last: Promise<unknown> = Promise.resolve();
  /** Why no further call is possible. After a failure, the library's sequence numbers may be wrong. */
  #unusable: string | undefined;

  private constructor(producer: Producer, sockets: Sockets, compression: number) {
    this.#producer = producer;
    this.#sockets = sockets;
    this.#compression = compression;
  }

  /** Takes over the transactional id. Rejects if the cluster is unreachable or refuses the request. */
  static async open(
    connection: KafkaConnection,
    { transactionalId, compression = 'none' }: ProducerOptions & { readonly transactionalId: string },
  ): Promise<TransactionalProducer> {
    const kafkajs = library();
    const sockets = new Sockets();
    const settings = {
      transactionalId,
      transactionTimeout: TRANSACTION_MS,
      idempotent: true,
      maxInFlightRequests: 1,
      retry: RETRY,
    };
    const requestMs = Math.min(connection.requestMs ?? REQUEST_MS, TRANSACTION_MS);
    const producer = new kafkajs.Kafka(kafkaConfig({ ...connection, requestMs }, sockets)).producer(settings);
    const opened = new TransactionalProducer(producer, sockets, compressionType(kafkajs, compression));
    try {
      await producer.connect();
      // The library asks for its producer id when the first transaction begins. This transaction is empty.
      const first = await producer.transaction();
      await first.abort();
      return opened;
    } catch (error) {
      await opened.close();
      throw catalogueError(error, 'take over a transactional id');
    }
  }

  /** Like `KafkaProducer.produce`, but the records become visible together. After a rejection, open a new producer. */
  async produce(to: TopicPartition, records: readonly ProducedRecord[]): Promise<number> {
    const written = this.#last.then(() => this.#write(to, records));
    this.#last = written.catch(() => {});
    return await written;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#unusable ??= 'closed';
    await atMost(DISCONNECT_MS, this.#producer.disconnect());
    this.#sockets.end();
  }

  async #write({ topic, partition }: TopicPartition, records: readonly ProducedRecord[]): Promise<number> {
    if (this.#unusable !== undefined)
      throw new KafkaError('AORTA-KAFKA-FAILED', { doing: 'write records', reason: this.#unusable });
    try {
      const transaction = await this.#producer.transaction();
      const messages = records.map((record) => ({ ...messageOf(record), partition }));
      const [result] = await transaction.send({ topic, messages, acks: -1, compression: this.#compression });
      await transaction.commit();
      return wholeNumber(result?.baseOffset ?? '0', topic, partition);
    } catch (error) {
      this.#unusable = 'an earlier call failed';
      throw catalogueError(error, 'write records in a transaction');
    }
  }
}
