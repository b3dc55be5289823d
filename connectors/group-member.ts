/** A member of a consumer group, as the broker describes it. */
export interface GroupMember {
  /** Client name that the member sent to the broker. */
  readonly client: string;
  /** Address from which the member connects. */
  readonly host: string;
  /** Number of assigned partitions, including those without records. */
  readonly assigned: number;
  /** Assigned partitions to which records have been written, even if all of them were deleted later. */
  readonly partitions: readonly MemberPartition[];
}

export interface MemberPartition {
  /** Topic of a source, or name of a stream. */
  readonly of: string;
  readonly partition: number;
  /** Number of records that the group has not committed yet; null if unknown. */
  readonly lag: number | null;
}

/** Converts the members reported by the broker. `factsOf` returns undefined for a partition without records. */
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
