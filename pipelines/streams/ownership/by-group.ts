import type { AssignedPartition, KafkaClient } from '@aorta/kafka-client';
import { AortaError } from '@aorta/telemetry';
import { groupOf, sharesTopic } from '../kafka/topics.ts';
import type { OwnedShare, Ownership, OwnershipOptions } from './ownership.ts';

export interface GroupOwnershipOptions extends OwnershipOptions {
  readonly client: KafkaClient;
  /** Of the topics of the streams. */
  readonly prefix: string;
  /** What is shared out: workers of different kinds of work do not share. */
  readonly work: string;
}

/**
 * Shares out work by a consumer group: each partition of an empty topic stands for some shares, by turns, and the brokers
 * give it to one member. Where the topic has fewer partitions than there are shares, some go together. Rejects with
 * AORTA-STREAM-TOPIC-MISSING, and as the client does where the cluster cannot be used.
 */
export async function ownByGroup(options: GroupOwnershipOptions): Promise<Ownership> {
  const { client, prefix, work, shares, onChange = () => {}, onRelease } = options;
  const topic = sharesTopic({ prefix });
  const partitions = await client.admin.partitions(topic);
  if (partitions === undefined) throw new AortaError('AORTA-STREAM-TOPIC-MISSING', { topic });
  const held = new Map<AssignedPartition, readonly OwnedShare[]>();
  let leaving = new Set<AssignedPartition>();
  let failure: Error | undefined;
  const consumer = await client.consume({
    group: groupOf({ prefix }, work),
    topics: [topic],
    onAssigned: (partition) => {
      const { lost } = partition;
      const names = shares.filter((_, index) => index % partitions === partition.partition);
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
