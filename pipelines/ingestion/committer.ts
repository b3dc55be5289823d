import type { Source, StreamLog } from '@aorta/connectors';
import type { Metrics, StepObserver } from '@aorta/runtime';
import type { IngestionMetrics } from './metrics.ts';

/**
 * Flushes the log, and then commits the source's positions. One flush runs at a time. A flush covers the positions that
 * were added before it began, and commits them in order once their records are durable.
 */
export class Committer<Position> {
  readonly #source: Pick<Source<Position>, 'name' | 'commit'>;
  readonly #log: StreamLog;
  readonly #onStep: StepObserver;
  readonly #metrics: Metrics<IngestionMetrics>;
  /** Every flush waits for this promise. If it rejects, the flush fails and ingestion stops. */
  readonly #permission: Promise<void> | undefined;
  readonly #breaking = new AbortController();
  #positions: Position[] = [];
  #deliveries = 0;
  #flushing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    source: Pick<Source<Position>, 'name' | 'commit'>,
    log: StreamLog,
    onStep: StepObserver,
    metrics: Metrics<IngestionMetrics>,
    permission: Promise<void> | undefined,
  ) {
    this.#source = source;
    this.#log = log;
    this.#onStep = onStep;
    this.#metrics = metrics;
    this.#permission = permission;
  }

  /** Aborts when a flush or commit fails. The consumer must then stop, and {@link settle} rejects with the error. */
  get broken(): AbortSignal {
    return this.#breaking.signal;
  }

  /** Number of deliveries appended since the last flush began. */
  get deliveries(): number {
    return this.#deliveries;
  }

  /** Notes that all deliveries up to this position have been appended. */
  add(position: Position, deliveries: number): void {
    this.#positions.push(position);
    this.#deliveries += deliveries;
  }

  /** Starts a flush, unless a flush is running or there is nothing to commit. */
  begin(): void {
    if (this.#flushing === undefined && this.#failure === undefined && this.#positions.length > 0) this.#flushing = this.#flush();
  }

  /** Waits until all appended records are durable and their positions are committed. Rejects if a flush or commit failed. */
  async settle(): Promise<void> {
    await this.#flushing;
    if (this.#failure === undefined) {
      this.#flushing = this.#flush();
      await this.#flushing;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits for the running flush, if any. Never rejects. */
  async flushed(): Promise<void> {
    await this.#flushing;
  }

  /** Reports the failure of a later stage, such as the loader. This failure stops ingestion in the same way as a failed flush. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#breaking.abort();
  }

  async #flush(): Promise<void> {
    const positions = this.#positions;
    this.#positions = [];
    this.#deliveries = 0;
    const begun = performance.now();
    try {
      await this.#permission;
      await this.#log.flush();
      if (positions.length > 0) {
        await this.#source.commit(positions);
        this.#onStep('source:committed');
        this.#metrics.observe('aorta_flush_seconds', { source: this.#source.name }, (performance.now() - begun) / 1000);
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.#flushing = undefined;
    }
  }
}
