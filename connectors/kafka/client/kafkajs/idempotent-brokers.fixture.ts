import type { OpenCluster } from './connection.ts';
import type { Broker, Cluster, ProtocolRequest } from './internals.ts';

/** The outcome of one request to a broker. `moved`: the next broker becomes the leader of the partitions in the request. */
export type Fate = 'well' | 'request lost' | 'answer lost' | 'replicas slow' | 'moved' | 'forbidden';

interface Batch {
  readonly producer: string;
  readonly first: number;
  readonly base: number;
  readonly values: readonly string[];
}

interface ProduceValues {
  readonly producerId: string;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly { partition: number; firstSequence: number; messages: readonly { value: Buffer }[] }[];
  }[];
}

const NOT_LEADER = 6;
const TIMED_OUT = 7;
const FORBIDDEN = 29;
const OUT_OF_ORDER = 45;

/**
 * Simulated brokers that check sequence numbers. They acknowledge a repeated batch without writing it again, and refuse a
 * batch that is out of sequence. `fates` lists the outcome of each request, for cases that real brokers do not produce on
 * demand, such as a lost answer. After the last entry, all requests succeed.
 */
export class IdempotentBrokers {
  readonly fates: Fate[];
  /** The batches in each partition's log. All brokers share these logs. */
  readonly #logs = new Map<number, Batch[]>();
  readonly #leaders = new Map<number, number>();
  #producers = 0;

  constructor(fates: readonly Fate[]) {
    this.fates = [...fates];
  }

  values(partition: number): readonly string[] {
    return this.#log(partition).flatMap(({ values }) => values);
  }

  async open(): Promise<OpenCluster> {
    const cluster: Partial<Cluster> = {
      addMultipleTargetTopics: async () => {},
      refreshMetadata: async () => {},
      findLeaderForPartitions: (_, [partition]) => ({ [this.#leader(partition!)]: [partition!] }),
      findBroker: async ({ nodeId }) => this.#broker(Number(nodeId)),
    };
    return { cluster: cluster as Cluster, disconnect: async () => {} };
  }

  #broker(node: number): Broker {
    const answer = (values: ProduceValues): unknown => this.#answer(node, values);
    const broker: Partial<Broker> = {
      initProducerId: async () => ({ producerId: String(++this.#producers), producerEpoch: 0 }),
      lookupRequest: () => (values) => ({ request: values, response: { decode: async () => {}, parse: async () => {} } }),
      connectionPool: { send: async ({ request }: ProtocolRequest) => answer(request as ProduceValues) },
      disconnect: async () => {},
    };
    return broker as Broker;
  }

  #answer(node: number, { producerId, topicData }: ProduceValues): unknown {
    const fate = this.fates.shift() ?? 'well';
    if (fate === 'request lost') throw new Error('lost');
    const topics = topicData.map(({ topic: topicName, partitions }) => ({
      topicName,
      partitions: partitions.map(({ partition, firstSequence, messages }) => {
        if (fate === 'forbidden') return { partition, errorCode: FORBIDDEN, baseOffset: '-1' };
        if (fate === 'moved') this.#leaders.set(partition, node + 1);
        if (this.#leader(partition) !== node) return { partition, errorCode: NOT_LEADER, baseOffset: '-1' };
        const values = messages.map(({ value }) => String(value));
        const written = this.#append(partition, { producer: producerId, first: firstSequence, values });
        return fate === 'replicas slow' ? { partition, errorCode: TIMED_OUT, baseOffset: '-1' } : { partition, ...written };
      }),
    }));
    if (fate === 'answer lost') throw new Error('lost');
    return { topics };
  }

  #append(partition: number, batch: Omit<Batch, 'base'>): { readonly errorCode: number; readonly baseOffset: string } {
    const log = this.#log(partition);
    const last = log.findLast(({ producer }) => producer === batch.producer);
    if (last !== undefined && last.first === batch.first && last.values.length === batch.values.length)
      return { errorCode: 0, baseOffset: String(last.base) };
    const expected = last === undefined ? 0 : last.first + last.values.length;
    if (batch.first !== expected) return { errorCode: OUT_OF_ORDER, baseOffset: '-1' };
    const base = this.values(partition).length;
    log.push({ ...batch, base });
    return { errorCode: 0, baseOffset: String(base) };
  }

  #log(partition: number): Batch[] {
    const log = this.#logs.get(partition) ?? [];
    this.#logs.set(partition, log);
    return log;
  }

  #leader(partition: number): number {
    return this.#leaders.get(partition) ?? partition % 3;
  }
}
