import { type Logger, within } from '@aorta/runtime';
import type { Checkpoint, CheckpointStore, PartitionOwnership } from '@azure/event-hubs';
import { conditionOf } from '../hub-error.ts';

/** Maximum time for the store to answer, in milliseconds. */
export const STORE_MS = 5000;

export interface GroupOfHub {
  readonly fullyQualifiedNamespace: string;
  readonly eventHubName: string;
  readonly consumerGroup: string;
}

/** A checkpoint with the group's first sequence number in the partition. The client's own stores do not store this number. */
export interface PartitionCheckpoint extends Checkpoint {
  /** 0 if unknown. If so, all events up to the checkpoint count as read. */
  readonly first?: number;
  /** Id of the streams that contain the events up to the checkpoint; see `openStreamsId`. Undefined if another program wrote it. */
  readonly streams?: string | undefined;
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

/** Writes the checkpoint of one claimed partition. If several became due since the last write, only the newest is written. */
export class CheckpointWriter {
  readonly #store: Checkpoints;
  readonly #logger: Logger;
  readonly #onLost: () => void;
  #due: PartitionCheckpoint | undefined;
  #writing: Promise<void> | undefined;
  #failing = false;
  #ended = false;

  constructor(store: Checkpoints, logger: Logger, onLost: () => void) {
    this.#store = store;
    this.#logger = logger;
    this.#onLost = onLost;
  }

  /** Marks a checkpoint as due, because everything up to it is durable. */
  durable(checkpoint: PartitionCheckpoint): void {
    this.#due = checkpoint;
  }

  /** Writes the due checkpoint. Only one write runs at a time. A checkpoint whose write failed stays due. Never rejects. */
  async write(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    const due = this.#due;
    if (due === undefined || this.#ended) return;
    this.#writing = this.#write(due).finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Stops writing, because another worker owns the partition. */
  end(): void {
    this.#ended = true;
  }

  async #write(due: PartitionCheckpoint): Promise<void> {
    const { eventHubName: hub, partitionId: partition } = due;
    try {
      await within(STORE_MS, this.#store.updateCheckpoint(due));
      if (this.#due === due) this.#due = undefined;
      if (this.#failing) this.#logger.info('checkpoints are written again', { hub, partition });
      this.#failing = false;
    } catch (error) {
      if (error instanceof NotTheOwner) {
        this.end();
        this.#onLost();
        return;
      }
      if (!this.#failing) this.#logger.warn('checkpoint not written', { hub, partition, condition: conditionOf(error) });
      this.#failing = true;
    }
  }
}
