import { setTimeout as sleep } from 'node:timers/promises';
import { type BrokerFaults, provideBroker } from '@aorta/kafka-broker';
import { bareKafka } from '../../../connectors/kafka/client/kafka.fixture.ts';
import { partitionOfKey } from '../../../connectors/kafka/streams/topic-appender.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { LogUnderTest } from '../stage/stage.ts';
import { userOf } from '../stage/steps.ts';
import { logOfTopic } from './log-of-topic.ts';
import { TOPIC } from './topic-name.ts';

type Admin = ReturnType<ReturnType<typeof bareKafka>['admin']>;

/** Consumer group of the machines. */
export const GROUP = 'aorta';
/** The stream that gets the ticker's records, if streams are stored in topics. */
const STREAM = 'timeseries';

/** One or more brokers that a case uses. */
export interface Brokers {
  /** `host:port` of each broker, for the test's own clients, which do not log in. */
  readonly brokers: readonly string[];
  /** Fault injection, which is available only if there is a single broker. */
  readonly faults?: BrokerFaults | undefined;
  stop(): Promise<void>;
}

/** A topic on its own brokers. The brokers can be killed, and still have their records after a restart. */
export class Topic implements LogUnderTest {
  /** Number of partitions in each stream's topic, if streams are stored in topics. */
  readonly streams: number | undefined;
  /** Connection options of the machines, for a source and for streams. */
  readonly access: object;
  readonly #broker: Brokers;
  #partitions: number;

  private constructor(broker: Brokers, access: object, partitions: number, streams: number | undefined) {
    this.#broker = broker;
    this.access = access;
    this.#partitions = partitions;
    this.streams = streams;
  }

  static async start(partitions: number, streams?: number): Promise<Topic> {
    const broker = await provideBroker({ own: true });
    return Topic.on(broker, { brokers: broker.brokers }, partitions, streams);
  }

  /** Creates the topic on running brokers, and takes ownership of them. */
  static async on(broker: Brokers, access: object, partitions: number, streams?: number): Promise<Topic> {
    try {
      const topic = new Topic(broker, access, partitions, streams);
      const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
      await topic.#ask((admin) => admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: partitions, configEntries }] }));
      return topic;
    } catch (error) {
      await broker.stop();
      throw error;
    }
  }

  get brokers(): readonly string[] {
    return this.#broker.brokers;
  }

  get partitions(): number {
    return this.#partitions;
  }

  get names(): readonly string[] {
    const landing = this.#streamPartitions().map((partition) => `loading ${STREAM}/${partition}`);
    return [...this.#all().map((id) => `${TOPIC}/${id}`), ...landing];
  }

  /** Kills the broker with SIGKILL and restarts it after this many milliseconds. Returns the downtime in milliseconds. */
  async away(milliseconds: number): Promise<number> {
    const begun = performance.now();
    await this.#faults.kill();
    await sleep(milliseconds);
    await this.#faults.restart();
    return performance.now() - begun;
  }

  /** Freezes the broker, which then accepts connections without answering. Returns the actual duration in milliseconds. */
  async frozen(milliseconds: number): Promise<number> {
    const begun = performance.now();
    await this.#faults.freeze();
    await sleep(milliseconds);
    await this.#faults.thaw();
    return performance.now() - begun;
  }

  /** Increases the number of partitions to `partitions`, and returns the names of the new partitions. */
  async grow(partitions: number): Promise<string[]> {
    const before = new Set(this.names);
    await this.#ask((admin) => admin.createPartitions({ topicPartitions: [{ topic: TOPIC, count: partitions }] }));
    this.#partitions = partitions;
    return this.names.filter((name) => !before.has(name));
  }

  async ends(): Promise<Map<string, number>> {
    const [taken, landed] = await this.#ask((admin) =>
      Promise.all([admin.fetchTopicOffsets(TOPIC), this.streams === undefined ? [] : admin.fetchTopicOffsets(`aorta.${STREAM}`)]),
    );
    const ends = new Map(taken.map(({ partition, high }) => [`${TOPIC}/${partition}`, Number(high)]));
    for (const { partition, high } of landed) ends.set(`loading ${STREAM}/${partition}`, Number(high));
    return ends;
  }

  /** Returns the committed offsets of the group, by partition. */
  async committed(): Promise<Map<number, number>> {
    const [offsets] = await this.#ask((admin) => admin.fetchOffsets({ groupId: GROUP, topics: [TOPIC] }));
    return new Map(offsets!.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  }

  /** Returns the number of records in all streams, if streams are stored in topics. */
  async streamRecords(): Promise<number> {
    return await this.#ask(async (admin) => {
      const streams = (await admin.listTopics()).filter((name) => /^aorta\.[^_]/.test(name));
      let records = 0;
      // Asks for one topic at a time. If asked for several topics at once, the library returns no partitions for some of them.
      for (const stream of streams) for (const { high } of await admin.fetchTopicOffsets(stream)) records += Number(high);
      return records;
    });
  }

  content(): ReturnType<typeof logOfTopic> {
    return logOfTopic(this.brokers);
  }

  remove(): Promise<void> {
    return this.#broker.stop();
  }

  get #faults(): BrokerFaults {
    return this.#broker.faults!;
  }

  #all(): number[] {
    return Array.from({ length: this.#partitions }, (_, id) => id);
  }

  /** Returns the stream partitions that get the ticker's records. The other partitions get no records during a test. */
  #streamPartitions(): number[] {
    const { streams } = this;
    if (streams === undefined) return [];
    return [...new Set(this.#all().map((id) => partitionOfKey(Buffer.from(userOf(id)), streams)))];
  }

  /** Asks the brokers. A restarted broker does not lead its partitions at once, so retriable errors are retried. */
  async #ask<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const isAnswer = (outcome: object): boolean => 'answer' in outcome;
    const outcome = await until('the brokers to answer the test', () => this.#asked(ask), isAnswer);
    return (outcome as { readonly answer: Answer }).answer;
  }

  /**
   * Returns the answer, or the error if it is retriable. Opens a connection for each call, because an existing connection may
   * not have noticed a fault yet.
   */
  async #asked<Answer>(
    ask: (admin: Admin) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer } | { readonly error: unknown }> {
    const admin = bareKafka(this.brokers).admin();
    await admin.connect();
    try {
      return { answer: await ask(admin) };
    } catch (error) {
      if ((error as { retriable?: boolean }).retriable !== true) throw error;
      return { error };
    } finally {
      await admin.disconnect();
    }
  }
}
