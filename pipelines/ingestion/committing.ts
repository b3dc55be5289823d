import type { Source, StreamLog } from '@aorta/connectors';
import type { Metrics, StepObserver } from '@aorta/runtime';
import type { IngestionMetrics } from './metrics.ts';

export interface CommittingOptions {
  readonly onStep: StepObserver;
  readonly metrics: Metrics<IngestionMetrics>;
  /** Nothing is flushed before it. If it rejects, nothing more may be taken. */
  readonly permission?: Promise<void> | undefined;
}

/**
 * Flushes the log and commits source positions behind it: one flush at a time, each covering the positions taken before
 * it began, committed in order once it is durable.
 */
export class Committing<Position> {
  readonly #source: Pick<Source<Position>, 'name' | 'commit'>;
  readonly #log: StreamLog;
  readonly #onStep: StepObserver;
  readonly #metrics: Metrics<IngestionMetrics>;
  readonly #permission: Promise<void> | undefined;
  readonly #breaking = new AbortController();
  #positions: Position[] = [];
  #deliveries = 0;
  #flight: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    source: Pick<Source<Position>, 'name' | 'commit'>,
    log: StreamLog,
    { onStep, metrics, permission }: CommittingOptions,
  ) {
    this.#source = source;
    this.#log = log;
    this.#onStep = onStep;
    this.#metrics = metrics;
    this.#permission = permission;
  }

  /** Aborts when a flush or commit has failed: nothing more may be taken, and {@link settle} rejects with the reason. */
  get broken(): AbortSignal {
    return this.#breaking.signal;
  }

  /** Deliveries taken since the last flush began. */
  get deliveries(): number {
    return this.#deliveries;
  }

  /** All deliveries up to a position were appended. */
  taken(position: Position, deliveries: number): void {
    this.#positions.push(position);
    this.#deliveries += deliveries;
  }

  /** Begins a flush, unless one is on its way or there is nothing to commit. */
  begin(): void {
    if (this.#flight === undefined && this.#failure === undefined && this.#positions.length > 0) this.#flight = this.#fly();
  }

  /** Waits until everything appended is durable and everything taken is committed. Rejects with what made a flush or commit fail. */
  async settle(): Promise<void> {
    await this.#flight;
    if (this.#failure === undefined) {
      this.#flight = this.#fly();
      await this.#flight;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits for the flush that is on its way, if any; never rejects. */
  async landed(): Promise<void> {
    await this.#flight;
  }

  /** What comes behind the streams has failed: nothing more may be taken, as when a flush has failed. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#breaking.abort();
  }

  async #fly(): Promise<void> {
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
      this.#flight = undefined;
    }
  }
}
