import { setTimeout as sleep } from 'node:timers/promises';
import { type BrokerFaults, provideBroker } from '@aorta/kafka-broker';
import { bareKafka } from '../../../connectors/kafka-client/kafka.fixture.ts';
import { partitionOfKey } from '../../../connectors/streams/kafka/key.ts';
import type { Ground } from '../stage/stage.ts';
import { walkerOf } from '../stage/steps.ts';
import { logOfTopic } from './log-of-topic.ts';
import { TOPIC } from './topic-name.ts';

type Admin = ReturnType<ReturnType<typeof bareKafka>['admin']>;

/** The group that reads it. */
export const GROUP = 'aorta';
/** Where those who walk end up, if streams are topics. */
const STREAM = 'timeseries';
/** So long a broker that is back may take to lead its partitions, in milliseconds. */
const LEADS_WITHIN_MS = 10_000;

/** What has the topics: one broker, or several. */
export interface Brokers {
  /** `host:port` for clients of the test, which do not log in. */
  readonly brokers: readonly string[];
  /** Of one broker. */
  readonly faults?: BrokerFaults | undefined;
  stop(): Promise<void>;
}

/** Brokers of its own with one topic, which may be gone for a while and come back with what they held. */
export class Topic implements Ground {
  /** Partitions of every stream's topic, where streams are topics. */
  readonly streams: number | undefined;
  /** How machines reach the brokers: options of a source, and of streams. */
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

  /** On brokers that are there, and are its own from now on. */
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
    const landing = this.#streamPartitions().map((partition) => `jobs ${STREAM}/${partition}`);
    return [...this.#all().map((id) => `${TOPIC}/${id}`), ...landing];
  }

  /** kill -9, and the same broker again at the same port after so many milliseconds; gives for how long it was away. */
  async away(milliseconds: number): Promise<number> {
    const begun = performance.now();
    await this.#faults.kill();
    await sleep(milliseconds);
    await this.#faults.restart();
    return performance.now() - begun;
  }

  /** For so many milliseconds it accepts connections, and never answers; gives for how long. */
  async frozen(milliseconds: number): Promise<number> {
    const begun = performance.now();
    await this.#faults.freeze();
    await sleep(milliseconds);
    await this.#faults.thaw();
    return performance.now() - begun;
  }

  /** Adds partitions; gives the names of those that are new. */
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
    for (const { partition, high } of landed) ends.set(`jobs ${STREAM}/${partition}`, Number(high));
    return ends;
  }

  /** The offsets that the group has committed, by partition. */
  async committed(): Promise<Map<number, number>> {
    const [offsets] = await this.#ask((admin) => admin.fetchOffsets({ groupId: GROUP, topics: [TOPIC] }));
    return new Map(offsets!.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  }

  /** Records of all streams, where streams are topics. */
  async streamRecords(): Promise<number> {
    return await this.#ask(async (admin) => {
      const streams = (await admin.listTopics()).filter((name) => /^aorta\.[^_]/.test(name));
      let records = 0;
      // One after the other: asked for several topics at once, the library gives some of them no partitions.
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

  /** Those of the stream that somebody walks in: of the others nothing is due. */
  #streamPartitions(): number[] {
    const { streams } = this;
    if (streams === undefined) return [];
    return [...new Set(this.#all().map((id) => partitionOfKey(Buffer.from(walkerOf(id)), streams)))];
  }

  /**
   * Asked over a connection of its own each time: whoever was there before a fault may not have noticed it yet. A broker
   * that is back leads its partitions a moment later: what it calls passing is asked again until then.
   */
  async #ask<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const deadline = performance.now() + LEADS_WITHIN_MS;
    const admin = bareKafka(this.brokers).admin();
    await admin.connect();
    try {
      for (;;) {
        try {
          return await ask(admin);
        } catch (error) {
          if ((error as { retriable?: boolean }).retriable !== true || performance.now() > deadline) throw error;
          await sleep(100);
        }
      }
    } finally {
      await admin.disconnect();
    }
  }
}
