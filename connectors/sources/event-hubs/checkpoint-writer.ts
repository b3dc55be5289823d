import { type Logger, within } from '@aorta/runtime';
import { type Checkpoints, NotTheOwner, type PartitionCheckpoint } from './checkpoints/checkpoints.ts';
import { STORE_MS } from './claims.ts';
import { conditionOf } from './hub-error.ts';

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
