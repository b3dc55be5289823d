import { setImmediate } from 'node:timers/promises';
import type { DeliveryBatch, Source, StreamLog } from '@aorta/connectors';
import { AortaError, errorFields, isAortaError, type Logger, silentLogger } from '@aorta/runtime';
import { PacedChain, type PacedChainOptions, untilAborted } from './paced-chain.ts';
import type { Tally } from './tally.ts';

export interface ConsumeOptions extends PacedChainOptions {
  /** When this signal aborts, the consumer finishes the current batch, flushes, commits and then stops. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Called with the error that ends the reading. The source is closed after this. Never rejects. */
  readonly onFailure?: (error: unknown) => Promise<void>;
}

/** Why the consumer stopped reading. In every case, all accepted deliveries are durable and their positions are committed. */
export interface Consumption {
  /** `drained`: the source has reached its end. `stopped`: the signal aborted. `failed`: the source cannot continue; see `error`. */
  readonly ended: 'drained' | 'stopped' | 'failed';
  readonly error?: AortaError;
  readonly tally: Tally;
}

/**
 * Reads deliveries from a source and appends them to the streams until the source is drained, the source fails, or the
 * signal aborts. Commits a position only after the flush that covers it. Reads further batches while a flush is running.
 * Rejects with AORTA-DATA-UNWRITABLE if the log fails, the source cannot commit, or the redelivery window cannot be saved.
 */
export async function consume<Position>(source: Source<Position>, log: StreamLog, options: ConsumeOptions): Promise<Consumption> {
  return new Consumer(source, log, options).run();
}

/** Why the consumer stopped reading. The reason is known before the last flush. */
type Ending = Pick<Consumption, 'ended' | 'error'>;

/** Reads batches from one source until the source ends or the consumer is stopped. */
class Consumer<Position> {
  readonly #source: Source<Position>;
  readonly #logger: Logger;
  readonly #chain: PacedChain<Position>;
  readonly #ready: ConsumeOptions['ready'];
  readonly #stopping: AbortSignal;
  readonly #onFailure: ConsumeOptions['onFailure'];

  constructor(
    source: Source<Position>,
    log: StreamLog,
    { signal, logger = silentLogger, onFailure, ...options }: ConsumeOptions,
  ) {
    this.#source = source;
    this.#logger = logger;
    this.#onFailure = onFailure;
    this.#ready = options.ready;
    this.#chain = new PacedChain(source, log, options);
    this.#stopping = AbortSignal.any([this.#chain.broken, ...(signal === undefined ? [] : [signal])]);
  }

  async run(): Promise<Consumption> {
    const batches = this.#source.batches(this.#stopping)[Symbol.asyncIterator]();
    const endFlushes = this.#chain.flushWhenQuiet(this.#ready);
    let ending: Ending | undefined;
    let failure: unknown;
    try {
      ending = await this.#takeAll(batches);
      failure = ending.error;
      await this.#chain.settle('the last flush');
      await this.#chain.saveWindow();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      endFlushes();
      await this.#chain.flushed();
      if (failure !== undefined) await this.#onFailure?.(failure);
      // This call is not awaited, because a generator that is waiting for its broker would delay the stop.
      // The signal ends the generator.
      batches.return?.().catch(() => {});
      await this.#close(failure);
    }
    return { ...ending, tally: this.#chain.tally };
  }

  /** Closes the source, which may take seconds. Meanwhile, the readiness check reports why the consumer has stopped reading. */
  async #close(failure: unknown): Promise<void> {
    if (this.#source.close === undefined) return;
    const stops = failure !== undefined || this.#stopping.aborted;
    const error = isAortaError(failure) ? `: ${failure.message}` : '';
    const why = stops ? `stopping and closing its source${error}` : 'the source is closed';
    await this.#chain.during(why, this.#source.close(), stops ? { deadlineMs: 0 } : {});
  }

  async #takeAll(batches: AsyncIterator<DeliveryBatch<Position>>): Promise<Ending> {
    while (true) {
      await this.#chain.untilReady(this.#stopping);
      if (this.#stopping.aborted) break;
      let next: IteratorResult<DeliveryBatch<Position>> | undefined;
      try {
        next = await this.#next(batches);
      } catch (error) {
        const failure = isAortaError(error) ? error : unexpected(this.#source.name, error);
        this.#logger.error('source failed', { source: this.#source.name, ...errorFields(failure) });
        return { ended: 'failed', error: failure };
      }
      if (next === undefined || next.done === true) break;
      await this.#chain.take(next.value);
      // Lets other work in this process run.
      await setImmediate();
    }
    return { ended: this.#stopping.aborted ? 'stopped' : 'drained' };
  }

  #next(batches: AsyncIterator<DeliveryBatch<Position>>): Promise<IteratorResult<DeliveryBatch<Position>> | undefined> {
    const taken = untilAborted(batches.next(), this.#stopping);
    return this.#chain.during('nothing new from the source', taken, { deadlineMs: Number.POSITIVE_INFINITY });
  }
}

/** Wraps an exception that is not an AortaError. Keeps only its class name, because its message may quote a value. */
function unexpected(source: string, error: unknown): AortaError {
  return new AortaError('AORTA-BUG', { place: `source ${source}`, problem: error instanceof Error ? error.name : typeof error });
}
