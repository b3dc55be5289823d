import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { AortaError, type SetGauge, silentLogger, silentMetrics, systemTime, unobserved } from '@aorta/runtime';
import { tables as declaredTables, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { WarehouseError } from '../errors.ts';
import { landedTable } from '../privacy.ts';
import type {
  ErasureReceipt,
  Landed,
  LandedPartition,
  LandingBatch,
  MergeReport,
  TimedWait,
  WaitingMerge,
  Warehouse,
} from '../warehouse.ts';
import { MergeRounds } from '../warehouses/merging/merge-rounds.ts';
import type { MergeRules } from '../warehouses/merging/plan.ts';
import { SetAside } from '../warehouses/merging/set-aside.ts';
import { TIME_ZONES } from '../warehouses/time-zones.ts';
import { type JobRunner, listedRows } from './client/jobs.ts';
import { openJobs } from './client/official-client.ts';
import { SpendingLog } from './cost/spending-log.ts';
import { DatasetState } from './dataset-state.ts';
import { eraseUser } from './erasure.ts';
import { wordsOf } from './errors/call-failed.ts';
import { realSurroundings } from './errors/retries.ts';
import type { LandedBatch } from './landing/landed-batch.ts';
import { BigQueryLander } from './landing/lander.ts';
import { checkDataset, countRows, prepareTables } from './layout.ts';
import { DatasetMergeRound } from './merging/merge-round.ts';
import { mergeRules, waitingMerges } from './merging/merge-rules.ts';
import { allTargets, BigQueryMerger } from './merging/merger.ts';
import { TablePace } from './merging/table-pace.ts';
import type { BigQueryMetrics } from './metrics.ts';
import { addressOf, type BigQueryWarehouseOptions, type ResolvedOptions } from './options.ts';
import { QuotaGate } from './quotas/quotas.ts';
import { beginStatements, FORMAT, factsOf } from './sql/facts.ts';
import { type WantedTable, wantedTables } from './tables/declared.ts';
import { fillTimeZones } from './time-zones.ts';

/** Maximum age of a worker's view of the dataset, in milliseconds, when the worker is assigned a partition. */
const SEEN_MS = 2_000;

/** Current pauses before retries, by step. */
class Pauses {
  readonly #now: () => number;
  readonly #last = new Map<string, TimedWait>();

  /** `now` returns the time by `steadyNow`. */
  constructor(now: () => number) {
    this.#now = now;
  }

  begin(step: string, reason: string, milliseconds: number): void {
    const since = this.#now();
    this.#last.set(step, { reason: `${reason} (${step})`, since, dueAt: since + milliseconds });
  }

  waits(): TimedWait[] {
    const now = this.#now();
    for (const [step, { dueAt }] of this.#last) if (dueAt <= now) this.#last.delete(step);
    return [...this.#last.values()];
  }
}

function resolved(options: BigQueryWarehouseOptions): ResolvedOptions {
  const { surroundings = realSurroundings, tables = declaredTables } = options;
  const {
    owns = () => true,
    logger = silentLogger,
    metrics = silentMetrics,
    onStep = unobserved,
    clock = surroundings.now,
  } = options;
  const landed = tables.map((table) => landedTable(table, options.privacy));
  return { ...options, owns, logger, metrics, onStep, clock, tables: landed };
}

class BigQueryWarehouse implements Warehouse {
  readonly #options: ResolvedOptions;
  readonly #wanted: readonly WantedTable[];
  readonly #jobs: JobRunner;
  readonly #spending: SpendingLog;
  readonly #gate: QuotaGate;
  readonly #pauses: Pauses;
  readonly #state: DatasetState;
  readonly #lander: BigQueryLander;
  readonly #pace: TablePace;
  readonly #setAside = new SetAside();
  readonly #rules: MergeRules<TableDeclaration, LandedBatch>;
  readonly #merger: BigQueryMerger;
  readonly #rounds: MergeRounds;
  readonly #unwatch: () => void;
  #closed = false;

  /** Connects the parts of a dataset, without a call to BigQuery. */
  constructor(options: BigQueryWarehouseOptions) {
    const { surroundings = realSurroundings, worker = `${hostname()}-${process.pid}`, workers } = options;
    const { now } = surroundings;
    this.#options = resolved(options);
    const { tables, owns, logger, metrics } = this.#options;
    this.#wanted = wantedTables(tables, options.team);
    this.#pauses = new Pauses(now);
    this.#jobs = openJobs(options, {
      patience: options.patience,
      surroundings,
      onPause: (step, reason, milliseconds) => {
        metrics.count('aorta_warehouse_retries_total', { reason });
        logger.warn('retrying a call to BigQuery', { step, reason: wordsOf(reason), pause_ms: Math.round(milliseconds) });
        this.#spending.waited(wordsOf(reason), milliseconds);
        this.#pauses.begin(step, wordsOf(reason), milliseconds);
      },
      onBilled: (job) => this.#spending.billed(job),
    });
    const jobs = this.#jobs;
    this.#spending = new SpendingLog({
      jobs,
      dataset: jobs.client,
      worker,
      workers,
      mostPerDay: options.most_per_day,
      prices: { perTib: options.price_per_tib, perSlotHour: options.price_per_slot_hour },
      // The daily budget follows calendar days, so it needs the system clock.
      now: () => systemTime(now()),
      logger,
    });
    this.#gate = new QuotaGate({
      share: { workers, loadJobs: options.load_jobs_share },
      surroundings,
      onWaited: (reason, waitedMs) => this.#spending.waited(reason, waitedMs),
    });
    this.#state = new DatasetState(jobs, logger);
    this.#lander = new BigQueryLander(this.#options, jobs, this.#state, this.#gate);
    this.#pace = new TablePace({
      settings: options,
      tables,
      landingsPerDay: () => this.#lander.perDay(),
      pricePerTib: () => this.#spending.pricePerTib(),
    });
    this.#rules = mergeRules({
      settings: options,
      tables,
      merged: this.#state.merged,
      everyMs: (target) => this.#pace.everyMs(target),
      owns,
      setAside: this.#setAside,
    });
    const parts = {
      jobs,
      state: this.#state,
      rules: this.#rules,
      setAside: this.#setAside,
      gate: this.#gate,
      pace: this.#pace,
      spending: this.#spending,
    };
    this.#merger = new BigQueryMerger(this.#options, new Map(this.#wanted.map((table) => [table.name, table])), parts);
    const round = new DatasetMergeRound(this.#options, parts, this.#merger);
    this.#rounds = new MergeRounds((extent, tell) => round.run(extent, tell));
    this.#unwatch = metrics.watch((set) => this.#measure(set));
  }

  async prepare(): Promise<void> {
    const { location, add_columns: addColumns, tables } = this.#options;
    const jobs = this.#jobs;
    await checkDataset(jobs, location);
    const made = await prepareTables(jobs, this.#wanted, addColumns);
    for (const { name } of tables) this.#pace.weigh(name, Number(made.get(name)?.numBytes ?? 0));
    const rows = await listedRows(jobs, 'reading the format', 'aorta_meta');
    const facts = factsOf(rows ?? []);
    const found = facts.format ?? FORMAT;
    const format = { path: addressOf(jobs.client), found, known: FORMAT };
    if (found > FORMAT) throw new AortaError('AORTA-DATA-NEWER', format);
    if (found < FORMAT) throw new WarehouseError('AORTA-WAREHOUSE-OLDER', format);
    const begin = beginStatements(jobs.client, facts, randomBytes(32).toString('hex'));
    if (begin !== undefined) await jobs.bookkeep('preparing the control tables', `${begin.join(';\n')};`);
    await fillTimeZones(jobs, made.get(TIME_ZONES));
    await this.#spending.open();
    await this.#state.see();
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#state.landed(of);
  }

  async learn(of: LandedPartition): Promise<Landed | undefined> {
    // A single worker has landed everything itself, so its view is up to date.
    if (this.#options.workers > 1 && this.#state.age() > SEEN_MS) await this.#state.see();
    return this.#state.landed(of);
  }

  get landsAtOnce(): number {
    return 4;
  }

  landingWait(of: LandedPartition): number {
    return this.#lander.wait(of);
  }

  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    return this.#lander.land(batch);
  }

  async merge(extent: 'due' | 'all'): Promise<MergeReport> {
    return extent === 'due' ? this.#rounds.due() : this.#rounds.all();
  }

  settled(): Promise<void> {
    return this.#rounds.settled();
  }

  /** Does nothing, because readers query the target tables directly. */
  publish(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async erase(user: string): Promise<ErasureReceipt> {
    // A running merge may have read the suppression list already. Once it has ended, the erasure deletes the rows it inserted.
    await this.#rounds.settled();
    return eraseUser(user, this.#jobs, this.#state, allTargets(this.#options.tables));
  }

  async rows(): Promise<Record<string, number>> {
    return countRows(this.#jobs);
  }

  backlog(): { batches: number; records: number } {
    return this.#state.backlog();
  }

  /** Lists the pending merges of the tables that this worker owns. Other workers list their own. */
  waitingMerges(): readonly WaitingMerge[] {
    return waitingMerges(this.#state.batches(), this.#rules, (table) => this.#merger.held().get(table));
  }

  waits(): readonly TimedWait[] {
    return [...this.#gate.waits(), ...this.#pauses.waits()];
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#rounds.settled();
    this.leave();
    if (!this.#rounds.failed) await this.#spending.write();
  }

  /** Closes without a call to BigQuery. If the dataset could not be opened, a call would wait for the timeout again. */
  leave(): void {
    this.#closed = true;
    this.#unwatch();
  }

  #measure(set: SetGauge<BigQueryMetrics>): void {
    for (const [reason, seconds] of this.#gate.waiting()) set('aorta_warehouse_quota_wait_seconds', { reason }, seconds);
    for (const [table, code] of this.#merger.held()) set('aorta_warehouse_merges_held', { table, code }, 1);
    for (const [table, batches] of this.#setAside.counts()) set('aorta_warehouse_batches_set_aside', { table }, batches);
    for (const [table, bytes] of this.#pace.weights()) set('aorta_warehouse_table_bytes', { table }, bytes);
    const { bytes, cost } = this.#spending.spent();
    set('aorta_warehouse_day_billed_bytes', {}, bytes);
    set('aorta_warehouse_day_cost', {}, cost);
  }
}

/**
 * Opens a BigQuery dataset as a warehouse and creates missing tables. Several workers can open the same dataset: each lands
 * what it reads and merges into the tables that it owns. Rejects with an AORTA-BIGQUERY-… error.
 */
export async function openBigQueryWarehouse(options: BigQueryWarehouseOptions): Promise<Warehouse> {
  const warehouse = new BigQueryWarehouse(options);
  try {
    await warehouse.prepare();
    return warehouse;
  } catch (error) {
    warehouse.leave();
    throw error;
  }
}
