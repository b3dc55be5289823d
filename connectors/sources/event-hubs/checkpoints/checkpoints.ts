import type { Checkpoint, CheckpointStore, PartitionOwnership } from '@azure/event-hubs';

export interface GroupOfHub {
  readonly fullyQualifiedNamespace: string;
  readonly eventHubName: string;
  readonly consumerGroup: string;
}

/** A checkpoint with the group's first sequence number in the partition. The client's own stores do not store this number. */
export interface PartitionCheckpoint extends Checkpoint {
  /** 0 if unknown. If so, all events up to the checkpoint count as read. */
  readonly first?: number;
}

/** A claim with its epoch. If two readers compete, the hub prefers the reader with the higher epoch. */
export interface PartitionClaim extends PartitionOwnership {
  /** Higher than the epoch of every earlier claim of the partition. Undefined if another program wrote the claim. */
  readonly epoch?: number;
}

/**
 * The checkpoint store of one worker. It is stricter than the client's interface requires: it writes checkpoints only
 * for partitions that the worker has claimed, and never lowers a checkpoint.
 */
export interface Checkpoints extends CheckpointStore {
  listOwnership(...group: Parameters<CheckpointStore['listOwnership']>): Promise<PartitionClaim[]>;
  claimOwnership(claims: PartitionClaim[]): Promise<PartitionClaim[]>;
  listCheckpoints(...group: Parameters<CheckpointStore['listCheckpoints']>): Promise<PartitionCheckpoint[]>;
  /** Rejects with {@link NotTheOwner} if another worker has claimed the partition. */
  updateCheckpoint(checkpoint: PartitionCheckpoint): Promise<void>;
}

/** Thrown if another worker has claimed the partition. The checkpoint was not written. */
export class NotTheOwner extends Error {
  constructor() {
    super('the partition is claimed by another worker');
    this.name = 'NotTheOwner';
  }
}

/**
 * Releases a worker's claims, so that other workers need not wait until the claims expire. Called when a worker stops
 * gracefully, and after a worker has crashed. Returns the number of released claims. Rejects with the store's errors.
 */
export async function releaseClaims(store: Checkpoints, group: GroupOfHub, worker: string): Promise<number> {
  const { fullyQualifiedNamespace, eventHubName, consumerGroup } = group;
  const claims = await store.listOwnership(fullyQualifiedNamespace, eventHubName, consumerGroup);
  const own = claims.filter(({ ownerId }) => ownerId === worker);
  return (await store.claimOwnership(own.map((claim) => ({ ...claim, ownerId: '' })))).length;
}
