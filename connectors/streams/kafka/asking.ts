import { silentLogger } from '@aorta/runtime';
import { type StreamName, streamNames } from '@aorta/schemas';
import { groupMembers } from '../../group-member.ts';
import type { KafkaAdmin, KafkaConnection } from '../../kafka-client/index.ts';
import type { StreamLogAt, StreamLogState, WorkingGroups } from '../../stream-log-adapter.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { groupOf, topicOf } from './topics.ts';

/** Timeouts that replace the client's longer defaults. */
type Patience = Pick<KafkaConnection, 'connectMs' | 'requestMs'>;

/** The settings of the cluster that holds the topics, and the client id for the connection. */
export type TopicsAt = Pick<StreamLogAt<KafkaStreamsSettings>, 'settings' | 'clientId'>;

/** Connects to the cluster that holds the streams, runs `ask`, and disconnects. */
export async function askTopics<T>(
  { settings, clientId }: TopicsAt,
  ask: (admin: KafkaAdmin) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../../kafka-client/index.ts');
  await using client = openKafka({ ...streamsConnection(settings, clientId), ...patience }, { logger: silentLogger });
  return await ask(client.admin);
}

/** A partition of a stream's topic, and how far the loader has merged it. */
export interface PartitionFacts {
  readonly stream: StreamName;
  readonly partition: number;
  /** The position of the first record that the partition still has. `end` is the position after its last record. */
  readonly start: number;
  readonly end: number;
  /** The last position that the loader's group committed; null if the group has committed none. */
  readonly position: number | null;
  readonly lag: number;
  /** Client id of the worker that owns the partition; null if no worker owns it. */
  readonly worker: string | null;
}

type LoadedPartitions = Pick<StreamLogState<string>, 'members'> & { readonly partitions: readonly PartitionFacts[] };

/** Returns the partitions that have held records, and the group's progress in each. Returns none for a stream without a topic. */
export async function partitionsOf(at: TopicsAt, group: string, patience?: Patience): Promise<readonly PartitionFacts[]> {
  return (await askTopics(at, (admin) => loadedBy(admin, at.settings, group, ''), patience)).partitions;
}

/** Returns how far a group has loaded the streams. Also returns the members of this group and of `groups.others`. */
export function stateOf<Part extends string>(
  at: TopicsAt,
  group: string,
  groups: WorkingGroups<Part>,
): Promise<StreamLogState<Part>> {
  return askTopics(at, async (admin) => {
    const [loading, ...rest] = await Promise.all([
      loadedBy(admin, at.settings, group, groups.loading),
      // The partitions of these groups are not listed. They only represent shares of work, or belong to streams that the group
      // does not load into the tables.
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
