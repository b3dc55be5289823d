import type { Logger } from '@aorta/runtime';
import type {
  ConsumeOptions,
  KafkaAdmin,
  KafkaClient,
  KafkaConnection,
  KafkaConsumer,
  KafkaProducer,
  ProducerOptions,
} from './client.ts';
import { KafkajsAdmin } from './kafkajs/admin.ts';
import { atMost } from './kafkajs/connection.ts';
import { GroupConsumer } from './kafkajs/consumer.ts';
import { PartitionedProducer, TransactionalProducer } from './kafkajs/producer.ts';

export type * from './client.ts';

/** Timeout for closing consumers and producers, in milliseconds. */
const CLOSE_MS = 30_000;

/** Opens a client for a Kafka cluster, implemented with kafkajs. It connects on first use. */
export function openKafka(connection: KafkaConnection, { logger }: { readonly logger: Logger }): KafkaClient {
  return new KafkajsClient(connection, logger);
}

class KafkajsClient implements KafkaClient {
  readonly #connection: KafkaConnection;
  readonly #logger: Logger;
  readonly #admin: KafkajsAdmin;
  readonly #consumers = new Set<GroupConsumer>();
  readonly #producers = new Set<KafkaProducer>();

  constructor(connection: KafkaConnection, logger: Logger) {
    this.#connection = connection;
    this.#logger = logger;
    this.#admin = new KafkajsAdmin(connection);
  }

  get admin(): KafkaAdmin {
    return this.#admin;
  }

  async consume(options: ConsumeOptions): Promise<KafkaConsumer> {
    const consumer = new GroupConsumer(this.#connection, this.#admin, options, this.#logger);
    this.#consumers.add(consumer);
    await consumer.start();
    return consumer;
  }

  async producer({ transactionalId, ...options }: ProducerOptions): Promise<KafkaProducer> {
    if (transactionalId !== undefined) {
      const holder = await TransactionalProducer.open(this.#connection, { ...options, transactionalId });
      this.#producers.add(holder);
      return holder;
    }
    const producer = new PartitionedProducer(this.#connection, this.#admin, options, this.#logger);
    this.#producers.add(producer);
    await producer.start();
    return producer;
  }

  async close(): Promise<void> {
    const open = [...[...this.#consumers].map((consumer) => consumer.stop()), ...[...this.#producers].map((one) => one.close())];
    await atMost(CLOSE_MS, Promise.all(open));
    await this.#admin.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
