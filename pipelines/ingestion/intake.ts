import type { Delivery, StreamLog } from '@aorta/connectors';
import { PacedChain, type PacedChainOptions } from './paced-chain.ts';
import type { Tally } from './tally.ts';

export interface IntakeOptions extends PacedChainOptions {
  /** Name of the source in the receipts of what is taken. */
  readonly source: string;
  readonly log: StreamLog;
  /** Ends the run: nothing more is taken. */
  readonly signal: AbortSignal;
}

/**
 * Takes deliveries that its caller has, through the same chain as those of a source. The caller keeps its own positions,
 * once {@link settle} has resolved.
 */
export class Intake {
  readonly #signal: AbortSignal;
  readonly #chain: PacedChain<void>;
  readonly #endFlushes: () => void;

  constructor({ source, log, signal, ...options }: IntakeOptions) {
    this.#signal = signal;
    this.#chain = new PacedChain<void>({ name: source, commit: async () => {} }, log, options);
    // What was taken does not wait for what comes next.
    this.#endFlushes = this.#chain.flushWhenQuiet();
  }

  get tally(): Tally {
    return this.#chain.tally;
  }

  /** Resolves when more may come. Rejects where the log fails, and when the loader has failed. */
  async take(deliveries: readonly Delivery[]): Promise<void> {
    await this.#chain.untilReady(this.#signal);
    // What is not taken any more is not remembered either.
    if (this.#signal.aborted) return;
    await this.#chain.take({ deliveries, position: undefined });
  }

  /** Resolves when everything taken is durable. */
  settle(): Promise<void> {
    return this.#chain.settle('the source waits for a flush');
  }

  /** Makes durable what was taken, and saves the redelivery window. */
  async close(): Promise<void> {
    try {
      await this.#chain.settle('the last flush');
      await this.#chain.saveWindow();
    } finally {
      this.#endFlushes();
      await this.#chain.landed();
    }
  }
}
