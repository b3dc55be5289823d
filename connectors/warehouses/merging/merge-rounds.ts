import type { MergeReport } from '../../warehouse.ts';

/** Merges what is due, or everything that is landed, and reports each completed merge to `tell`. */
export type MergeRound = (extent: 'due' | 'all', tell: (merged: MergeReport) => void) => Promise<void>;

/**
 * Runs one round of merges at a time. Due merges run in the background while landing continues, and the next call of `due` or
 * `all` reports them.
 */
export class MergeRounds {
  readonly #merge: MergeRound;
  #round: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #told: MergeReport[] = [];

  constructor(merge: MergeRound) {
    this.#merge = merge;
  }

  /** Adds a merge made outside a round to the next report. */
  readonly tell = (merged: MergeReport): void => void this.#told.push(merged);

  /**
   * Starts a round of due merges in the background. Returns what was merged since the last call, or throws the error of a failed
   * round.
   */
  due(): MergeReport {
    this.#throwFailure();
    this.#round ??= this.#run('due').finally(() => {
      this.#round = undefined;
    });
    // The next call throws this error. Calls are frequent, so the error is reported soon enough.
    this.#round.catch((error: unknown) => {
      this.#failure = { error };
    });
    return this.#reported();
  }

  /** Merges everything that is landed. Rejects if any of it cannot be merged now. */
  async all(): Promise<MergeReport> {
    await this.settled();
    this.#throwFailure();
    await this.#run('all');
    return this.#reported();
  }

  /** Resolves when no round is running. */
  async settled(): Promise<void> {
    await this.#round?.catch(() => {});
  }

  /** Whether a round failed and its error has not been thrown yet. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  #run(extent: 'due' | 'all'): Promise<void> {
    return this.#merge(extent, this.tell);
  }

  #reported(): MergeReport {
    const told = this.#told.splice(0);
    return {
      batches: told.reduce((sum, { batches }) => sum + batches, 0),
      targets: told.flatMap(({ targets }) => targets),
    };
  }

  #throwFailure(): void {
    const { error } = this.#failure ?? {};
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    throw error;
  }
}
