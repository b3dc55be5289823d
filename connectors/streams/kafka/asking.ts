import { silentLogger } from '@aorta/runtime';
import { type StreamName, streamNames } from '@aorta/schemas';
import { groupMembers } from '../../group-member.ts';
import type { KafkaAdmin, KafkaConnection } from '../../kafka-client/index.ts';
import type { StreamLogAt, StreamLogState, WorkingGroups } from '../../stream-log-adapter.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { groupOf, topicOf } from './topics.ts';

/** How long brokers may take, if that is less than usual. */
type Patience = Pick<KafkaConnection, 'connectMs' | 'requestMs'>;

/** Where the topics are, and as whom they are asked. */
export type TopicsAt = Pick<StreamLogAt<KafkaStreamsSettings>, 'settings' | 'clientId'>;

/** Asks the cluster that holds the streams, and leaves it again. */
export async function askTopics<T>(
  { settings, clientId }: TopicsAt,
  ask: (admin: KafkaAdmin) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  // Loaded by those alone who have topics.
  const { openKafka } = await import('../../kafka-client/index.ts');
  await using client = openKafka({ ...streamsConnection(settings, clientId), ...patience }, { logger: silentLogger });
  return await ask(client.admin);
}

/** A partition of a stream's topic, and how far the loader has carried it. */
export interface PartitionFacts {
  readonly stream: StreamName;
  readonly partition: number;
  /** First position that the topic still has, and the one after its last record. */
  readonly start: number;
  readonly end: number;
  /** Where the loader's group stands, as it last committed; null if it never did. */
  readonly position: number | null;
  readonly lag: number;
  /** Which worker has it, by the name it gave the brokers; null if none has. */
  readonly worker: string | null;
}

type LoadedPartitions = Pick<StreamLogState<string>, 'members'> & { readonly partitions: readonly PartitionFacts[] };

/** Every partition of the streams that holds records or has held some, as a group has loaded it. Topics that are missing have none. */
export async function partitionsOf(at: TopicsAt, group: string, patience?: Patience): Promise<readonly PartitionFacts[]> {
  return (await askTopics(at, (admin) => loadedBy(admin, at.settings, group, ''), patience)).partitions;
}

/** How far a group has loaded the streams, and the members of all groups that share them and the work on them. */
export function stateOf<Part extends string>(
  at: TopicsAt,
  group: string,
  groups: WorkingGroups<Part>,
): Promise<StreamLogState<Part>> {
  return askTopics(at, async (admin) => {
    const [loading, ...rest] = await Promise.all([
      loadedBy(admin, at.settings, group, groups.loading),
      // Their partitions mean something to the group alone: shares of the work, and streams that are heard beside.
      ...groups.others.map(async (one) =>
        groupMembers(await admin.members(groupOf(at.settings, one.group))).map((member) => ({
          part: one.part,
          group: one.group,
          ...member,
        })),
      ),
    ]);
    const streams = [...Map.groupBy(loading.partitions, ({ stream }) => stream)].map(([stream, partitions]) => {
      const records = partitions.reduce((sum, { start, end }) => sum + end - start, 0);
      const lag = partitions.reduce((sum, one) => sum + one.lag, 0);
      return { stream, records, landed: records - lag, lag };
    });
    return { streams, members: [...(loading.members as StreamLogState<Part>['members']), ...rest.flat()] };
  });
}

async function loadedBy(
  admin: KafkaAdmin,
  settings: KafkaStreamsSettings,
  group: string,
  part: string,
): Promise<LoadedPartitions> {
  const present = new Set(await admin.topics());
  const found = await admin.members(groupOf(settings, group));
  const workers = new Map<string, string>();
  for (const { client, partitions } of found)
    for (const { topic, partition } of partitions) workers.set(`${topic}/${partition}`, client);
  const facts = new Map<string, PartitionFacts>();
  const ofStream = async (stream: StreamName): Promise<void> => {
    const topic = topicOf(settings, stream);
    if (!present.has(topic)) return;
    const [bounds, committed] = await Promise.all([admin.bounds(topic), admin.committed(groupOf(settings, group), topic)]);
    for (const [partition, { low, end }] of bounds.entries()) {
      if (end === 0) continue;
      const position = committed[partition] ?? null;
      const worker = workers.get(`${topic}/${partition}`) ?? null;
      const lag = end - Math.max(low, position ?? low);
      facts.set(`${topic}/${partition}`, { stream, partition, start: low, end, position, lag, worker });
    }
  };
  await Promise.all(streamNames.map(ofStream));
  const members = groupMembers(found, ({ topic, partition }) => {
    const one = facts.get(`${topic}/${partition}`);
    return one === undefined ? undefined : { of: one.stream, partition, lag: one.lag };
  });
  const partitions = [...facts.values()].sort((a, b) =>
    a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.partition - b.partition,
  );
  return { partitions, members: members.map((member) => ({ part, group, ...member })) };
}
