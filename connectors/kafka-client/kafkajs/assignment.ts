import type { Assigner, GroupMember } from 'kafkajs';
import type { TopicPartition } from '../client.ts';
import type { Cluster, Library } from './internals.ts';
import { byTopic } from './positions.ts';

type Protocol = Library['AssignerProtocol'];

/** A member of the group and the topics that it reads. */
export interface Reader {
  readonly member: string;
  readonly topics: ReadonlySet<string>;
}

/**
 * Distributes partitions. Each partition goes to the member that has the fewest partitions among those that read its topic. In a
 * tie, the first member by name gets it. Members may read different topics if one of them has found a new topic or has a
 * different configuration.
 */
export function share(readers: readonly Reader[], partitions: readonly TopicPartition[]): Map<string, TopicPartition[]> {
  const shares = new Map(readers.map(({ member }) => [member, [] as TopicPartition[]]));
  const inOrder = [...readers].sort((one, other) => (one.member < other.member ? -1 : 1));
  for (const partition of partitions) {
    let fewest: TopicPartition[] | undefined;
    for (const { member, topics } of inOrder) {
      const has = shares.get(member)!;
      if (topics.has(partition.topic) && (fewest === undefined || has.length < fewest.length)) fewest = has;
    }
    fewest?.push(partition);
  }
  return shares;
}

/**
 * Creates the assigner of our groups. It has the name and the wire format of the library's own assigner, so that members with
 * either assigner can share a group. The library's assigner also assigns partitions to members that do not read their topics, and
 * these partitions stay unread. `mayJoin` throws if this member must not join any more.
 */
export function assignerFor(cluster: Cluster, { MemberMetadata, MemberAssignment }: Protocol, mayJoin: () => void): Assigner {
  return {
    name: 'RoundRobinAssigner',
    version: 0,
    protocol({ topics }) {
      mayJoin();
      return { name: 'RoundRobinAssigner', metadata: MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }) };
    },
    async assign({ members }) {
      const readers = members.map((member) => readerOf(member, MemberMetadata));
      const topics = [...new Set(readers.flatMap((reader) => [...reader.topics]))].sort();
      // If this member is not authorized to see a topic that other members read, it cannot assign the topic's partitions.
      await cluster.addMultipleTargetTopics(topics).catch(() => {});
      const shares = share(
        readers,
        topics.flatMap((topic) => partitionsOf(cluster, topic)),
      );
      return [...shares].map(([memberId, partitions]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({ version: 0, assignment: byTopic(partitions), userData: Buffer.alloc(0) }),
      }));
    },
  };
}

function readerOf({ memberId, memberMetadata }: GroupMember, metadata: Protocol['MemberMetadata']): Reader {
  return { member: memberId, topics: new Set(metadata.decode(memberMetadata)?.topics) };
}

function partitionsOf(cluster: Cluster, topic: string): TopicPartition[] {
  const known = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
  return known.sort((one, other) => one - other).map((partition) => ({ topic, partition }));
}
