import { AortaError, type Metrics, type StepObserver } from '@aorta/runtime';
import type { StreamName, TableDeclaration } from '@aorta/schemas';
import type { Landed, LandedPartition, LandingBatch } from '../../../warehouse.ts';
import type { JobRunner } from '../client/jobs.ts';
import type { BigQueryMetrics } from '../metrics.ts';
import type { BigQuerySettings } from '../options.ts';
import { landingInterval, type QuotaUse } from '../quotas/quotas.ts';
import { type LandingSchema, landingSchema } from '../sql/landing.ts';
import { intervalForBacklog } from './backlog-limit.ts';
import { loadBatch, serialiseBatch } from './land-batch.ts';
import type { LandedBatch } from './landed-batch.ts';
import { type Coverage, partitionKey } from './positions.ts';

export interface LanderOptions {
  readonly jobs: JobRunner;
  readonly settings: Pick<BigQuerySettings, 'land_every_s' | 'load_jobs_share' | 'recent_days' | 'summary_order' | 'workers'>;
  readonly tables: readonly TableDeclaration[];
  readonly ready: (uses: readonly QuotaUse[]) => Promise<void>;
  readonly clock: () => number;
  readonly now: () => number;
  readonly metrics: Metrics<BigQueryMetrics>;
  readonly onStep: StepObserver;
  readonly onLanded: (batch: LandedBatch) => void;
  /** Number of a stream's landing tables that are not dropped yet, including those of other workers. */
  readonly waiting: (stream: StreamName) => number;
}

/** A partition that has not been landed for this many milliseconds gets no share of the load jobs. */
const QUIET_MS = 3_600_000;

const DAY_MS = 86_400_000;

export class Lander {
  readonly #options: LanderOptions;
  readonly #positions = new Map<string, Landed>();
  /** Start of each partition's next landing table, if it is before the landed position. No records lie between the two positions. */
  readonly #durable = new Map<string, number>();
  readonly #landedAt = new Map<string, number>();
  readonly #schemas = new Map<StreamName, LandingSchema>();

  constructor(options: LanderOptions) {
    this.#options = options;
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#positions.get(partitionKey(of));
  }

  /** Updates the landed positions after a refresh, which also finds the batches that other workers have landed. */
  learn(landed: Coverage['landed']): void {
    for (const [key, position] of landed) {
      const known = this.#positions.get(key);
      // A batch that this worker has landed meanwhile is newer.
      if (known?.incarnation === position.incarnation && known.position >= position.position) continue;
      this.#positions.set(key, position);
      this.#durable.delete(key);
    }
  }

  /** Milliseconds until a partition should be landed again; 0 means now. */
  wait(of: LandedPartition): number {
    const at = this.#landedAt.get(partitionKey(of));
    if (at === undefined) return 0;
    const { stream } = of;
    const partitions =
      [...this.#landedAt.keys()].filter((key) => key.startsWith(`${stream}/`)).length * this.#options.settings.workers;
    const interval = intervalForBacklog(this.#interval(), this.#options.waiting(stream), partitions);
    return Math.max(0, at + interval - this.#options.now());
  }

  perDay(): number {
    return (DAY_MS / this.#interval()) * this.#landedAt.size;
  }

  #interval(): number {
    const { settings, now } = this.#options;
    // A partition that has not been landed for a long time has moved to another worker or has no new records.
    for (const [key, at] of this.#landedAt) if (now() - at > QUIET_MS) this.#landedAt.delete(key);
    return landingInterval(settings.land_every_s * 1000, this.#landedAt.size, {
      workers: settings.workers,
      loadJobs: settings.load_jobs_share,
    });
  }

  async land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    const { jobs, settings, ready, clock, now, metrics, onStep, onLanded } = this.#options;
    const key = partitionKey({ stream: batch.stream, partition: batch.partition ?? 0 });
    const landed = this.#positions.get(key);
    const same = landed?.incarnation === batch.incarnation;
    if (same) {
      if (landed.position >= batch.to) return;
      // A previous worker's load job may end after that worker has stopped, so batches may overlap. They must not leave a gap.
      if (landed.position < batch.from)
        throw new AortaError('AORTA-BUG', {
          place: 'landing',
          problem: `${key} is landed up to ${landed.position}, but the batch begins at ${batch.from}`,
        });
    }
    const from = Math.min(batch.from, (same ? this.#durable.get(key) : undefined) ?? batch.from);
    if (batch.records.length === 0) {
      // A batch without records creates no table. The next table begins where this batch begins.
      if (same) {
        this.#durable.set(key, from);
        this.#positions.set(key, { incarnation: batch.incarnation, position: batch.to });
      }
      return;
    }
    const schema = this.#schemaOf(batch.stream);
    const whole = { ...batch, from } as unknown as LandingBatch;
    const table = this.#tableOf(batch.stream);
    const serialised = serialiseBatch(whole, schema, { table, recentDays: settings.recent_days, begins: !same });
    const done = await loadBatch(serialised, schema, {
      jobs,
      ready: (name) =>
        ready([{ quota: 'projectLoads' }, { quota: 'tableLoads', table: name }, { quota: 'tableUpdates', table: name }]),
      onUploaded: () => onStep('land:begun'),
      now: clock,
    });
    metrics.count('aorta_warehouse_uploaded_bytes_total', { stream: batch.stream }, serialised.bytes);
    onLanded(done);
    this.#durable.delete(key);
    this.#positions.set(key, { incarnation: batch.incarnation, position: batch.to });
    this.#landedAt.set(key, now());
    onStep('land:durable');
  }

  #tableOf(stream: StreamName): TableDeclaration | undefined {
    return this.#options.tables.find((table) => table.stream === stream);
  }

  #schemaOf(stream: StreamName): LandingSchema {
    let schema = this.#schemas.get(stream);
    if (schema === undefined) {
      schema = landingSchema(stream, this.#tableOf(stream), this.#options.settings.summary_order);
      this.#schemas.set(stream, schema);
    }
    return schema;
  }
}
