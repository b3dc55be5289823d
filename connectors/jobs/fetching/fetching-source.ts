import type { FetchedBatch, FetchingJob } from './fetched.ts';
import type { Turn, Turns } from './turns.ts';

export interface FetchingSourceOptions {
  /** Name of the job, and of its share of the work. */
  readonly name: string;
  /** Opens it, for one life. */
  readonly open: () => Promise<FetchingJob>;
  /** Where several workers could do it; undefined where this one is alone. */
  readonly turns: Turns | undefined;
  /** A run that ends: what another worker does is left to it. */
  readonly once: boolean;
}

/** One life of a job that fetches, as a source: as long as it is this worker's to do. */
export class FetchingSource {
  readonly name: string;
  readonly #options: FetchingSourceOptions;
  #turn: Turn | undefined;
  #starting: Promise<FetchingJob | undefined> | undefined;
  #job: FetchingJob | undefined;

  constructor(options: FetchingSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<FetchedBatch<unknown>> {
    this.#starting = this.#start(signal);
    const job = await this.#starting;
    if (job === undefined) return;
    yield* job.batches(this.#turn === undefined ? signal : AbortSignal.any([signal, this.#turn.leave]));
  }

  async commit(positions: readonly unknown[]): Promise<void> {
    // What was taken is durable; that it was is for whoever has the job now to find out.
    if (this.#turn?.lost.aborted !== true) await this.#job?.commit(positions);
  }

  async close(): Promise<void> {
    // A stop does not wait for the opening.
    await this.#starting?.catch(() => {});
    await this.#job?.close(this.#turn?.lost.aborted === true).catch(() => {});
    this.#turn?.end();
  }

  async #start(signal: AbortSignal): Promise<FetchingJob | undefined> {
    const { name, turns, once, open } = this.#options;
    if (turns !== undefined) {
      this.#turn = once ? await turns.now(name) : await turns.next(name, signal);
      if (this.#turn === undefined || signal.aborted) return undefined;
    }
    this.#job = await open();
    return this.#job;
  }
}
