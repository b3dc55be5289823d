import type { Delivery, StreamLog } from '@aorta/connectors';
import { PacedChain, type PacedChainOptions } from './paced-chain.ts';
import type { Tally } from './tally.ts';

export interface IntakeOptions extends PacedChainOptions {
  /** Name of the source in receipts. */
  readonly source: string;
  readonly log: StreamLog;
  /** When this signal aborts, the intake stops and drops further deliveries. */
  readonly signal: AbortSignal;
}

/** Passes the caller's deliveries through the chain. The caller commits its own positions after {@link settle}. */
export class Intake {
  readonly #signal: AbortSignal;
  readonly #chain: PacedChain<void>;
  readonly #endFlushes: () => void;

  constructor({ source, log, signal, ...options }: IntakeOptions) {
    this.#signal = signal;
    this.#chain = new PacedChain<void>({ name: source, commit: async () => {} }, log, options);
    // Flushes on a timer, because the next delivery may arrive much later.
    this.#endFlushes = this.#chain.flushWhenQuiet();
  }

  get tally(): Tally {
    return this.#chain.tally;
  }

  /** Accepts deliveries. Resolves when the caller may pass the next deliveries. Rejects if the log or the loader fails. */
  async take(deliveries: readonly Delivery[]): Promise<void> {
    await this.#chain.untilReady(this.#signal);
    // After a stop, deliveries are dropped before they enter the redelivery window.
    if (this.#signal.aborted) return;
    await this.#chain.take({ deliveries, position: undefined });
  }

  /** Resolves when all accepted deliveries are durable. */
  settle(): Promise<void> {
    return this.#chain.settle('the source waits for a flush');
  }

  /** Flushes the last deliveries and saves the redelivery window. */
  async close(): Promise<void> {
    try {
      await this.#chain.settle('the last flush');
      await this.#chain.saveWindow();
    } finally {
      this.#endFlushes();
      await this.#chain.flushed();
    }
  }
}
