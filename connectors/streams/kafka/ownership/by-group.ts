import { createHash } from 'node:crypto';
import type { AssignedPartition, KafkaClient } from '../../../kafka-client/index.ts';
import type { OwnedShare, Ownership, OwnershipOptions } from '../../../ownership.ts';
import { TopicError } from '../errors.ts';
import { groupOf, sharesTopic } from '../topics.ts';

export interface GroupOwnershipOptions extends OwnershipOptions {
  readonly client: KafkaClient;
  /** Of the topics of the streams. */
  readonly prefix: string;
  /** What is shared out: workers of different kinds of work do not share. */
  readonly work: string;
}

/**
 * Shares out work by a consumer group: each partition of an empty topic stands for some shares, by their names, and the
 * brokers give it to one member. During an upgrade one version knows shares that the other does not: those that both know
 * stand for the same partition all the same, so that none has two owners, or nobody. Rejects with
 * AORTA-STREAM-TOPIC-MISSING, and as the client does where the cluster cannot be used.
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

/** The partition that stands for a share: by its name alone, whatever shares there are beside it. */
function partitionOf(share: string, partitions: number): number {
  return createHash('sha256').update(share).digest().readUInt32BE(0) % partitions;
}
