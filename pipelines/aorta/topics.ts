import { GROUP } from '@aorta/jobs';
import type { KafkaAdmin, KafkaConnection } from '@aorta/kafka-client';
import { type StreamName, streamNames } from '@aorta/schemas';
import { groupOf, type KafkaStreamsSettings, streamsConnection, topicOf } from '@aorta/streams';
import { silentLogger } from '@aorta/telemetry';
import { lookerName } from './reading.ts';

/** How long brokers may take, where that is less than usual. */
type Patience = Pick<KafkaConnection, 'connectMs' | 'requestMs'>;

/** Asks the cluster that holds the streams, and leaves it again. */
export async function askTopics<T>(
  settings: KafkaStreamsSettings,
  ask: (admin: KafkaAdmin) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  // Loaded by those alone who have topics.
  const { openKafka } = await import('@aorta/kafka-client');
  const client = openKafka({ ...streamsConnection(settings, lookerName()), ...patience }, { logger: silentLogger });
  try {
    return await ask(client.admin);
  } finally {
    await client.close();
  }
}

/** A partition of a stream's topic, and how far the jobs have carried it. */
export interface PartitionFacts {
  readonly stream: StreamName;
  readonly partition: number;
  /** First position that the topic still has, and the one after its last record. */
  readonly start: number;
  readonly end: number;
  /** Where the group of the jobs stands, as it last committed; null where it never did. */
  readonly position: number | null;
  readonly lag: number;
  /** Which worker has it, by the name it gave the brokers; null where nobody has. */
  readonly worker: string | null;
}

/** Every partition of the streams that holds records or has held some. Topics that are not there have none. */
export function partitionsOf(settings: KafkaStreamsSettings, patience?: Patience): Promise<readonly PartitionFacts[]> {
  const ask = async (admin: KafkaAdmin): Promise<readonly PartitionFacts[]> => {
    const present = new Set(await admin.topics());
    const workers = new Map<string, string>();
    for (const { client, partitions } of await admin.members(groupOf(settings, GROUP)))
      for (const { topic, partition } of partitions) workers.set(`${topic}/${partition}`, client);
    const ofStream = async (stream: StreamName): Promise<PartitionFacts[]> => {
      const topic = topicOf(settings, stream);
      if (!present.has(topic)) return [];
      const [bounds, committed] = await Promise.all([admin.bounds(topic), admin.committed(groupOf(settings, GROUP), topic)]);
      return bounds.map(({ low, end }, partition) => {
        const position = committed[partition] ?? null;
        const worker = workers.get(`${topic}/${partition}`) ?? null;
        return { stream, partition, start: low, end, position, lag: end - Math.max(low, position ?? low), worker };
      });
    };
    const all = (await Promise.all(streamNames.map(ofStream))).flat().filter(({ end }) => end > 0);
    return all.sort((a, b) => (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.partition - b.partition));
  };
  return askTopics(settings, ask, patience);
}
