import type { Warehouse } from '@aorta/connectors';
import { LONG_STEP_MS, type Metrics, type ProgressReports } from '@aorta/runtime';
import type { LoadingMetrics } from './metrics.ts';
import { PART } from './names.ts';

interface TablesOptions {
  readonly warehouse: Warehouse;
  readonly metrics: Metrics<LoadingMetrics>;
  readonly progress: ProgressReports;
}

/** What the loader does for the tables once records are landed: merges, publishes, and reports an upgrade. */
export class Tables {
  readonly #options: TablesOptions;
  /** The warehouse has nothing to say of an upgrade, or has said it. */
  #upgradeReported = false;
  /** The report under way. */
  #upgradeReport: Promise<boolean> | undefined;
  /** The publication under way that nobody waits for. */
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

  /** Begins a publication if one is due and none is under way. Landing goes on meanwhile. `failed` hears why it failed. */
  publishDue(failed: (error: unknown) => void): void {
    this.#publication ??= this.publish('due')
      .catch(failed)
      .finally(() => {
        this.#publication = undefined;
      });
  }

  /** Resolves when no publication of {@link publishDue} is under way. */
  async published(): Promise<void> {
    await this.#publication;
  }

  /** Reports, once, what an upgrade of the warehouse could not put right. Call it when everything is landed. */
  async reportUpgrade(caughtUp: () => boolean): Promise<void> {
    const { warehouse } = this.#options;
    if (this.#upgradeReported || !caughtUp()) return;
    this.#upgradeReport ??= (warehouse.reportUpgrade?.() ?? Promise.resolve(true)).finally(() => {
      this.#upgradeReport = undefined;
    });
    this.#upgradeReported = await this.#upgradeReport;
  }
}
