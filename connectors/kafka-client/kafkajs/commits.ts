import { DeadlinePassed, within } from '@aorta/runtime';
import { KafkaError } from '../errors.ts';
import { pause } from './deadline.ts';
import { isRefusedCommit, reasonOf } from './errors.ts';
import type { Cluster, OffsetManager } from './internals.ts';
import type { Partition } from './partition.ts';

const TRIES = 3;
const PAUSE_MS = 150;

export interface CommitSettings {
  readonly group: string;
  /** Timeout of one request to the broker, in milliseconds. */
  readonly requestMs: number;
  /** Called when a commit has failed after all retries. */
  readonly onFailed: () => void;
}

/** The cluster, and the offset manager of the generation to commit in. */
export interface CommitRoute {
  readonly cluster: Cluster;
  readonly offsets: OffsetManager;
}

/** Commits offsets of one member and tracks the running commits. */
export class Commits {
  readonly #settings: CommitSettings;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(settings: CommitSettings) {
    this.#settings = settings;
  }

  /**
   * Commits the next offset to read, as a member of the generation that `through` belongs to. Returns false if the broker refuses
   * because the member no longer owns the partition or a rebalance is running. Rejects with AORTA-KAFKA-COMMIT if all attempts
   * fail.
   */
  async commit(through: CommitRoute, partition: Partition, next: number, note?: string): Promise<boolean> {
    const work = this.#commit(through, partition, next, note);
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /** Waits for the commits that are running now. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #commit(
    { cluster, offsets }: CommitRoute,
    { topic, partition, lost }: Partition,
    next: number,
    note?: string,
  ): Promise<boolean> {
    const wanted = {
      topics: [{ topic, partitions: [{ partition, offset: String(next), ...(note === undefined ? {} : { metadata: note }) }] }],
    };
    for (let tries = 1; ; tries += 1) {
      try {
        await within(this.#settings.requestMs, offsets.commitOffsets(wanted));
        return true;
      } catch (error) {
        if (isRefusedCommit(error)) return false;
        if (tries === TRIES || lost.aborted || error instanceof DeadlinePassed) {
          if (!lost.aborted) this.#settings.onFailed();
          throw new KafkaError('AORTA-KAFKA-COMMIT', { topic, partition, reason: reasonOf(error) });
        }
        await pause(PAUSE_MS * tries);
        await this.#findCoordinator(cluster, offsets);
      }
    }
  }

  async #findCoordinator(cluster: Cluster, offsets: OffsetManager): Promise<void> {
    try {
      offsets.coordinator = await cluster.findGroupCoordinator({ groupId: this.#settings.group });
    } catch {
      // The next attempt reports the error.
    }
  }
}
