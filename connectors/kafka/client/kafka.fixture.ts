import { silentLogger } from '@aorta/runtime';
import { Kafka, logLevel } from 'kafkajs';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type {
  AssignedPartition,
  ConsumeOptions,
  KafkaBatch,
  KafkaClient,
  KafkaConnection,
  KafkaConsumer,
  LogBounds,
} from './client.ts';
import { openKafka } from './open.ts';

let names = 0;

/** Returns a name that is unique in this run. */
export const fresh = (what: string): string => `${what}-${process.pid}-${++names}`;

export function clientOf(brokers: readonly string[], settings: Partial<KafkaConnection> = {}): KafkaClient {
  return openKafka({ brokers, clientId: 'test', connectMs: 2_000, requestMs: 5_000, ...settings }, { logger: silentLogger });
}

/** Returns the unmodified library, for operations that our client does not offer. */
export function bareKafka(brokers: readonly string[], retries = 5): Kafka {
  return new Kafka({
    clientId: 'bare',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 50, maxRetryTime: 1_000, retries },
  });
}

/** Everything that a consumer reported, in order. */
export interface RecordedConsumer {
  readonly consumer: KafkaConsumer;
  readonly assigned: AssignedPartition[];
  readonly batches: { readonly from: AssignedPartition; readonly batch: KafkaBatch }[];
  readonly released: AssignedPartition[];
  readonly incidents: string[];
  readonly failures: Error[];
  values(partition?: number): (string | undefined)[];
  offsets(partition?: number): number[];
}

type Wishes = Partial<ConsumeOptions> & Pick<ConsumeOptions, 'group' | 'topics'>;

/** Starts a consumer at the group's committed offsets, or at the beginning if there are none. It does not commit by itself. */
export async function read(client: KafkaClient, wishes: Wishes): Promise<RecordedConsumer> {
  const told: Omit<RecordedConsumer, 'consumer'> = {
    assigned: [],
    batches: [],
    released: [],
    incidents: [],
    failures: [],
    values: (partition = 0) => recordsOf(partition).map(({ value }) => value?.toString()),
    offsets: (partition = 0) => recordsOf(partition).map(({ offset }) => offset),
  };
  const recordsOf = (partition: number) =>
    told.batches.filter(({ from }) => from.partition === partition).flatMap(({ batch }) => batch.records);
  const consumer = await client.consume({
    sessionMs: 6_000,
    ...wishes,
    onAssigned: async (partition) => {
      told.assigned.push(partition);
      return (await wishes.onAssigned?.(partition)) ?? partition.committed ?? partition.low;
    },
    onBatch: (from, batch) => {
      told.batches.push({ from, batch });
      wishes.onBatch?.(from, batch);
    },
    onRelease: async (partitions) => {
      told.released.push(...partitions);
      await wishes.onRelease?.(partitions);
    },
    onFailure: (error) => told.failures.push(error),
    onIncident: (incident) => told.incidents.push(incident),
  });
  return Object.assign(told, { consumer });
}

/**
 * Waits until no transaction is open in the first partition of a topic, and returns the end of its log. The brokers acknowledge
 * the end of a transaction before they write its marker.
 */
export async function endOfTransactions(client: KafkaClient, topic: string): Promise<number> {
  const bounds = async (): Promise<LogBounds> => (await client.admin.bounds(topic))[0]!;
  return (await until('the marker of the last transaction', bounds, ({ stable, end }) => stable === end)).end;
}

export async function write(client: KafkaClient, topic: string, values: readonly string[], partition = 0): Promise<void> {
  const producer = await client.producer({});
  try {
    await producer.produce(
      { topic, partition },
      values.map((value) => ({ key: null, value: Buffer.from(value) })),
    );
  } finally {
    await producer.close();
  }
}
