import { AortaError } from '@aorta/runtime';
import type { StreamName, TableDeclaration } from '@aorta/schemas';
import type { Landed, LandedPartition, LandingBatch } from '../../warehouse.ts';
import type { JobRunner } from '../client/jobs.ts';
import type { DatasetState } from '../dataset-state.ts';
import type { ResolvedOptions } from '../options.ts';
import { intervalForBacklog, landingInterval, type QuotaGate } from '../quotas/quotas.ts';
import { type LandingSchema, landingSchema } from '../sql/landing.ts';
import { loadBatch, serialiseBatch } from './land-batch.ts';
import { partitionKey } from './positions.ts';

/** A partition that has not been landed for this many milliseconds gets no share of the load jobs. */
const QUIET_MS = 3_600_000;

const DAY_MS = 86_400_000;

/** Lands batches, each into a table of its own. */
export class BigQueryLander {
  readonly #options: ResolvedOptions;
  readonly #jobs: JobRunner;
  readonly #state: DatasetState;
  readonly #gate: QuotaGate;
  /** For a partition whose last batches had no records: the start of its next landing table, and how far it was landed then. */
  readonly #empty = new Map<string, { readonly from: number; readonly landed: Landed }>();
  readonly #landedAt = new Map<string, number>();
  readonly #schemas = new Map<StreamName, LandingSchema>();

  constructor(options: ResolvedOptions, jobs: JobRunner, state: DatasetState, gate: QuotaGate) {
    this.#options = options;
    this.#jobs = jobs;
    this.#state = state;
    this.#gate = gate;
  }

  /** Milliseconds until a partition should be landed again; 0 means now. */
  wait(of: LandedPartition): number {
    const at = this.#landedAt.get(partitionKey(of));
    if (at === undefined) return 0;
    const { stream } = of;
    const partitions = [...this.#landedAt.keys()].filter((key) => key.startsWith(`${stream}/`)).length * this.#options.workers;
    const interval = intervalForBacklog(this.#interval(), this.#state.waiting(stream), partitions);
    return Math.max(0, at + interval - this.#jobs.now());
  }

  perDay(): number {
    return (DAY_MS / this.#interval()) * this.#landedAt.size;
  }

  #interval(): number {
    const { workers, land_every_s, load_jobs_share: loadJobs } = this.#options;
    const now = this.#jobs.now();
    // A partition that has not been landed for a long time has moved to another worker or has no new records.
    for (const [key, at] of this.#landedAt) if (now - at > QUIET_MS) this.#landedAt.delete(key);
    return landingInterval(land_every_s * 1000, this.#landedAt.size, { workers, loadJobs });
  }

  async land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    const { recent_days: recentDays, clock, metrics, onStep } = this.#options;
    const of = { stream: batch.stream, partition: batch.partition ?? 0 };
    const key = partitionKey(of);
    const landed = this.#state.landed(of);
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
    const empty = this.#empty.get(key);
    // No records lie between the start of an empty batch and the position that it landed.
    const from = same && empty?.landed === landed ? Math.min(batch.from, empty.from) : batch.from;
    const position = { incarnation: batch.incarnation, position: batch.to };
    if (batch.records.length === 0) {
      // A batch without records creates no table. The next table begins where this batch begins.
      if (same) {
        this.#empty.set(key, { from, landed: position });
        this.#state.advance(of, position);
      }
      return;
    }
    const schema = this.#schemaOf(batch.stream);
    const whole = { ...batch, from } as unknown as LandingBatch;
    const table = this.#tableOf(batch.stream);
    const serialised = serialiseBatch(whole, schema, { table, recentDays, begins: !same });
    const done = await loadBatch(serialised, schema, {
      jobs: this.#jobs,
      ready: (name) =>
        this.#gate.ready([
          { quota: 'projectLoads' },
          { quota: 'tableLoads', table: name },
          { quota: 'tableUpdates', table: name },
        ]),
      onUploaded: () => onStep('land:begun'),
      now: clock,
    });
    metrics.count('aorta_warehouse_uploaded_bytes_total', { stream: batch.stream }, serialised.bytes);
    this.#state.add(done);
    this.#state.advance(of, position);
    this.#landedAt.set(key, this.#jobs.now());
    onStep('land:durable');
  }

  #tableOf(stream: StreamName): TableDeclaration | undefined {
    return this.#options.tables.find((table) => table.stream === stream);
  }

  #schemaOf(stream: StreamName): LandingSchema {
    let schema = this.#schemas.get(stream);
    if (schema === undefined) {
      schema = landingSchema(stream, this.#tableOf(stream), this.#options.summary_order);
      this.#schemas.set(stream, schema);
    }
    return schema;
  }
}
