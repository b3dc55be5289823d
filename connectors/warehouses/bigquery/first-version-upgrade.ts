import { type Logger, silentLogger, unobserved } from '@aorta/runtime';
import { deliveries } from '@aorta/schemas';
import { orderFirstVersions, reportNotConfirmed } from './first-versions.ts';
import type { BigQueryWarehouseOptions, Parts } from './parts.ts';
import { FORMAT, type factsOf } from './sql/index.ts';

/** Minimum time in milliseconds before checking again whether all workers have landed the affected streams again. */
const LOOK_MS = 60_000;

/**
 * Runs the upgrade that corrects the order in which first versions of records are merged. The upgrade starts when the dataset is
 * opened. When all affected streams have been landed again, it warns about rows that are still not confirmed.
 */
export class FirstVersionUpgrade {
  readonly #options: BigQueryWarehouseOptions;
  readonly #parts: Parts;
  readonly #logger: Logger;
  #isReported = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: BigQueryWarehouseOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Runs the upgrade unless the dataset records that it is complete. */
  async begin(facts: ReturnType<typeof factsOf>): Promise<void> {
    const { again, ready } = this.#parts;
    const { summary_order: order, onStep = unobserved } = this.#options;
    again.add(facts.again);
    // A dataset without a recorded format is new and needs no upgrade.
    if (facts.format !== undefined && (facts.format < FORMAT || !facts.isUpgraded))
      await orderFirstVersions({ ...this.#parts, order, ready, logger: this.#logger, onStep });
    this.#isReported = facts.isConfirmed || again.streams.length === 0;
  }

  /**
   * Warns about rewritten rows whose records have not been merged again. Returns false until all workers have landed the affected
   * streams again.
   */
  async report(): Promise<boolean> {
    const { workers, owns = () => true } = this.#options;
    const { state, again } = this.#parts;
    if (this.#isReported || !owns(deliveries.name)) return true;
    if (state.batches().some(({ stream }) => again.has(stream))) return false;
    const now = performance.now();
    if (workers > 1 && now - this.#lookedAt < LOOK_MS) return false;
    this.#lookedAt = now;
    this.#isReported = await reportNotConfirmed({ ...this.#parts, beside: workers > 1, logger: this.#logger });
    return this.#isReported;
  }
}
