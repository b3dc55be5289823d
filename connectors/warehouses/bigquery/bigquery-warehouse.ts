import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  AortaError,
  type Logger,
  type Metrics,
  type SetGauge,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/runtime';
import { deliveries, type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import type { ErasureReceipt } from '../../erasure.ts';
import { landedTable, type Privacy } from '../../privacy.ts';
import type { Landed, LandedPartition, LandingBatch, MergeReport, TimedWait, WaitingMerge, Warehouse } from '../../warehouse.ts';
import { MergeRounds } from '../merging/merge-rounds.ts';
import type { MergeRules } from '../merging/plan.ts';
import { SetAside } from '../merging/set-aside.ts';
import type { Jobs } from './client/jobs.ts';
import { listedRows } from './client/listed-rows.ts';
import { openJobs } from './client/open-jobs.ts';
import { ACTIVITY, SLOT_COLUMN } from './cost/activity.ts';
import { Books } from './cost/books.ts';
import { spentBy } from './cost/price.ts';
import { eraseUser } from './erasing.ts';
import { wordsOf } from './errors/call-failed.ts';
import { type Patience, realSurroundings, type Surroundings } from './errors/persisting.ts';
import { orderFirstVersions, reportNotConfirmed } from './first-versions.ts';
import { LandedAgain } from './landing/landed-again.ts';
import type { LandedBatch } from './landing/landed-batch.ts';
import { Lander } from './landing/lander.ts';
import { checkDataset, prepareTables } from './layout.ts';
import { HeldTargets } from './merging/held-targets.ts';
import { DatasetMergeRound } from './merging/merge-round.ts';
import { mergePaceOf, mergeRules, waitingMerges } from './merging/merge-rules.ts';
import { allTargets, Merger } from './merging/merger.ts';
import { TablePace } from './merging/table-pace.ts';
import type { BigQuerySettings } from './options.ts';
import { QuotaGate } from './quotas/quota-gate.ts';
import type { QuotaUse } from './quotas/quotas.ts';
import { countRows } from './reading/count-rows.ts';
import { beginStatements, type Dataset, FORMAT, factsOf } from './sql/index.ts';
import { Standing } from './standing.ts';
import { type WantedTable, wantedTables } from './tables/declared.ts';

export interface BigQueryWarehouseOptions extends Omit<BigQuerySettings, 'type'> {
  /** Which classes of columns are landed. */
  readonly privacy: Privacy;
  /** Whether this worker merges into a table; default: into all. */
  readonly owns?: (target: string) => boolean;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly onStep?: StepObserver;
  /** Declarations of the tables; the default is those of this version. Tests open as an earlier or a later one. */
  readonly tables?: readonly TableDeclaration[];
  /** Milliseconds since 1970, by which batches age; the default is the machine's clock. */
  readonly clock?: () => number;
  /** What pauses are made of; tests bring their own. */
  readonly surroundings?: Surroundings;
  readonly patience?: Partial<Patience>;
  /** As whom its activity is written down; default: host and process. */
  readonly worker?: string;
}

/** What a landed batch waits for that BigQuery cannot merge, in words for `status` and `doctor`. */
const ASIDE = 'a landed batch that BigQuery cannot merge, even alone (AORTA-BIGQUERY-BATCH-ASIDE)';

/** What was seen of other workers' batches is good for so long, for a partition that this one is given. */
const SEEN_MS = 2_000;

/** Whether all workers have landed again what an upgrade asks for is looked at so often. */
const UPGRADE_LOOK_MS = 60_000;

/** One dataset: its parts, joined. */
class BigQueryWarehouse implements Warehouse {
  readonly #options: BigQueryWarehouseOptions;
  readonly #dataset: Dataset;
  /** The declarations with their landed columns. */
  readonly #tables: readonly TableDeclaration[];
  /** Every table as it ought to be, by name. */
  readonly #wanted: ReadonlyMap<string, WantedTable>;
  readonly #jobs: Jobs;
  readonly #books: Books;
  readonly #gate: QuotaGate;
  readonly #standing: Standing;
  readonly #lander: Lander;
  readonly #pace: TablePace;
  readonly #rules: MergeRules<TableDeclaration, LandedBatch>;
  readonly #held: HeldTargets;
  readonly #setAside = new SetAside();
  readonly #rounds: MergeRounds;
  /** By step: the last pause before the service is asked again. */
  readonly #pauses = new Map<string, TimedWait>();
  readonly #unwatch: () => void;
  /** Streams that an upgrade lands again. */
  readonly #again = new LandedAgain();
  #upgradeReported = false;
  #upgradeLookedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: BigQueryWarehouseOptions) {
    const { project, dataset, workers, privacy, owns = () => true, onStep = unobserved, logger = silentLogger } = options;
    const { metrics = silentMetrics, surroundings = realSurroundings } = options;
    const { now } = surroundings;
    const clock = options.clock ?? now;
    this.#options = options;
    this.#dataset = { project, dataset };
    this.#tables = (options.tables ?? tables).map((table) => landedTable(table, privacy));
    this.#wanted = new Map(wantedTables(this.#tables, options.team).map((table) => [table.name, table]));
    this.#jobs = openJobs(options, {
      patience: options.patience,
      surroundings,
      onPause: (step, reason, milliseconds) => {
        metrics.count('aorta_warehouse_retries_total', { reason });
        logger.warn('BigQuery is asked again', { step, reason: wordsOf(reason), pause_ms: Math.round(milliseconds) });
        this.#books.waited(wordsOf(reason), milliseconds);
        const paused = now();
        this.#pauses.set(step, { reason: `${wordsOf(reason)} (${step})`, since: paused, dueAt: paused + milliseconds });
      },
      onBilled: (job) => this.#books.billed(job),
    });
    const shared = { jobs: this.#jobs, dataset: this.#dataset, tables: this.#tables, again: this.#again };
    this.#books = new Books({
      ...shared,
      worker: options.worker ?? `${hostname()}-${process.pid}`,
      workers,
      mostPerDay: options.most_per_day,
      prices: { perTib: options.price_per_tib, perSlotHour: options.price_per_slot_hour },
      now,
      logger,
    });
    this.#gate = new QuotaGate({
      share: { workers, loadJobs: options.load_jobs_share },
      surroundings,
      onWaited: (reason, waitedMs) => this.#books.waited(reason, waitedMs),
    });
    const ready = (uses: readonly QuotaUse[]): Promise<void> => this.#gate.ready(uses);
    this.#standing = new Standing({ ...shared, logger, now, onLanded: (landed) => this.#lander.learn(landed) });
    this.#lander = new Lander({
      ...shared,
      settings: options,
      ready,
      clock,
      now,
      metrics,
      onStep,
      onLanded: (batch) => this.#standing.add(batch),
      waiting: (stream) => this.#standing.waiting(stream),
    });
    this.#pace = new TablePace({
      settings: options,
      tables: this.#tables,
      landingsPerDay: () => this.#lander.perDay(),
      pricePerTib: () => this.#books.pricePerTib(),
    });
    this.#held = new HeldTargets({ logger, onHeld: (words, target) => this.#books.waited(words, 0, target) });
    this.#rules = mergeRules({
      merged: this.#standing.merged,
      tables: this.#tables,
      pace: mergePaceOf(options, (target) => this.#pace.everyMs(target)),
      owns,
      setAside: this.#setAside,
    });
    const merger = new Merger({
      ...shared,
      wanted: this.#wanted,
      addColumns: options.add_columns,
      rules: this.#rules,
      purse: this.#books,
      ready,
      now: clock,
      logger,
      onStep,
      onBytes: (target, bytes) => this.#pace.weigh(target, bytes),
      onMerged: (target, estimatedBytes, job) => {
        const { billedBytes, slotMs } = spentBy(job);
        metrics.count('aorta_warehouse_billed_bytes_total', { table: target }, billedBytes);
        if (slotMs > 0) metrics.count('aorta_warehouse_slot_seconds_total', { table: target }, slotMs / 1000);
        this.#books.merged(target, estimatedBytes, job);
      },
      setAside: this.#setAside,
      onHeld: (target, code) => this.#held.hear(target, code),
    });
    const round = new DatasetMergeRound({
      ...shared,
      merger,
      standing: this.#standing,
      setAside: this.#setAside,
      owns,
      beside: workers > 1,
      everyMs: options.merge_every_s * 1000,
      ready,
      now,
      onStep,
      onRound: async () => {
        for (const table of this.#setAside.counts().keys()) this.#books.waited(ASIDE, 0, table);
        await this.#books.hear();
        await this.#books.write();
      },
    });
    this.#rounds = new MergeRounds((extent, tell) => round.run(extent, tell));
    this.#unwatch = metrics.watch((set) => this.#measure(set));
  }

  /** Makes the dataset ready, and learns how things stand in it. */
  async prepare(): Promise<void> {
    const { location, add_columns: addColumns } = this.#options;
    await checkDataset(this.#jobs, location);
    const made = await prepareTables(this.#jobs, [...this.#wanted.values()], addColumns);
    for (const { name } of this.#tables) this.#pace.weigh(name, Number(made.get(name)?.numBytes ?? 0));
    const rows = await listedRows(this.#jobs, 'reading the format', 'aorta_meta');
    const facts = factsOf(rows ?? []);
    const found = facts.format ?? FORMAT;
    const { project, dataset } = this.#dataset;
    if (found > FORMAT)
      throw new AortaError('AORTA-DATA-NEWER', { path: `bigquery:${project}.${dataset}`, found, known: FORMAT });
    const begin = beginStatements(this.#dataset, facts, randomBytes(32).toString('hex'));
    if (begin !== undefined) await this.#jobs.bookkeep('preparing the bookkeeping', `${begin.join(';\n')};`);
    await this.#books.open(made.get(ACTIVITY)?.schema?.fields?.some(({ name }) => name === SLOT_COLUMN) === true);
    this.#again.add(facts.again);
    // A dataset that had no format is new, and in order.
    if (facts.format !== undefined && (found < FORMAT || !facts.isUpgraded)) await this.#upgrade();
    this.#upgradeReported = facts.isConfirmed || this.#again.streams.length === 0;
    await this.#standing.see();
  }

  #upgrade(): Promise<void> {
    const { summary_order: order, logger = silentLogger, onStep = unobserved } = this.#options;
    const ready = (uses: readonly QuotaUse[]): Promise<void> => this.#gate.ready(uses);
    return orderFirstVersions({ ...this.#upgraded(), order, ready, logger, onStep });
  }

  #upgraded() {
    return { jobs: this.#jobs, dataset: this.#dataset, tables: this.#tables, again: this.#again };
  }

  async reportUpgrade(): Promise<boolean> {
    const { workers, owns = () => true, logger = silentLogger } = this.#options;
    // One worker says it for all.
    if (this.#upgradeReported || !owns(deliveries.name)) return true;
    if (this.#standing.batches().some(({ stream }) => this.#again.has(stream))) return false;
    const now = performance.now();
    if (workers > 1 && now - this.#upgradeLookedAt < UPGRADE_LOOK_MS) return false;
    this.#upgradeLookedAt = now;
    this.#upgradeReported = await reportNotConfirmed({ ...this.#upgraded(), beside: workers > 1, logger });
    return this.#upgradeReported;
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#lander.landed(of);
  }

  async learn(of: LandedPartition): Promise<Landed | undefined> {
    // Alone, nobody else lands anything.
    if (this.#options.workers > 1 && this.#standing.age() > SEEN_MS) await this.#standing.see();
    return this.#lander.landed(of);
  }

  /** How many partitions are landed at the same time. */
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

  /** There is one copy of the tables, and readers read it. */
  publish(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async erase(user: string): Promise<ErasureReceipt> {
    // A merge under way has read the list already; what it inserts is deleted after it.
    await this.#rounds.settled();
    const landed = async () => {
      await this.#standing.see();
      return this.#standing.batches();
    };
    return eraseUser(this.#jobs, this.#dataset, allTargets(this.#tables), landed, user);
  }

  async rows(): Promise<Record<string, number>> {
    return countRows(this.#jobs);
  }

  backlog(): { batches: number; records: number } {
    return this.#standing.backlog();
  }

  /** Of the tables that this worker merges into: others report theirs. */
  waitingMerges(): readonly WaitingMerge[] {
    return waitingMerges(this.#standing.batches(), this.#rules, (table) => this.#held.codes().get(table));
  }

  waits(): readonly TimedWait[] {
    const { surroundings = realSurroundings } = this.#options;
    const now = surroundings.now();
    for (const [step, { dueAt }] of this.#pauses) if (dueAt <= now) this.#pauses.delete(step);
    return [...this.#gate.waits(), ...this.#pauses.values()];
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#rounds.settled();
    this.leave();
    if (!this.#rounds.failed) await this.#books.write();
  }

  /** Ends without a word to the service: it was not to be opened, and would be waited for once more. */
  leave(): void {
    this.#closed = true;
    this.#unwatch();
  }

  #measure(set: SetGauge): void {
    for (const [reason, seconds] of this.#gate.waiting()) set('aorta_warehouse_quota_wait_seconds', { reason }, seconds);
    for (const [table, code] of this.#held.codes()) set('aorta_warehouse_merges_held', { table, code }, 1);
    for (const [table, batches] of this.#setAside.counts()) set('aorta_warehouse_batches_set_aside', { table }, batches);
    for (const [table, bytes] of this.#pace.weights()) set('aorta_warehouse_table_bytes', { table }, bytes);
    const { bytes, cost } = this.#books.spent();
    set('aorta_warehouse_day_billed_bytes', {}, bytes);
    set('aorta_warehouse_day_cost', {}, cost);
  }
}

/**
 * Opens a dataset of BigQuery as a warehouse, and makes the tables that it lacks. Several workers may have it open: each
 * lands what it reads, and merges what it owns. Rejects with AORTA-BIGQUERY-….
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
