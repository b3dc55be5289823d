import type {
  AssignedPartition,
  ConsumeOptions,
  KafkaAdmin,
  KafkaBatch,
  KafkaClient,
  KafkaConsumer,
  KafkaRecord,
} from '../client/client.ts';

interface Partition {
  low: number;
  records: KafkaRecord[];
  end: number;
  /** The offset at which an open transaction holds the partition. */
  held?: number;
}

const stableOf = ({ held, end }: Partition): number => held ?? end;

/**
 * An in-memory cluster for one consumer. Tests trigger the rebalances and failures that occur unpredictably in a real
 * cluster. It implements the client interface, not the protocol.
 */
export class MemoryKafka {
  readonly topics = new Map<string, Partition[]>();
  readonly commits = new Map<string, { readonly next: number; readonly note: string | undefined }>();
  /** Called and awaited before each commit. If the promise rejects, the commit fails. */
  beforeCommit: () => Promise<void> = async () => {};
  /** Called and awaited before each answer of the admin client. */
  beforeAnswer: () => Promise<void> = async () => {};
  consumer: MemoryConsumer | undefined;
  batchRecords = 10;
  /** Whether commit metadata is stored. Event Hubs may not store it. */
  keepsNotes = true;

  constructor(topics: Readonly<Record<string, number>>) {
    for (const [topic, partitions] of Object.entries(topics)) {
      this.topics.set(
        topic,
        Array.from({ length: partitions }, () => ({ low: 0, records: [], end: 0 })),
      );
    }
  }

  append(topic: string, partition: number, parts: readonly Partial<KafkaRecord>[]): void {
    const log = this.topics.get(topic)![partition]!;
    for (const part of parts) {
      log.records.push({
        timestamp: 1_700_000_000_000,
        key: null,
        value: Buffer.from('{}'),
        headers: [],
        ...part,
        offset: log.end,
      });
      log.end += 1;
    }
    this.consumer?.pump();
  }

  /** Removes the records before the offset, as retention does. */
  trim(topic: string, partition: number, low: number): void {
    const log = this.topics.get(topic)![partition]!;
    log.low = low;
    log.records = log.records.filter(({ offset }) => offset >= low);
  }

  committed(group: string, topic: string, partition: number): number | undefined {
    return this.commits.get(`${group} ${topic}/${partition}`)?.next;
  }

  client(): KafkaClient {
    return {
      admin: this.#admin(),
      consume: async (options) => {
        const consumer = new MemoryConsumer(this, options);
        this.consumer = consumer;
        await consumer.assign();
        return consumer;
      },
      producer: async () => ({
        produce: async ({ topic, partition }, records) => {
          this.append(topic, partition, records);
          return this.topics.get(topic)![partition]!.end;
        },
        close: async () => {},
      }),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
  }

  #admin(): KafkaAdmin {
    const answer = async <T>(give: () => T): Promise<T> => {
      await this.beforeAnswer();
      return give();
    };
    const none = () => Promise.reject(new Error('not implemented'));
    return {
      topics: () => answer(() => [...this.topics.keys()].sort()),
      partitions: (topic) => answer(() => this.topics.get(topic)?.length),
      bounds: (topic) =>
        answer(() => this.topics.get(topic)!.map((log) => ({ low: log.low, stable: stableOf(log), end: log.end }))),
      timestampAt: ({ topic, partition }, offset) =>
        answer(() => this.topics.get(topic)![partition]!.records.find((record) => record.offset >= offset)?.timestamp),
      since: (topic, time) =>
        answer(() =>
          this.topics.get(topic)!.map(({ records, end }) => records.find(({ timestamp }) => timestamp >= time)?.offset ?? end),
        ),
      committed: (group, topic) =>
        answer(() => this.topics.get(topic)!.map((_, partition) => this.committed(group, topic, partition))),
      commits: (group, topic) =>
        answer(() => this.topics.get(topic)!.map((_, partition) => this.commits.get(`${group} ${topic}/${partition}`))),
      reset: none,
      members: none,
      removeMembers: none,
      settings: none,
      create: none,
      addPartitions: none,
    };
  }
}

export class MemoryConsumer implements KafkaConsumer {
  readonly #kafka: MemoryKafka;
  readonly options: ConsumeOptions;
  #assigned: { readonly assigned: AssignedPartition; next: number; paused: boolean; readonly losing: AbortController }[] = [];

  constructor(kafka: MemoryKafka, options: ConsumeOptions) {
    this.#kafka = kafka;
    this.options = options;
  }

  assigned(): readonly AssignedPartition[] {
    return this.#assigned.map(({ assigned }) => assigned);
  }

  /** Assigns every partition of every subscribed topic. */
  async assign(): Promise<void> {
    const { group, topics, except, onAssigned } = this.options;
    const left = except?.([...this.#kafka.topics.keys()]);
    for (const [topic, partitions] of this.#kafka.topics) {
      if (left?.has(topic) || !topics.some((one) => (typeof one === 'string' ? one === topic : one.test(topic)))) continue;
      for (const [partition, log] of partitions.entries()) {
        const { low, end } = log;
        const key = `${group} ${topic}/${partition}`;
        const losing = new AbortController();
        const committed = this.#kafka.commits.get(key);
        const assigned: AssignedPartition = {
          topic,
          partition,
          committed: committed?.next,
          note: committed?.note,
          low,
          stable: stableOf(log),
          end,
          lost: losing.signal,
          pause: () => {
            held.paused = true;
          },
          resume: () => {
            held.paused = false;
            setImmediate(() => this.pump());
          },
          commit: async (next, note) => {
            if (losing.signal.aborted) return false;
            await this.#kafka.beforeCommit();
            this.#kafka.commits.set(key, { next, note: this.#kafka.keepsNotes ? note : undefined });
            return true;
          },
        };
        const held = { assigned, next: 0, paused: false, losing };
        held.next = await onAssigned(assigned);
        if (held.next < low || held.next > end) throw new RangeError(`${held.next} is not in the log`);
        this.#assigned.push(held);
      }
    }
    setImmediate(() => this.pump());
  }

  /** Delivers the available records of all partitions that are not paused. */
  pump(): void {
    for (const held of this.#assigned) {
      const { assigned, losing } = held;
      const log = this.#kafka.topics.get(assigned.topic)![assigned.partition]!;
      while (!held.paused && !losing.signal.aborted && held.next < stableOf(log)) {
        const readable = log.records.filter(({ offset }) => offset < stableOf(log));
        const records = readable.filter(({ offset }) => offset >= held.next).slice(0, this.#kafka.batchRecords);
        const next = (records.at(-1)?.offset ?? stableOf(log) - 1) + 1;
        const bytes = records.reduce((sum, { key, value }) => sum + (key?.length ?? 0) + (value?.length ?? 0), 0);
        const batch: KafkaBatch = { records, next, stable: stableOf(log), bytes };
        held.next = next;
        this.options.onBatch(assigned, batch);
      }
    }
  }

  /** Revokes all partitions, like an eager rebalance, without reassigning them. */
  async revoke(): Promise<void> {
    await this.options.onRelease?.(this.assigned());
    this.lose();
  }

  lose(): void {
    for (const { losing } of this.#assigned.splice(0)) losing.abort();
  }

  async stop(): Promise<void> {
    this.lose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
