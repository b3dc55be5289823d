import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AssignedPartition,
  ConsumeOptions,
  KafkaAdmin,
  KafkaClient,
  KafkaConsumer,
  KafkaProducer,
  KafkaRecord,
  LogBounds,
  ProducedRecord,
  TopicPartition,
  TopicSettings,
} from '../client/client.ts';
import { KafkaError } from '../client/errors.ts';

/** Maximum time, in milliseconds, that a rebalance waits for `onRelease`. */
const RELEASE_MS = 300;

interface Log {
  low: number;
  end: number;
  records: KafkaRecord[];
  /** The offset at which an open transaction holds the partition. */
  held?: number;
}

const stableOf = ({ held, end }: Log): number => held ?? end;

/** Simulates a Kafka cluster in memory, for situations that a real cluster does not produce on demand. */
export class MemoryKafka {
  readonly logs = new Map<string, Log[]>();
  readonly declared = new Map<string, TopicSettings>();
  readonly #committed = new Map<string, number>();
  readonly #groups = new Map<string, Member[]>();
  /** The producer that holds each transactional id. */
  readonly #holders = new Map<string, symbol>();
  /** Names of the calls that had an effect. */
  readonly calls: string[] = [];
  /** Awaited before a produce call takes effect. If it throws, the produce call fails. */
  beforeProduce: (to: TopicPartition) => Promise<void> = async () => {};
  /** Number of offsets to skip before each record that is produced from now on. */
  gaps = 0;
  /** While true, members receive no records. */
  held = false;
  commitFails = false;

  client(name = 'client'): KafkaClient {
    const members = new Set<Member>();
    const close = async (): Promise<void> => {
      for (const member of members) await member.stop();
    };
    return {
      consume: async (options) => {
        const member = new Member(this, name, options);
        members.add(member);
        const group = this.#groups.get(options.group) ?? [];
        group.push(member);
        this.#groups.set(options.group, group);
        await this.share(options.group);
        return member;
      },
      producer: async ({ transactionalId }) => this.#producer(transactionalId),
      admin: this.#admin(),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  create({ topic, partitions, ...rest }: TopicSettings): void {
    this.declared.set(topic, { topic, partitions, ...rest });
    this.logs.set(
      topic,
      Array.from({ length: partitions }, () => ({ low: 0, end: 0, records: [] })),
    );
  }

  /** Drops the records before offset `low`, as retention does. */
  dropBefore(topic: string, partition: number, low: number): void {
    const log = this.logs.get(topic)![partition]!;
    log.low = low;
    log.records = log.records.filter(({ offset }) => offset >= low);
  }

  put(to: TopicPartition, { key, value, headers = [] }: ProducedRecord): number {
    const log = this.logs.get(to.topic)![to.partition]!;
    const offset = log.end + this.gaps;
    log.records.push({ offset, key, value, headers, timestamp: 0 });
    log.end = offset + 1;
    return offset;
  }

  /** Revokes all partitions of a group and assigns them again, round-robin. */
  async share(group: string): Promise<void> {
    const members = this.#groups.get(group) ?? [];
    const partitions = [...this.logs]
      .filter(([topic]) => members.some(({ options }) => options.topics.includes(topic)))
      .flatMap(([topic, logs]) => logs.map((_, partition) => ({ topic, partition })));
    for (const member of members) await member.give([]);
    for (const [index, member] of members.entries())
      await member.give(partitions.filter((_, at) => at % members.length === index));
  }

  async leave(group: string, member: Member): Promise<void> {
    const members = this.#groups.get(group) ?? [];
    this.#groups.set(
      group,
      members.filter((one) => one !== member),
    );
    await member.give([]);
    await this.share(group);
  }

  committed(group: string, { topic, partition }: TopicPartition): number | undefined {
    return this.#committed.get(`${group} ${topic}/${partition}`);
  }

  commit(group: string, { topic, partition }: TopicPartition, next: number): void {
    if (this.commitFails) throw new Error('not reachable');
    this.#committed.set(`${group} ${topic}/${partition}`, next);
  }

  deliver(): void {
    if (this.held) return;
    for (const members of this.#groups.values()) for (const member of members) member.deliver();
  }

  /** `id`: the transactional id, which the new producer takes over. */
  #producer(id: string | undefined): KafkaProducer {
    const holder = Symbol(id);
    if (id !== undefined) this.#holders.set(id, holder);
    return {
      produce: async (to, records) => {
        await this.beforeProduce(to);
        if (id !== undefined && this.#holders.get(id) !== holder)
          throw new KafkaError('AORTA-KAFKA-FAILED', { doing: 'write records', reason: 'INVALID_PRODUCER_EPOCH' });
        this.calls.push(`produce ${to.topic}/${to.partition} ${records.length}`);
        const offsets = records.map((record) => this.put(to, record));
        setImmediate(() => this.deliver());
        return offsets[0]!;
      },
      close: async () => {},
    };
  }

  #admin(): KafkaAdmin {
    const bounds = (topic: string): LogBounds[] =>
      this.logs.get(topic)!.map((log) => ({ low: log.low, stable: stableOf(log), end: log.end }));
    return {
      topics: async () => [...this.logs.keys()].sort(),
      partitions: async (topic) => this.logs.get(topic)?.length,
      bounds: async (topic) => bounds(topic),
      timestampAt: async () => undefined,
      since: async (topic) => bounds(topic).map(({ low }) => low),
      committed: async (group, topic) => this.logs.get(topic)!.map((_, partition) => this.committed(group, { topic, partition })),
      commits: async () => [],
      reset: async () => {},
      removeMembers: async () => 0,
      members: async (group) =>
        (this.#groups.get(group) ?? []).map((member) => ({
          client: member.name,
          host: '127.0.0.1',
          partitions: member.assigned(),
        })),
      settings: async (topic) => new Map(Object.entries(this.declared.get(topic)?.settings ?? {})),
      create: async (topic) => {
        if (this.logs.has(topic.topic)) return false;
        this.create(topic);
        return true;
      },
      addPartitions: async (topic, partitions) => {
        const logs = this.logs.get(topic)!;
        while (logs.length < partitions) logs.push({ low: 0, end: 0, records: [] });
        for (const group of this.#groups.keys()) await this.share(group);
      },
    };
  }
}

interface Held {
  readonly partition: AssignedPartition;
  readonly lost: AbortController;
  next: number;
  paused: boolean;
}

class Member implements KafkaConsumer {
  readonly name: string;
  readonly options: ConsumeOptions;
  readonly #kafka: MemoryKafka;
  #held: Held[] = [];
  #stopped = false;

  constructor(kafka: MemoryKafka, name: string, options: ConsumeOptions) {
    this.#kafka = kafka;
    this.name = name;
    this.options = options;
  }

  assigned(): readonly AssignedPartition[] {
    return this.#held.map(({ partition }) => partition);
  }

  async give(partitions: readonly TopicPartition[]): Promise<void> {
    const had = this.#held;
    if (had.length > 0) {
      const released = this.options.onRelease?.(had.map(({ partition }) => partition));
      await Promise.race([released, sleep(RELEASE_MS, undefined, { ref: false })]);
    }
    this.#held = [];
    for (const { lost } of had) lost.abort();
    for (const at of partitions) {
      const lost = new AbortController();
      const log = this.#kafka.logs.get(at.topic)![at.partition]!;
      const { low, end } = log;
      const held: Held = {
        lost,
        next: 0,
        paused: false,
        partition: {
          ...at,
          low,
          stable: stableOf(log),
          end,
          committed: this.#kafka.committed(this.options.group, at),
          lost: lost.signal,
          pause: () => {
            this.#kafka.calls.push(`pause ${at.topic}/${at.partition}`);
            held.paused = true;
          },
          resume: () => {
            this.#kafka.calls.push(`resume ${at.topic}/${at.partition}`);
            held.paused = false;
            setImmediate(() => this.deliver());
          },
          commit: async (next) => {
            if (lost.signal.aborted) return false;
            this.#kafka.commit(this.options.group, at, next);
            return true;
          },
        },
      };
      held.next = await this.options.onAssigned(held.partition);
      if (held.next < low || held.next > end) {
        this.options.onFailure(new Error('out of range'));
        return;
      }
      this.#held.push(held);
    }
    setImmediate(() => this.#kafka.deliver());
  }

  /** Delivers records in batches of ten. */
  deliver(): void {
    for (const held of this.#held) {
      const { topic, partition } = held.partition;
      const log = this.#kafka.logs.get(topic)?.[partition];
      while (log !== undefined && held.next < stableOf(log) && !held.paused && !this.#stopped && !held.lost.signal.aborted) {
        const stable = stableOf(log);
        const records = log.records.filter(({ offset }) => offset >= held.next && offset < stable).slice(0, 10);
        const next = records.length === 0 ? stable : records.at(-1)!.offset + 1;
        const bytes = records.reduce((sum, { key, value }) => sum + (key?.length ?? 0) + (value?.length ?? 0), 0);
        held.next = next;
        this.options.onBatch(held.partition, { records, next, stable, bytes });
      }
    }
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#kafka.leave(this.options.group, this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
