import { setImmediate } from 'node:timers/promises';
import type { Delivery, DeliveryBatch, Source, StreamLog } from '@aorta/connectors';
import { consumerPart } from '@aorta/connectors/sources';
import {
  AortaError,
  errorFields,
  isAortaError,
  LONG_STEP_MS,
  type Logger,
  type Metrics,
  Progress,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/runtime';
import { BatchMeasure } from './batch-measure.ts';
import { createChain, type ReadEvent, rememberIn, type Taken } from './chain.ts';
import { Committing } from './committing.ts';
import { DistinctReceipts } from './distinct-receipts.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { RedeliveryWindow } from './redelivery-window/window.ts';
import { createRouter, type Router } from './router.ts';
import { RunningTally, type Tally } from './tally.ts';

/** Amounts by which the consumer paces itself. */
interface Pace {
  /** Gathered bytes from which on a flush begins. Default 4 MiB. */
  readonly flushBytes: number;
  /** Deliveries from which on a flush begins. Default 20,000. */
  readonly flushDeliveries: number;
  /** A flush begins after so long where the source is quiet, in milliseconds. Default 1,000. */
  readonly flushAfterMs: number;
  /** Gathered bytes at which nothing more is taken before a flush has ended. Default 64 MiB. */
  readonly maxPendingBytes: number;
  /** Deliveries between two snapshots of the redelivery window. Default 500,000. */
  readonly saveDeliveries: number;
}

export const defaultPace: Pace = {
  flushBytes: 4 * 1024 * 1024,
  flushDeliveries: 20_000,
  flushAfterMs: 1000,
  maxPendingBytes: 64 * 1024 * 1024,
  saveDeliveries: 500_000,
};

export interface ConsumeOptions {
  /** The window of the data folder, see `openRedeliveryWindow`. */
  readonly window: RedeliveryWindow;
  /** Default: the routes that the streams declare. */
  readonly router?: Router;
  /** Most bytes of an uncompressed body. Default 64 MiB. */
  readonly bodyBytes?: number;
  readonly pace?: Partial<Pace>;
  /** Nothing that is taken becomes durable before it resolves; where it rejects, the consumption does. */
  readonly permission?: Promise<void> | undefined;
  /** Resolves when the jobs behind the streams can take more; asked before each batch. */
  readonly ready?: () => Promise<void>;
  /** Ends the reading gracefully: the batch at hand is finished, flushed and committed. */
  readonly signal?: AbortSignal;
  readonly onStep?: StepObserver;
  /** Hears the tally after each batch. */
  readonly onProgress?: (tally: Tally) => void;
  readonly logger?: Logger;
  readonly metrics?: Metrics<IngestionMetrics>;
  /** Hears what is waited for. */
  readonly progress?: Progress;
  /** For tests: what reads events instead of the schemas' `readEvent`. */
  readonly read?: ReadEvent;
}

/** How a source ended. Whatever it was, everything that was taken is durable and committed. */
export interface Consumption {
  /** `drained`: the source has no more. `stopped`: the signal. `failed`: the source cannot go on, see `error`. */
  readonly ended: 'drained' | 'stopped' | 'failed';
  readonly error?: AortaError;
  readonly tally: Tally;
}

export const BODY_BYTES = 64 * 1024 * 1024;

/**
 * Takes deliveries from a source through the chain into the streams, until the source is drained, fails, or the signal
 * says stop. A position is committed only after the flush that covers it. While a flush is on its way, the next batches
 * are taken. Rejects where the log, the source's commit or the window's snapshot fails (AORTA-DATA-UNWRITABLE): then
 * nothing is committed that is not durable.
 */
export async function consume<Position>(source: Source<Position>, log: StreamLog, options: ConsumeOptions): Promise<Consumption> {
  return new Consumer(source, log, options).run();
}

/** How the reading ended, before the last flush. */
type Ending = Pick<Consumption, 'ended' | 'error'>;

/** One consumption: reads batches, sends their deliveries through the chain, and decides when to flush and to save. */
class Consumer<Position> {
  readonly #source: Source<Position>;
  readonly #log: StreamLog;
  readonly #window: RedeliveryWindow;
  readonly #ready: ConsumeOptions['ready'];
  readonly #onProgress: ConsumeOptions['onProgress'];
  readonly #logger: Logger;
  readonly #metrics: Metrics<IngestionMetrics>;
  readonly #progress: Progress;
  /** As the waits of this consumer name it. */
  readonly #part: string;
  readonly #pace: Pace;
  readonly #chain: (delivery: Delivery) => Taken;
  readonly #remember: (delivery: Delivery) => void;
  readonly #committing: Committing<Position>;
  readonly #stopping: AbortSignal;
  readonly #seen = new DistinctReceipts();
  readonly #tally = new RunningTally();
  #sinceSave = 0;

  constructor(source: Source<Position>, log: StreamLog, options: ConsumeOptions) {
    const { window, logger = silentLogger, metrics = silentMetrics, progress = new Progress(), onStep = unobserved } = options;
    this.#source = source;
    this.#log = log;
    this.#window = window;
    this.#ready = options.ready;
    this.#onProgress = options.onProgress;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#progress = progress;
    this.#part = consumerPart(source.name);
    this.#pace = { ...defaultPace, ...options.pace };
    this.#chain = createChain({
      log,
      window,
      router: options.router ?? createRouter(),
      bodyBytes: options.bodyBytes ?? BODY_BYTES,
      ...(options.read === undefined ? {} : { read: options.read }),
      ...(source.buried === undefined ? {} : { onDeadLetter: (delivery, letter) => source.buried?.(delivery, letter) }),
    });
    this.#remember = rememberIn(window);
    this.#committing = new Committing(source, log, { onStep, metrics, permission: options.permission });
    this.#stopping = AbortSignal.any([this.#committing.broken, ...(options.signal === undefined ? [] : [options.signal])]);
  }

  async run(): Promise<Consumption> {
    const batches = this.#source.batches(this.#stopping)[Symbol.asyncIterator]();
    const quiet = this.#flushWhenQuiet();
    let ending: Ending | undefined;
    try {
      ending = await this.#takeAll(batches);
      await this.#settle('the last flush');
      await this.#saveWindow();
    } finally {
      clearInterval(quiet);
      await this.#committing.landed();
      // Not awaited: a generator that waits for its peer would keep a stop waiting. It has the signal.
      batches.return?.().catch(() => {});
      await this.#close(ending?.error !== undefined || this.#stopping.aborted);
    }
    return { ...ending, tally: this.#tally.now() };
  }

  /** Closing ends the source's own waits at once, and may take seconds: whoever asks meanwhile is to hear that nothing is read. */
  async #close(stops: boolean): Promise<void> {
    if (this.#source.close === undefined) return;
    const why = stops ? 'it stops, and closes its source' : 'the source is closed';
    await this.#progress.during(this.#part, why, this.#source.close(), stops ? { deadlineMs: 0 } : {});
  }

  async #takeAll(batches: AsyncIterator<DeliveryBatch<Position>>): Promise<Ending> {
    while (true) {
      if (this.#ready !== undefined) await this.#loaderReady(this.#ready);
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
      await this.#take(next.value);
      // The loader of the same process wants its turn.
      await setImmediate();
    }
    return { ended: this.#stopping.aborted ? 'stopped' : 'drained' };
  }

  #next(batches: AsyncIterator<DeliveryBatch<Position>>): Promise<IteratorResult<DeliveryBatch<Position>> | undefined> {
    const taken = untilAborted(batches.next(), this.#stopping);
    return this.#progress.during(this.#part, 'nothing new from the source', taken, { deadlineMs: Number.POSITIVE_INFINITY });
  }

  /** Waits until the loader behind the streams can take more; its step may take long, and has a deadline of its own. */
  async #loaderReady(ready: () => Promise<void>): Promise<void> {
    const asked = untilAborted(ready(), this.#stopping);
    await this.#progress.during(this.#part, 'the jobs are behind', asked, { deadlineMs: LONG_STEP_MS });
  }

  async #take(batch: DeliveryBatch<Position>): Promise<void> {
    const window = this.#window;
    const measure = new BatchMeasure();
    for (const delivery of batch.deliveries) {
      if (!window.covers(delivery.source, delivery.partition, delivery.offset)) await this.#cover(delivery);
      if (batch.before === true) this.#remember(delivery);
      else this.#takeOne(delivery, measure);
    }
    measure.tell(this.#metrics, this.#source.name);
    this.#committing.taken(batch.position, batch.deliveries.length);
    this.#sinceSave += batch.deliveries.length;
    this.#onProgress?.(this.#tally.now());
    if (batch.awaited === true) await this.#settle('the source waits for a flush');
    await this.#flushOrSave();
  }

  #takeOne(delivery: Delivery, measure: BatchMeasure): void {
    const { outcome, conflict } = this.#chain(delivery);
    measure.add(outcome, conflict, delivery.body.length);
    const { source, partition, offset, receivedAt } = delivery;
    if (this.#seen.add(source, partition, offset, receivedAt)) this.#tally.count(outcome, conflict);
  }

  /** Reads the redelivery window before a delivery that it does not reach yet, out of the streams. */
  async #cover({ source, partition, offset }: Delivery): Promise<void> {
    const begun = performance.now();
    const restored = this.#committing.settle().then(() => this.#window.restore(source, partition, offset));
    const deadline = { deadlineMs: LONG_STEP_MS };
    await this.#progress.during(this.#part, 'the redelivery window is read again', restored, deadline);
    const labels = { source: this.#source.name };
    this.#metrics.count('aorta_redelivery_window_restores_total', labels);
    this.#metrics.observe('aorta_redelivery_window_restore_seconds', labels, (performance.now() - begun) / 1000);
  }

  /** After a batch: begins a flush or waits for one, and saves the redelivery window, if it is time. */
  async #flushOrSave(): Promise<void> {
    const gathered = this.#log.pendingBytes();
    if (gathered >= this.#pace.maxPendingBytes) await this.#settle('memory is full until a flush has ended');
    else if (gathered >= this.#pace.flushBytes || this.#committing.deliveries >= this.#pace.flushDeliveries)
      this.#committing.begin();
    const crowded = this.#window.crowded();
    if (!crowded && this.#sinceSave < this.#pace.saveDeliveries) return;
    await this.#settle('a flush before the redelivery window is saved');
    if (crowded) await this.#progress.during(this.#part, 'the redelivery window is saved', this.#window.shed());
    if (this.#sinceSave >= this.#pace.saveDeliveries) {
      await this.#saveWindow();
      this.#sinceSave = 0;
    }
  }

  #saveWindow(): Promise<void> {
    return this.#progress.during(this.#part, 'the redelivery window is saved', this.#window.save());
  }

  #settle(why: string): Promise<void> {
    return this.#progress.during(this.#part, why, this.#committing.settle());
  }

  /** Flushes what a quiet source has left, and hears of a loader that failed, which a source may be silent for hours after. */
  #flushWhenQuiet(): NodeJS.Timeout {
    const ready = this.#ready;
    let asking = false;
    return setInterval(() => {
      this.#committing.begin();
      if (ready === undefined || asking) return;
      asking = true;
      ready().then(
        () => {
          asking = false;
        },
        (error: unknown) => this.#committing.fail(error),
      );
    }, this.#pace.flushAfterMs);
  }
}

/** What the promise gives, or undefined as soon as the signal aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let onAbort: () => void = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** An exception that is not out of the catalogue: only its kind is told, since its message may quote a value. */
function unexpected(source: string, error: unknown): AortaError {
  return new AortaError('AORTA-BUG', { place: `source ${source}`, problem: error instanceof Error ? error.name : typeof error });
}
