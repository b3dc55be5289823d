import { join } from 'node:path';
import type { KafkaClient } from '@aorta/connectors/kafka/client';
import { applyTopics, type KafkaStreamsSettings, kafkaStreamsOptions } from '@aorta/connectors/kafka/streams';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { MeasuredBroker } from './broker.ts';
import { CALL_RECORDS, inCalls, PARTITIONS, READ, summary } from './summaries.ts';

export const program = (name: string): string => join(import.meta.dirname, `${name}.process.ts`);

/** The broker and the folder of a bench. Generates unique names for topics, groups and folders. */
export class Cluster {
  readonly topic = 'summaries';
  readonly broker: MeasuredBroker;
  readonly #client: KafkaClient;
  readonly #folder: string;
  #names = 0;

  constructor(broker: MeasuredBroker, client: KafkaClient, folder: string) {
    this.broker = broker;
    this.#client = client;
    this.#folder = folder;
  }

  get brokers(): readonly string[] {
    return this.broker.brokers;
  }

  fresh(what: string): string {
    this.#names += 1;
    return `${what}-${this.#names}`;
  }

  freshFolder(what: string): string {
    return join(this.#folder, this.fresh(what));
  }

  /** Returns the options for reading all summaries with a new group. */
  read() {
    return { brokers: this.brokers, topic: this.topic, group: this.fresh('group'), events: READ };
  }

  async made(what: string): Promise<string> {
    const topic = this.fresh(what);
    await this.#client.admin.create({ topic, partitions: PARTITIONS });
    return topic;
  }

  /** Waits until a group has this many members, all with the same number of partitions. */
  async shared(group: string, members: number): Promise<void> {
    await until(
      `${members} members of ${group}`,
      () => this.#client.admin.members(group),
      (all) => all.length === members && all.every(({ partitions }) => partitions.length === PARTITIONS / members),
    );
  }

  /** Creates a topic with this many partitions for each stream. The number of partitions is part of the topic names. */
  async streams(partitions: number): Promise<KafkaStreamsSettings> {
    const prefix = `streams-of-${partitions}.`;
    const settings = kafkaStreamsOptions.parse({ type: 'kafka', brokers: [...this.brokers], prefix, partitions });
    await applyTopics(this.#client.admin, settings);
    return settings;
  }
}

export async function fill(client: KafkaClient, topic: string): Promise<void> {
  await client.admin.create({ topic, partitions: PARTITIONS });
  const producer = await client.producer({});
  for (let from = 0; from < READ; from += PARTITIONS * CALL_RECORDS) {
    const records = Array.from({ length: PARTITIONS * CALL_RECORDS }, (_, index) => summary(from + index));
    await inCalls(records, (partition, some) => producer.produce({ topic, partition }, some));
  }
  await producer.close();
}
