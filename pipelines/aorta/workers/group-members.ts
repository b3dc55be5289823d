import type { KafkaGroupMember, TopicPartition } from '@aorta/kafka-client';

/** What a worker does, as the group in which it takes part tells it. */
export type GroupPart = 'ingestion' | 'loading' | 'merging' | 'enrichment';

/** A member of a group, as the brokers describe it. */
export interface GroupMember {
  readonly part: GroupPart;
  /** Name of the group of a stream's readers; of a source its own name. */
  readonly group: string;
  /** The name that it gave the brokers, and the address that it speaks from. */
  readonly client: string;
  readonly host: string;
  /** Number of partitions that it has, with those that hold nothing. */
  readonly assigned: number;
  /** Those that hold records, or held some. */
  readonly partitions: readonly MemberPartition[];
}

export interface MemberPartition {
  /** Topic of a source, or name of a stream. */
  readonly of: string;
  readonly partition: number;
  /** Records that the group has not committed; null if it is not known. */
  readonly lag: number | null;
}

/** The members of a group, with their partitions as `factsOf` knows them: undefined of one that holds nothing. */
export function groupMembers(
  part: GroupPart,
  group: string,
  members: readonly KafkaGroupMember[],
  factsOf: (partition: TopicPartition) => MemberPartition | undefined = () => undefined,
): GroupMember[] {
  return members.map(({ client, host, partitions }) => ({
    part,
    group,
    client,
    host,
    assigned: partitions.length,
    partitions: partitions.map(factsOf).filter((facts) => facts !== undefined),
  }));
}
