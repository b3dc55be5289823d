import type { Warehouse } from '@aorta/connectors';
import { LONG_STEP_MS, type Metrics, type ProgressReports } from '@aorta/runtime';
import type { LoadingMetrics } from './metrics.ts';
import { PART } from './names.ts';

interface TablesOptions {
  readonly warehouse: Warehouse;
  readonly metrics: Metrics<LoadingMetrics>;
  readonly progress: ProgressReports;
}

/** Merges landed records into the tables, and publishes the tables. */
export class Tables {
  readonly #options: TablesOptions;
  /** The publication that is running in the background. */
  #publication: Promise<void> | undefined;

  constructor(options: TablesOptions) {
    this.#options = options;
  }

  async merge(extent: 'due' | 'all'): Promise<void> {
    const { warehouse, metrics, progress } = this.#options;
    const { targets } = await progress.during(PART, 'merging', warehouse.merge(extent), { deadlineMs: LONG_STEP_MS });
    for (const { table, range, rows, milliseconds } of targets) {
      metrics.observe('aorta_merge_seconds', { table, range }, milliseconds / 1000);
      metrics.count('aorta_merge_rows_total', { table, range }, rows);
    }
  }

  async publish(pace: 'due' | 'now'): Promise<void> {
    const { warehouse, metrics, progress } = this.#options;
    const begun = performance.now();
    if (await progress.during(PART, 'publishing', warehouse.publish(pace), { deadlineMs: LONG_STEP_MS }))
      metrics.observe('aorta_publish_seconds', {}, (performance.now() - begun) / 1000);
  }

  /** Starts a publication in the background if one is due and none is running. If it fails, calls `failed` with the error. */
  publishDue(failed: (error: unknown) => void): void {
    this.#publication ??= this.publish('due')
      .catch(failed)
      .finally(() => {
        this.#publication = undefined;
      });
  }

  /** Waits for the publication that {@link publishDue} started, if it is still running. */
  async published(): Promise<void> {
    await this.#publication;
  }
}
