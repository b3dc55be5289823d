import { GROUP, MERGES } from '@aorta/jobs';
import type { KafkaAdmin, KafkaConnection } from '@aorta/kafka-client';
import { type StreamName, streamNames } from '@aorta/schemas';
import { groupOf, type KafkaStreamsSettings, streamsConnection, topicOf } from '@aorta/streams';
import { silentLogger } from '@aorta/telemetry';
import { fetchingGroups } from './fetching.ts';
import { lookerName } from './reading.ts';
import { type GroupMember, groupMembers } from './workers/group-members.ts';
import { INGESTION } from './workers/ingestion-group.ts';

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
export async function partitionsOf(settings: KafkaStreamsSettings, patience?: Patience): Promise<readonly PartitionFacts[]> {
  return (await askTopics(settings, (admin) => loadingOf(admin, settings), patience)).partitions;
}

/** How far the streams are loaded, and the members of all groups that share them and the work on them. */
export interface TopicsState {
  readonly partitions: readonly PartitionFacts[];
  readonly members: readonly GroupMember[];
}

/** {@link TopicsState}, as the brokers tell it. */
export function topicsStateOf(settings: KafkaStreamsSettings): Promise<TopicsState> {
  return askTopics(settings, async (admin) => {
    const others = [
      [INGESTION, 'ingestion'] as const,
      [MERGES, 'merging'] as const,
      ...fetchingGroups.map((group) => [group, 'enrichment'] as const),
    ];
    const [loading, ...rest] = await Promise.all([
      loadingOf(admin, settings),
      // Their partitions mean something to the group alone: shares of the work, and streams that are heard beside.
      ...others.map(async ([group, part]) => groupMembers(part, group, await admin.members(groupOf(settings, group)))),
    ]);
    return { partitions: loading.partitions, members: [...loading.members, ...rest.flat()] };
  });
}

async function loadingOf(admin: KafkaAdmin, settings: KafkaStreamsSettings): Promise<TopicsState> {
  const present = new Set(await admin.topics());
  const found = await admin.members(groupOf(settings, GROUP));
  const workers = new Map<string, string>();
  for (const { client, partitions } of found)
    for (const { topic, partition } of partitions) workers.set(`${topic}/${partition}`, client);
  const facts = new Map<string, PartitionFacts>();
  const ofStream = async (stream: StreamName): Promise<void> => {
    const topic = topicOf(settings, stream);
    if (!present.has(topic)) return;
    const [bounds, committed] = await Promise.all([admin.bounds(topic), admin.committed(groupOf(settings, GROUP), topic)]);
    for (const [partition, { low, end }] of bounds.entries()) {
      if (end === 0) continue;
      const position = committed[partition] ?? null;
      const worker = workers.get(`${topic}/${partition}`) ?? null;
      const lag = end - Math.max(low, position ?? low);
      facts.set(`${topic}/${partition}`, { stream, partition, start: low, end, position, lag, worker });
    }
  };
  await Promise.all(streamNames.map(ofStream));
  const members = groupMembers('loading', GROUP, found, ({ topic, partition }) => {
    const one = facts.get(`${topic}/${partition}`);
    return one === undefined ? undefined : { of: one.stream, partition, lag: one.lag };
  });
  const partitions = [...facts.values()].sort((a, b) =>
    a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.partition - b.partition,
  );
  return { partitions, members };
}
