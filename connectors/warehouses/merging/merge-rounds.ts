import type { MergeReport } from '../../warehouse.ts';

/** Merges what has come due, or everything that is landed; tells of each piece of it when it is done. */
export type MergeRound = (extent: 'due' | 'all', tell: (merged: MergeReport) => void) => Promise<void>;

/** Rounds of merges, one at a time. What has come due is merged while landing goes on; who asks next hears of it. */
export class MergeRounds {
  readonly #merge: MergeRound;
  /** The round under way. */
  #round: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** What was merged since somebody last asked. */
  #told: MergeReport[] = [];

  constructor(merge: MergeRound) {
    this.#merge = merge;
  }

  /** Reports a merge that was made beside the rounds, to whoever asks next. */
  readonly tell = (merged: MergeReport): void => void this.#told.push(merged);

  /** Begins a round of what is due, and tells of what has ended since the last call, or throws why it failed. */
  due(): MergeReport {
    this.#throwFailure();
    this.#round ??= this.#run('due').finally(() => {
      this.#round = undefined;
    });
    // What fails is thrown the next time; nothing is due so often that somebody would wait for it.
    this.#round.catch((error: unknown) => {
      this.#failure = { error };
    });
    return this.#reported();
  }

  /** Merges everything that is landed. Rejects where some of it cannot be merged now. */
  async all(): Promise<MergeReport> {
    await this.settled();
    this.#throwFailure();
    await this.#run('all');
    return this.#reported();
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#round?.catch(() => {});
  }

  /** Whether a round has failed that nobody has heard of. */
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
