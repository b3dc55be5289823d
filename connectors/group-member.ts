/** A member of a group of readers, as the broker describes it. */
export interface GroupMember {
  /** The name that it gave the broker, and the address that it speaks from. */
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
export function groupMembers<Partition>(
  members: readonly { readonly client: string; readonly host: string; readonly partitions: readonly Partition[] }[],
  factsOf: (partition: Partition) => MemberPartition | undefined = () => undefined,
): GroupMember[] {
  return members.map(({ client, host, partitions }) => ({
    client,
    host,
    assigned: partitions.length,
    partitions: partitions.map(factsOf).filter((facts) => facts !== undefined),
  }));
}
