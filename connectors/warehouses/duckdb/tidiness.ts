import { statSync } from 'node:fs';

/**
 * Batches that a checkpoint may write as they wait. Each is one or two tables, every table takes a block of 256 KiB or
 * more of the file, and DuckDB gives free blocks back only at the end of the file.
 */
const FEW = 16;

/** Of a larger file they may take about a twentieth: one batch to so many bytes. */
const BYTES_A_BATCH = 16 * 2 ** 20;

/** Records of a batch for which its blocks are about as large as its data: batches of more are not merged for the checkpoint. */
const FULL = 2_048;

/**
 * Batches that are landed until the next checkpoint at most. The write-ahead log has a table made, filled and dropped for
 * each of them, and a run that begins after a crash does all of that again.
 */
const MOST_LANDED = 500;

/** When the database file is due for a checkpoint, and how many batches may wait in one. */
export class Tidiness {
  readonly #path: string;
  #landed: number;

  /** `landed`: batches that wait at the start, in a log that an earlier process left. */
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

  /** Whether a checkpoint is due. */
  get isDue(): boolean {
    return this.#landed >= MOST_LANDED;
  }

  /** Whether so many small batches wait that they are merged before a checkpoint. */
  crowdsCheckpoint({ batches, records }: { readonly batches: number; readonly records: number }): boolean {
    if (records > batches * FULL) return false;
    return batches > FEW && batches > statSync(this.#path).size / BYTES_A_BATCH;
  }
}
