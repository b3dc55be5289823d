import { createHash } from 'node:crypto';
import type { AssignedPartition, KafkaClient } from '../../../kafka-client/index.ts';
import type { OwnedShare, Ownership, OwnershipOptions } from '../../../ownership.ts';
import { TopicError } from '../errors.ts';
import { groupOf, sharesTopic } from '../topics.ts';

export interface GroupOwnershipOptions extends OwnershipOptions {
  readonly client: KafkaClient;
  /** Prefix of the topics and groups of the streams. */
  readonly prefix: string;
  /** The kind of work. Its shares are divided among the workers with the same value. */
  readonly work: string;
}

/**
 * Assigns shares of work through a consumer group. Each partition of an empty topic stands for some shares, chosen by share name,
 * and the group protocol assigns it to one member. Two versions with different shares map a common share to the same partition.
 * During an upgrade such a share therefore still has exactly one owner.
 *
 * Rejects with AORTA-STREAM-TOPIC-MISSING, and with the client's error if the cluster is unreachable.
 */
export async function ownByGroup(options: GroupOwnershipOptions): Promise<Ownership> {
  const { client, prefix, work, shares, onChange = () => {}, onRelease } = options;
  const topic = sharesTopic({ prefix });
  const partitions = await client.admin.partitions(topic);
  if (partitions === undefined) throw new TopicError('AORTA-STREAM-TOPIC-MISSING', { topic });
  const held = new Map<AssignedPartition, readonly OwnedShare[]>();
  let leaving = new Set<AssignedPartition>();
  let failure: Error | undefined;
  const consumer = await client.consume({
    group: groupOf({ prefix }, work),
    topics: [topic],
    onAssigned: (partition) => {
      const { lost } = partition;
      const names = shares.filter((name) => partitionOf(name, partitions) === partition.partition);
      held.set(
        partition,
        names.map((name) => ({ name, lost })),
      );
      lost.addEventListener(
        'abort',
        () => {
          held.delete(partition);
          leaving.delete(partition);
          onChange();
        },
        { once: true },
      );
      onChange();
      return partition.end;
    },
    onBatch: () => {},
    onRelease: async (lost) => {
      leaving = new Set([...leaving, ...lost]);
      onChange();
      await onRelease?.(lost.flatMap((partition) => held.get(partition) ?? []));
    },
    onFailure: (error) => {
      failure = error;
      onChange();
    },
  });
  return {
    owned: () => {
      if (failure !== undefined) throw failure;
      return [...held].flatMap(([partition, some]) => (leaving.has(partition) ? [] : some));
    },
    close: () => consumer.stop(),
  };
}

/** Maps a share to a partition by its name alone, independent of the other shares. */
function partitionOf(share: string, partitions: number): number {
  return createHash('sha256').update(share).digest().readUInt32BE(0) % partitions;
}
