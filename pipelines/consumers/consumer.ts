import { setImmediate } from 'node:timers/promises';
import type { StreamLog } from '@aorta/streams';
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
} from '@aorta/telemetry';
import { BatchMeasure } from './batch-measure.ts';
import { createChain, type ReadEvent, rememberIn } from './chain.ts';
import { Committing } from './committing.ts';
import type { Delivery, DeliveryBatch, Source } from './delivery.ts';
import { DistinctReceipts } from './distinct-receipts.ts';
import type { RedeliveryWindow } from './redelivery-window/window.ts';
import { createRouter, type Router } from './router.ts';
import { RunningTally, type Tally } from './tally.ts';

/** Amounts by which the consumer paces itself. */
export interface Pace {
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
  readonly metrics?: Metrics;
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

const BODY_BYTES = 64 * 1024 * 1024;

/**
 * Takes deliveries from a source through the chain into the streams, until the source is drained, fails, or the signal
 * says stop. A position is committed only after the flush that covers it. While a flush is on its way, the next batches
 * are taken. Rejects where the log, the source's commit or the window's snapshot fails (AORTA-DATA-UNWRITABLE): then
 * nothing is committed that is not durable.
 */
export async function consume<Position>(source: Source<Position>, log: StreamLog, options: ConsumeOptions): Promise<Consumption> {
  const { window, logger = silentLogger, metrics = silentMetrics, progress = new Progress(), onStep = unobserved } = options;
  const part = consumerPart(source.name);
  const pace: Pace = { ...defaultPace, ...options.pace };
  const seen = new DistinctReceipts();
  const tally = new RunningTally();
  const take = createChain({
    log,
    window,
    router: options.router ?? createRouter(),
    bodyBytes: options.bodyBytes ?? BODY_BYTES,
    ...(options.read === undefined ? {} : { read: options.read }),
    ...(source.buried === undefined ? {} : { onDeadLetter: (delivery, letter) => source.buried?.(delivery, letter) }),
  });
  const remember = rememberIn(window);
  const committing = new Committing(source, log, onStep, metrics, options.permission);
  const stopping = AbortSignal.any([committing.broken, ...(options.signal === undefined ? [] : [options.signal])]);
  let sinceSave = 0;

  const cover = async (delivery: Delivery): Promise<void> => {
    const begun = performance.now();
    const restored = committing.settle().then(() => window.restore(delivery.source, delivery.partition, delivery.offset));
    await progress.during(part, 'the redelivery window is read again', restored, { deadlineMs: LONG_STEP_MS });
    metrics.count('aorta_redelivery_window_restores_total', { source: source.name });
    metrics.observe('aorta_redelivery_window_restore_seconds', { source: source.name }, (performance.now() - begun) / 1000);
  };

  const settle = (why: string): Promise<void> => progress.during(part, why, committing.settle());

  const takeBatch = async (batch: DeliveryBatch<Position>): Promise<void> => {
    const measure = new BatchMeasure();
    for (const delivery of batch.deliveries) {
      if (!window.covers(delivery.source, delivery.partition, delivery.offset)) await cover(delivery);
      if (batch.before === true) {
        remember(delivery);
        continue;
      }
      const { outcome, conflict } = take(delivery);
      measure.add(outcome, conflict, delivery.body.length);
      const { source: from, partition, offset, receivedAt } = delivery;
      if (seen.add(from, partition, offset, receivedAt)) tally.count(outcome, conflict);
    }
    measure.tell(metrics, source.name);
    committing.taken(batch.position, batch.deliveries.length);
    sinceSave += batch.deliveries.length;
  };

  const paceItself = async (): Promise<void> => {
    if (log.pendingBytes() >= pace.maxPendingBytes) await settle('memory is full until a flush has ended');
    else if (log.pendingBytes() >= pace.flushBytes || committing.deliveries >= pace.flushDeliveries) committing.begin();
    const crowded = window.crowded();
    if (!crowded && sinceSave < pace.saveDeliveries) return;
    await settle('a flush before the redelivery window is saved');
    if (crowded) await progress.during(part, 'the redelivery window is saved', window.shed());
    if (sinceSave >= pace.saveDeliveries) {
      await progress.during(part, 'the redelivery window is saved', window.save());
      sinceSave = 0;
    }
  };

  const batches = source.batches(stopping)[Symbol.asyncIterator]();
  let asking = false;
  const quiet = setInterval(() => {
    committing.begin();
    if (options.ready === undefined || asking) return;
    // A source may be quiet for hours: a job that has failed ends the wait for it, too.
    asking = true;
    options.ready().then(
      () => {
        asking = false;
      },
      (error: unknown) => committing.fail(error),
    );
  }, pace.flushAfterMs);
  let ended: Consumption['ended'] = 'drained';
  let failure: AortaError | undefined;
  try {
    while (true) {
      if (options.ready !== undefined) {
        // A job may be in a step that takes long; it has a deadline of its own.
        const ready = untilAborted(options.ready(), stopping);
        await progress.during(part, 'the jobs are behind', ready, { deadlineMs: LONG_STEP_MS });
      }
      if (stopping.aborted) break;
      let next: IteratorResult<DeliveryBatch<Position>> | undefined;
      try {
        const taken = untilAborted(batches.next(), stopping);
        next = await progress.during(part, 'nothing new from the source', taken, { deadlineMs: Number.POSITIVE_INFINITY });
      } catch (error) {
        failure = isAortaError(error) ? error : unexpected(source.name, error);
        logger.error('source failed', { source: source.name, ...errorFields(failure) });
        break;
      }
      if (next === undefined || next.done === true) break;
      await takeBatch(next.value);
      options.onProgress?.(tally.now());
      if (next.value.awaited === true) await settle('the source waits for a flush');
      await paceItself();
      // The jobs of the same process want their turn.
      await setImmediate();
    }
    if (failure !== undefined) ended = 'failed';
    else if (stopping.aborted) ended = 'stopped';
    await settle('the last flush');
    await progress.during(part, 'the redelivery window is saved', window.save());
  } finally {
    clearInterval(quiet);
    await committing.landed();
    // Not awaited: a generator that waits for its peer would keep a stop waiting. It has the signal.
    batches.return?.().catch(() => {});
    if (source.close !== undefined) await progress.during(part, 'the source is closed', source.close());
  }
  return { ended, tally: tally.now(), ...(failure === undefined ? {} : { error: failure }) };
}

/** The part of the program that takes deliveries from a source, as its waits name it. A source's lanes name it as theirs. */
export function consumerPart(source: string): string {
  return `consumer ${source}`;
}

/** What the promise gives, or undefined as soon as the signal aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
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
