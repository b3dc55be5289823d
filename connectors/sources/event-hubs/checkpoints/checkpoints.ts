import type { Checkpoint, CheckpointStore, PartitionOwnership } from '@azure/event-hubs';

/** Hub and consumer group that checkpoints and claims belong to. */
export interface GroupOfHub {
  readonly fullyQualifiedNamespace: string;
  readonly eventHubName: string;
  readonly consumerGroup: string;
}

/** A checkpoint, with the sequence number that the group began with in the partition: no store of the client keeps that. */
export interface PartitionCheckpoint extends Checkpoint {
  /** 0 where it is not known: then everything before counts as read. */
  readonly first?: number;
}

/** A claim, with the number by which the hub tells readers of the partition apart. */
export interface PartitionClaim extends PartitionOwnership {
  /** Higher than that of every earlier claim of the partition. Undefined for a claim that another program wrote. */
  readonly epoch?: number;
}

/**
 * A checkpoint store of the client, as strict as ours have to be: of one worker, which writes checkpoints only of
 * partitions whose claim is its own, and never lower than they stand.
 */
export interface Checkpoints extends CheckpointStore {
  listOwnership(...group: Parameters<CheckpointStore['listOwnership']>): Promise<PartitionClaim[]>;
  claimOwnership(claims: PartitionClaim[]): Promise<PartitionClaim[]>;
  listCheckpoints(...group: Parameters<CheckpointStore['listCheckpoints']>): Promise<PartitionCheckpoint[]>;
  /** Rejects with {@link NotTheOwner} where another worker has the partition by now. */
  updateCheckpoint(checkpoint: PartitionCheckpoint): Promise<void>;
}

/** The partition is another worker's by now: its checkpoint was left alone. */
export class NotTheOwner extends Error {
  constructor() {
    super('the partition is claimed by another worker');
    this.name = 'NotTheOwner';
  }
}

/**
 * Gives free what a worker has claimed: at a graceful stop, and by whoever knows that the worker has ended, so that the
 * others need not wait for the expiry. Gives the number of partitions. Rejects as the store does.
 */
export async function releaseClaims(store: Checkpoints, group: GroupOfHub, worker: string): Promise<number> {
  const { fullyQualifiedNamespace, eventHubName, consumerGroup } = group;
  const claims = await store.listOwnership(fullyQualifiedNamespace, eventHubName, consumerGroup);
  const own = claims.filter(({ ownerId }) => ownerId === worker);
  return (await store.claimOwnership(own.map((claim) => ({ ...claim, ownerId: '' })))).length;
}
