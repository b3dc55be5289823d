import { createHash } from 'node:crypto';
import { silentLogger } from '@aorta/runtime';
import type { OwnedShare, Ownership, OwnershipOptions } from '../../ownership.ts';
import { sharesTopic } from '../../streams/topic-names.ts';
import type { AssignedPartition, KafkaClient } from '../client/client.ts';
import { TopicError } from './errors.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { groupOf } from './topics.ts';

interface GroupOwnershipOptions extends OwnershipOptions {
  readonly client: KafkaClient;
  /** Prefix of the names of the streams' topics and groups. */
  readonly prefix: string;
  /** The kind of work. Workers that specify the same kind divide its shares among themselves. */
  readonly work: string;
}

/**
 * Assigns shares of work through a consumer group. The name of a share determines its partition in an empty topic, and the group
 * protocol assigns each partition to one member. Two versions of the program map a common share to the same partition, even if
 * their other shares differ. During an upgrade, the common share therefore still has exactly one owner.
 *
 * Rejects with AORTA-STREAM-TOPIC-MISSING if the topic does not exist, and with the client's error if the cluster is unreachable.
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

/** Maps a share to a partition. The result depends only on the share's name, not on the other shares. */
function partitionOf(share: string, partitions: number): number {
  return createHash('sha256').update(share).digest().readUInt32BE(0) % partitions;
}

export interface KafkaOwnershipOpening extends Omit<GroupOwnershipOptions, 'client' | 'prefix'> {
  readonly settings: KafkaStreamsSettings;
  readonly clientId: string;
}

/** Like {@link ownByGroup}, but opens its own connection. Closing the ownership also closes the connection. */
export async function openKafkaOwnership({ settings, clientId, ...options }: KafkaOwnershipOpening): Promise<Ownership> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../client/open.ts');
  await using opening = new AsyncDisposableStack();
  const client = opening.use(openKafka(streamsConnection(settings, clientId), { logger: silentLogger }));
  const ownership = await ownByGroup({ ...options, client, prefix: settings.prefix });
  const connection = opening.move();
  return {
    owned: () => ownership.owned(),
    close: async () => {
      await ownership.close();
      await connection.disposeAsync();
    },
  };
}
