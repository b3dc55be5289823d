import { statSync } from 'node:fs';

/**
 * Number of waiting batches that a checkpoint may write. Each is one or two tables, and every table takes at least one block of
 * 256 KiB in the file. DuckDB only frees blocks at the end of the file.
 */
const FEW = 16;

/**
 * In a larger file, a checkpoint may write one waiting batch for each multiple of this many bytes. Waiting batches then take up
 * about a twentieth of the file.
 */
const BYTES_A_BATCH = 16 * 2 ** 20;

/** If batches have more records than this on average, they fill their blocks. They are then not merged before a checkpoint. */
const FULL = 2_048;

/**
 * Maximum number of landed batches between two checkpoints. After a crash, the replay of the write-ahead log creates, fills and
 * drops a table for each batch.
 */
const MOST_LANDED = 500;

/** Decides when a checkpoint is due, and how many batches may remain unmerged during a checkpoint. */
export class Tidiness {
  readonly #path: string;
  #landed: number;

  /** `landed`: number of batches waiting at the start, in the write-ahead log of an earlier process. */
  constructor(path: string, landed: number) {
    this.#path = path;
    this.#landed = landed;
  }

  landed(): void {
    this.#landed++;
  }

  checkpointed(): void {
    this.#landed = 0;
  }

  get isDue(): boolean {
    return this.#landed >= MOST_LANDED;
  }

  /** Whether so many small batches are waiting that they should be merged before a checkpoint. */
  crowdsCheckpoint({ batches, records }: { readonly batches: number; readonly records: number }): boolean {
    if (records > batches * FULL) return false;
    return batches > FEW && batches > statSync(this.#path).size / BYTES_A_BATCH;
  }
}
