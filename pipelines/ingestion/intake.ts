import type { Delivery, StreamLog } from '@aorta/connectors';
import { consumerPart } from '@aorta/connectors/sources';
import { LONG_STEP_MS, type Metrics, Progress, type StepObserver, silentMetrics, unobserved } from '@aorta/runtime';
import { BatchMeasure } from './batch-measure.ts';
import { createChain } from './chain.ts';
import { Committing } from './committing.ts';
import { BODY_BYTES, type ConsumeOptions, defaultPace, untilAborted } from './consumer.ts';
import { DistinctReceipts } from './distinct-receipts.ts';
import type { IngestionMetrics } from './metrics.ts';
import { createRouter } from './router.ts';
import { RunningTally, type Tally } from './tally.ts';

export interface IntakeOptions
  extends Pick<
    ConsumeOptions,
    'window' | 'router' | 'bodyBytes' | 'permission' | 'ready' | 'onProgress' | 'metrics' | 'progress'
  > {
  /** Name of the source in the receipts of what is taken. */
  readonly source: string;
  readonly log: StreamLog;
  /** Ends the run: nothing more is taken. */
  readonly signal: AbortSignal;
  readonly onStep?: StepObserver;
}

/**
 * Takes deliveries that its caller has, through the same chain as those of a source. The caller keeps its own positions,
 * once {@link settle} has resolved.
 */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #part: string;
  readonly #metrics: Metrics<IngestionMetrics>;
  readonly #progress: Progress;
  readonly #chain: ReturnType<typeof createChain>;
  readonly #committing: Committing<void>;
  readonly #seen = new DistinctReceipts();
  readonly #tally = new RunningTally();
  readonly #quiet: NodeJS.Timeout;
  #sinceSave = 0;

  constructor(options: IntakeOptions) {
    const { source, log, window, metrics = silentMetrics, progress = new Progress(), onStep = unobserved } = options;
    this.#options = options;
    this.#part = consumerPart(source);
    this.#metrics = metrics;
    this.#progress = progress;
    this.#chain = createChain({
      log,
      window,
      router: options.router ?? createRouter(),
      bodyBytes: options.bodyBytes ?? BODY_BYTES,
    });
    const caller = { name: source, commit: async () => {} };
    this.#committing = new Committing<void>(caller, log, { onStep, metrics, permission: options.permission });
    // What was taken does not wait for what comes next.
    this.#quiet = setInterval(() => this.#committing.begin(), defaultPace.flushAfterMs);
  }

  get tally(): Tally {
    return this.#tally.now();
  }

  /** Resolves when more may come. Rejects where the log fails, and when the loader has failed. */
  async take(deliveries: readonly Delivery[]): Promise<void> {
    const { ready, signal, onProgress } = this.#options;
    // The loader may be in a step that takes long; it has a deadline of its own.
    if (ready !== undefined) await this.#during('the jobs are behind', untilAborted(ready(), signal), LONG_STEP_MS);
    // What is not taken any more is not remembered either.
    if (signal.aborted) return;
    const measure = new BatchMeasure();
    for (const delivery of deliveries) await this.#takeOne(delivery, measure);
    measure.tell(this.#metrics, this.#options.source);
    this.#committing.taken(undefined, deliveries.length);
    this.#sinceSave += deliveries.length;
    onProgress?.(this.tally);
    await this.#paceItself();
  }

  /** Resolves when everything taken is durable. */
  settle(): Promise<void> {
    return this.#during('the source waits for a flush', this.#committing.settle());
  }

  /** Makes durable what was taken, and saves the redelivery window. */
  async close(): Promise<void> {
    try {
      await this.#during('the last flush', this.#committing.settle());
      await this.#during('the redelivery window is saved', this.#options.window.save());
    } finally {
      clearInterval(this.#quiet);
      await this.#committing.landed();
    }
  }

  async #takeOne(delivery: Delivery, measure: BatchMeasure): Promise<void> {
    const { source, partition, offset, receivedAt } = delivery;
    if (!this.#options.window.covers(source, partition, offset)) await this.#cover(delivery);
    const { outcome, conflict } = this.#chain(delivery);
    measure.add(outcome, conflict, delivery.body.length);
    if (this.#seen.add(source, partition, offset, receivedAt)) this.#tally.count(outcome, conflict);
  }

  async #cover({ source, partition, offset }: Delivery): Promise<void> {
    const begun = performance.now();
    const restored = this.#committing.settle().then(() => this.#options.window.restore(source, partition, offset));
    await this.#during('the redelivery window is read again', restored, LONG_STEP_MS);
    this.#metrics.count('aorta_redelivery_window_restores_total', { source });
    this.#metrics.observe('aorta_redelivery_window_restore_seconds', { source }, (performance.now() - begun) / 1000);
  }

  async #paceItself(): Promise<void> {
    const { log, window } = this.#options;
    const { maxPendingBytes, flushBytes, flushDeliveries, saveDeliveries } = defaultPace;
    if (log.pendingBytes() >= maxPendingBytes)
      await this.#during('memory is full until a flush has ended', this.#committing.settle());
    else if (log.pendingBytes() >= flushBytes || this.#committing.deliveries >= flushDeliveries) this.#committing.begin();
    const crowded = window.crowded();
    if (!crowded && this.#sinceSave < saveDeliveries) return;
    await this.#during('a flush before the redelivery window is saved', this.#committing.settle());
    if (crowded) await this.#during('the redelivery window is saved', window.shed());
    if (this.#sinceSave < saveDeliveries) return;
    await this.#during('the redelivery window is saved', window.save());
    this.#sinceSave = 0;
  }

  #during<T>(why: string, work: Promise<T>, deadlineMs?: number): Promise<T> {
    return this.#progress.during(this.#part, why, work, deadlineMs === undefined ? {} : { deadlineMs });
  }
}
