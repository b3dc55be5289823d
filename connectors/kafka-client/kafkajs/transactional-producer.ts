import type { Producer } from 'kafkajs';
import type { KafkaConnection, KafkaProducer, ProducedRecord, ProducerOptions, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { compressionType } from './codecs.ts';
import { kafkaConfig, REQUEST_MS, RETRY } from './connection.ts';
import { atMost } from './deadline.ts';
import { reworded } from './errors.ts';
import { messageOf } from './idempotent-writer.ts';
import { library } from './library.ts';
import { wholeNumber } from './offsets.ts';
import { Sockets } from './sockets.ts';

/** Milliseconds after which the brokers abort a transaction that its producer does not end. Until then, readers wait for it. */
const TRANSACTION_MS = 20_000;
const DISCONNECT_MS = 2_000;

/**
 * A producer that holds a transactional id. Opening it ends the transaction of the previous holder, and from then on the
 * brokers refuse the writes of that holder. Each call is one transaction, and a call waits for the previous one.
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
      throw reworded(error, 'take over a transactional id');
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
      throw reworded(error, 'write records in a transaction');
    }
  }
}
