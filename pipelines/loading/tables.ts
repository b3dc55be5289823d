import type { Warehouse } from '@aorta/connectors';
import { LONG_STEP_MS, type Metrics, type ProgressReports } from '@aorta/runtime';
import type { LoadingMetrics } from './metrics.ts';
import { PART } from './partitions.ts';

/** Merges landed records into the tables, publishes the tables, and requests the warehouse's report about an upgrade. */
export class Tables {
  readonly #warehouse: Warehouse;
  readonly #metrics: Metrics<LoadingMetrics>;
  readonly #progress: ProgressReports;
  /** Whether the upgrade report has been completed, or no report was needed. */
  #upgradeReported = false;
  /** The upgrade report that is in progress. */
  #upgradeReport: Promise<boolean> | undefined;
  /** The publication that is running in the background. */
  #publication: Promise<void> | undefined;

  constructor(warehouse: Warehouse, metrics: Metrics<LoadingMetrics>, progress: ProgressReports) {
    this.#warehouse = warehouse;
    this.#metrics = metrics;
    this.#progress = progress;
  }

  async merge(extent: 'due' | 'all'): Promise<void> {
    const { targets } = await this.#progress.during(PART, 'merging', this.#warehouse.merge(extent), { deadlineMs: LONG_STEP_MS });
    for (const { table, range, rows, milliseconds } of targets) {
      this.#metrics.observe('aorta_merge_seconds', { table, range }, milliseconds / 1000);
      this.#metrics.count('aorta_merge_rows_total', { table, range }, rows);
    }
  }

  async publish(pace: 'due' | 'now'): Promise<void> {
    const begun = performance.now();
    if (await this.#progress.during(PART, 'publishing', this.#warehouse.publish(pace), { deadlineMs: LONG_STEP_MS }))
      this.#metrics.observe('aorta_publish_seconds', {}, (performance.now() - begun) / 1000);
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

  /** After all records have been landed, requests the warehouse's upgrade report. Does nothing once the report is complete. */
  async reportUpgrade(caughtUp: () => boolean): Promise<void> {
    if (this.#upgradeReported || !caughtUp()) return;
    this.#upgradeReport ??= (this.#warehouse.reportUpgrade?.() ?? Promise.resolve(true)).finally(() => {
      this.#upgradeReport = undefined;
    });
    this.#upgradeReported = await this.#upgradeReport;
  }
}
