import type { Delivery, DeliveryBatch, Source, StreamLog } from '@aorta/connectors';
import { consumerPart, isAhead } from '@aorta/connectors/sources';
import {
  LONG_STEP_MS,
  type Metrics,
  Progress,
  type StepObserver,
  silentMetrics,
  unobserved,
  type WaitOptions,
} from '@aorta/runtime';
import { causesDeadLetter } from '@aorta/schemas';
import { createChain, type ReadEvent, rememberIn } from './chain.ts';
import { Committer } from './committer.ts';
import type { DeadReason } from './delivery-record.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { RedeliveryWindow } from './redelivery-window/window.ts';
import { createRouter, type Router } from './router.ts';
import { increment, RunningTally, type Taken, type Tally } from './tally.ts';

/** Thresholds at which the chain flushes or saves the redelivery window. */
interface Pace {
  /** Number of pending bytes that triggers a flush. Default: 4 MiB. */
  readonly flushBytes: number;
  /** Number of deliveries that triggers a flush. Default: 20,000. */
  readonly flushDeliveries: number;
  /** Milliseconds between flushes while the source yields no batch. Default: 1,100. */
  readonly flushAfterMs: number;
  /** Number of pending bytes at which the chain waits for a flush before it accepts more deliveries. Default: 64 MiB. */
  readonly maxPendingBytes: number;
  /** Number of deliveries between snapshots of the redelivery window. Default: 500,000. */
  readonly saveDeliveries: number;
}

const defaultPace: Pace = {
  flushBytes: 4 * 1024 * 1024,
  flushDeliveries: 20_000,
  flushAfterMs: 1100,
  maxPendingBytes: 64 * 1024 * 1024,
  saveDeliveries: 500_000,
};

export interface PacedChainOptions {
  /** The redelivery window of the data folder; see `openRedeliveryWindow`. */
  readonly window: RedeliveryWindow;
  /** Default: a router with the routes that the streams declare. */
  readonly router?: Router;
  /** Maximum size of an uncompressed body, in bytes. Default: 64 MiB. */
  readonly bodyBytes?: number;
  readonly pace?: Partial<Pace>;
  /** Every flush waits for this promise. If it rejects, the next call that waits for a flush rejects with the same error. */
  readonly permission?: Promise<void> | undefined;
  /** Resolves when the loader can accept more records. Called before each batch. */
  readonly ready?: () => Promise<void>;
  readonly onStep?: StepObserver;
  /** Called with the tally after each batch. */
  readonly onProgress?: (tally: Tally) => void;
  readonly metrics?: Metrics<IngestionMetrics>;
  /** The chain reports here what it is waiting for. */
  readonly progress?: Progress;
  /** Returns the current time in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number;
  /** Replaces `readEvent` of `schemas` in tests. */
  readonly read?: ReadEvent;
}

const BODY_BYTES = 64 * 1024 * 1024;

/** Counts the outcomes of one batch and updates the metrics once per batch, because a metric lookup per delivery is slow. */
class BatchMeasure {
  #kept = 0;
  #redelivered = 0;
  #unrouted = 0;
  #dead = 0;
  #bytes = 0;
  #conflicts = 0;
  #ahead = 0;
  readonly #letters = new Map<DeadReason, number>();
  readonly #parts = new Map<DeadReason, number>();

  add({ outcome, conflict }: Taken, bytes: number, ahead: boolean): void {
    this.#bytes += bytes;
    if (conflict) this.#conflicts += 1;
    if (ahead) this.#ahead += 1;
    if (outcome.kind === 'kept') {
      this.#kept += 1;
      if (outcome.refused.length > 0) {
        // All refused parts of a delivery share one dead letter, which has the first part's reason.
        const first = outcome.refused.find(({ reason }) => causesDeadLetter(reason));
        if (first !== undefined) increment(this.#letters, first.reason);
        for (const { reason } of outcome.refused) increment(this.#parts, reason);
      }
    } else if (outcome.kind === 'redelivered') this.#redelivered += 1;
    else if (outcome.kind === 'unrouted') this.#unrouted += 1;
    else {
      this.#dead += 1;
      increment(this.#letters, outcome.reason);
    }
  }

  report(metrics: Metrics<IngestionMetrics>, source: string): void {
    metrics.count('aorta_deliveries_total', { source, outcome: 'kept' }, this.#kept);
    metrics.count('aorta_deliveries_total', { source, outcome: 'redelivered' }, this.#redelivered);
    metrics.count('aorta_deliveries_total', { source, outcome: 'unrouted' }, this.#unrouted);
    metrics.count('aorta_deliveries_total', { source, outcome: 'dead_letter' }, this.#dead);
    metrics.count('aorta_delivery_bytes_total', { source }, this.#bytes);
    metrics.count('aorta_delivery_conflicts_total', { source }, this.#conflicts);
    metrics.count('aorta_receipts_ahead_total', { source }, this.#ahead);
    for (const [reason, count] of this.#letters) metrics.count('aorta_dead_letters_total', { source, reason }, count);
    for (const [reason, count] of this.#parts) metrics.count('aorta_refused_parts_total', { source, reason }, count);
  }
}

/** Passes the batches of one source through the chain. Decides when to flush, and when to save the redelivery window. */
export class PacedChain<Position> {
  readonly #log: StreamLog;
  readonly #window: RedeliveryWindow;
  readonly #ready: PacedChainOptions['ready'];
  readonly #onProgress: PacedChainOptions['onProgress'];
  readonly #now: () => number;
  readonly #metrics: Metrics<IngestionMetrics>;
  readonly #progress: Progress;
  readonly #source: string;
  /** Name of this source's consumer in progress reports. */
  readonly #part: string;
  readonly #pace: Pace;
  readonly #chain: (delivery: Delivery) => Taken;
  readonly #remember: (delivery: Delivery) => void;
  readonly #committer: Committer<Position>;
  readonly #tally = new RunningTally();
  #sinceSave = 0;

  constructor(
    source: Pick<Source<Position>, 'name' | 'commit' | 'onDeadLetter'>,
    log: StreamLog,
    { window, metrics = silentMetrics, progress = new Progress(), onStep = unobserved, ...options }: PacedChainOptions,
  ) {
    this.#log = log;
    this.#window = window;
    this.#ready = options.ready;
    this.#onProgress = options.onProgress;
    this.#now = options.now ?? Date.now;
    this.#metrics = metrics;
    this.#progress = progress;
    this.#source = source.name;
    this.#part = consumerPart(source.name);
    this.#pace = { ...defaultPace, ...options.pace };
    this.#chain = createChain({
      log,
      window,
      router: options.router ?? createRouter(),
      bodyBytes: options.bodyBytes ?? BODY_BYTES,
      read: options.read,
      ...(source.onDeadLetter === undefined
        ? {}
        : { onDeadLetter: (delivery, letter) => source.onDeadLetter?.(delivery, letter) }),
    });
    this.#remember = rememberIn(window);
    this.#committer = new Committer(source, log, onStep, metrics, options.permission);
  }

  get tally(): Tally {
    return this.#tally.now();
  }

  /** Aborts when a flush or commit fails. The caller must then stop, and {@link settle} rejects with the error. */
  get broken(): AbortSignal {
    return this.#committer.broken;
  }

  /** Waits for `work`, and reports the wait and its reason in the progress of this source. */
  during<T>(why: string, work: Promise<T>, options: WaitOptions = {}): Promise<T> {
    return this.#progress.during(this.#part, why, work, options);
  }

  /** Waits until the loader can accept more records or the signal aborts. Rejects if the loader has failed. */
  async untilReady(signal: AbortSignal): Promise<void> {
    if (this.#ready === undefined) return;
    // A loader step may take a long time, so this wait has a longer deadline.
    await this.during('loading is behind', untilAborted(this.#ready(), signal), { deadlineMs: LONG_STEP_MS });
  }

  /** Passes a batch through the chain. Then flushes and saves the redelivery window if a threshold is reached. */
  async take(batch: DeliveryBatch<Position>): Promise<void> {
    const window = this.#window;
    const measure = new BatchMeasure();
    const now = this.#now();
    for (const delivery of batch.deliveries) {
      if (!window.covers(delivery.source, delivery.partition, delivery.offset)) await this.#cover(delivery);
      if (batch.before === true) this.#remember(delivery);
      else this.#takeOne(delivery, measure, now);
    }
    measure.report(this.#metrics, this.#source);
    this.#committer.add(batch.position, batch.deliveries.length);
    this.#sinceSave += batch.deliveries.length;
    this.#onProgress?.(this.tally);
    if (batch.awaited === true) await this.settle('the source waits for a flush');
    await this.#flushOrSave();
  }

  /** Waits until all accepted deliveries are durable and committed. Rejects with the error of a failed flush or commit. */
  settle(why: string): Promise<void> {
    return this.during(why, this.#committer.settle());
  }

  saveWindow(): Promise<void> {
    return this.during('the redelivery window is saved', this.#window.save());
  }

  /**
   * Flushes on a timer, because a source may yield no batch for hours. If `ready` is given, the timer also calls it, to
   * find out whether the loader has failed. The returned function stops the timer.
   */
  flushWhenQuiet(ready?: () => Promise<void>): () => void {
    let asking = false;
    const timer = setInterval(() => {
      this.#committer.begin();
      if (ready === undefined || asking) return;
      asking = true;
      ready().then(
        () => {
          asking = false;
        },
        (error: unknown) => this.#committer.fail(error),
      );
    }, this.#pace.flushAfterMs);
    return () => clearInterval(timer);
  }

  /** Waits for a running flush, if any. Never rejects. */
  flushed(): Promise<void> {
    return this.#committer.flushed();
  }

  #takeOne(delivery: Delivery, measure: BatchMeasure, now: number): void {
    const taken = this.#chain(delivery);
    const ahead = isAhead(delivery.receivedAt, now);
    measure.add(taken, delivery.body.length, ahead);
    this.#tally.count(taken, ahead);
  }

  /** Restores the redelivery window from disk or from the streams, so that it covers the delivery. */
  async #cover({ source, partition, offset }: Delivery): Promise<void> {
    const begun = performance.now();
    const restored = this.#committer.settle().then(() => this.#window.restore(source, partition, offset));
    await this.during('the redelivery window is read again', restored, { deadlineMs: LONG_STEP_MS });
    const labels = { source: this.#source };
    this.#metrics.count('aorta_redelivery_window_restores_total', labels);
    this.#metrics.observe('aorta_redelivery_window_restore_seconds', labels, (performance.now() - begun) / 1000);
  }

  async #flushOrSave(): Promise<void> {
    const { maxPendingBytes, flushBytes, flushDeliveries, saveDeliveries } = this.#pace;
    const gathered = this.#log.pendingBytes();
    if (gathered >= maxPendingBytes) await this.settle('memory is full until a flush has ended');
    else if (gathered >= flushBytes || this.#committer.deliveries >= flushDeliveries) this.#committer.begin();
    const isOverLimit = this.#window.isOverLimit();
    if (!isOverLimit && this.#sinceSave < saveDeliveries) return;
    await this.settle('a flush before the redelivery window is saved');
    if (isOverLimit) await this.during('the redelivery window is saved', this.#window.evict());
    if (this.#sinceSave < saveDeliveries) return;
    await this.saveWindow();
    this.#sinceSave = 0;
  }
}

/** Settles in the same way as `promise`, but resolves with undefined if the signal aborts first. */
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
