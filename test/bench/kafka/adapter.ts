import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { silentLogger } from '@aorta/runtime';
import { type Spent, spent } from '../measure.ts';
import type { TopicToRead } from './summaries.ts';
import { inCalls, type Summary, summary } from './summaries.ts';

const clientOf = (brokers: readonly string[]): KafkaClient => openKafka({ brokers, clientId: 'bench' }, { logger: silentLogger });

/** Measures the time that the adapter alone takes from the first batch to the last. Discards the records. */
export async function adapterConsume({ brokers, topic, group, events }: TopicToRead): Promise<Spent> {
  const client = clientOf(brokers);
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let count = 0;
  await client.consume({
    group,
    topics: [topic],
    onAssigned: ({ low }) => low,
    onBatch: (_, { records }) => {
      if (count === 0) begun.resolve();
      count += records.length;
      if (count === events) ended.resolve();
    },
    onFailure: (error) => ended.reject(error),
  });
  await begun.promise;
  const took = await spent(() => ended.promise);
  await client.close();
  return took;
}

let prepared: readonly Summary[] = [];

interface Writing {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly events: number;
  readonly inFlight: number;
}

/** Measures writing with the adapter alone. The 1 KB summaries are prepared before the clock starts, and are not compressed. */
export async function adapterProduce({ brokers, topic, events, inFlight }: Writing): Promise<Spent> {
  if (prepared.length !== events) prepared = Array.from({ length: events }, (_, index) => summary(index));
  const client = clientOf(brokers);
  const producer = await client.producer({ inFlight });
  for (let partition = 0; partition < inFlight; partition++) await producer.produce({ topic, partition }, prepared.slice(0, 1));
  const took = await spent(() => inCalls(prepared, (partition, some) => producer.produce({ topic, partition }, some)));
  await client.close();
  return took;
}
