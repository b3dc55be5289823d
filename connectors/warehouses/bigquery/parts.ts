import { hostname } from 'node:os';
import { type Logger, type Metrics, type StepObserver, silentLogger, silentMetrics, unobserved } from '@aorta/runtime';
import { tables as declaredTables, type TableDeclaration } from '@aorta/schemas';
import { landedTable, type Privacy } from '../../privacy.ts';
import type { TimedWait } from '../../warehouse.ts';
import { MergeRounds } from '../merging/merge-rounds.ts';
import type { MergeRules } from '../merging/plan.ts';
import { SetAside } from '../merging/set-aside.ts';
import type { JobRunner } from './client/jobs.ts';
import { openJobs } from './client/official-client.ts';
import { spentBy } from './cost/price.ts';
import { SpendingLog } from './cost/spending-log.ts';
import { DatasetState } from './dataset-state.ts';
import { wordsOf } from './errors/call-failed.ts';
import { type Patience, realSurroundings, type Surroundings } from './errors/retries.ts';
import type { LandedBatch } from './landing/landed-batch.ts';
import { Lander } from './landing/lander.ts';
import { DatasetMergeRound } from './merging/merge-round.ts';
import { mergePaceOf, mergeRules } from './merging/merge-rules.ts';
import { HeldTargets, Merger } from './merging/merger.ts';
import { TablePace } from './merging/table-pace.ts';
import type { BigQueryMetrics } from './metrics.ts';
import type { BigQuerySettings } from './options.ts';
import { QuotaGate, type QuotaUse } from './quotas/quotas.ts';
import type { Dataset } from './sql/types.ts';
import { type WantedTable, wantedTables } from './tables/declared.ts';

export interface BigQueryWarehouseOptions extends Omit<BigQuerySettings, 'type'> {
  /** Decides which classes of columns are landed. */
  readonly privacy: Privacy;
  /** Whether this worker merges into a table. Default: all tables. */
  readonly owns?: (target: string) => boolean;
  readonly logger?: Logger;
  readonly metrics?: Metrics<BigQueryMetrics>;
  readonly onStep?: StepObserver;
  /** Default: the declarations of this version. Tests pass those of an earlier or later version. */
  readonly tables?: readonly TableDeclaration[];
  /** Returns the current time in milliseconds since 1970, which determines the age of batches. Default: the machine's clock. */
  readonly clock?: () => number;
  /** Clock, timer and random numbers for pauses. Tests replace them. */
  readonly surroundings?: Surroundings;
  readonly patience?: Partial<Patience>;
  /** The worker's name in its activity records. Default: host and process id. */
  readonly worker?: string;
}

/** Reason that `status` and `doctor` show for a batch that was set aside. */
const ASIDE = 'a landed batch that BigQuery cannot merge, even on its own (AORTA-BIGQUERY-BATCH-ASIDE)';

/** Current pauses before retries, by step. */
class Pauses {
  readonly #now: () => number;
  readonly #last = new Map<string, TimedWait>();

  /** `now` returns the current time in milliseconds since 1970. */
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

export interface Parts {
  readonly dataset: Dataset;
  readonly tables: readonly TableDeclaration[];
  readonly wanted: ReadonlyMap<string, WantedTable>;
  readonly jobs: JobRunner;
  readonly spending: SpendingLog;
  readonly gate: QuotaGate;
  /** Waits until the quotas allow all of these uses. */
  readonly ready: (uses: readonly QuotaUse[]) => Promise<void>;
  readonly state: DatasetState;
  readonly lander: Lander;
  readonly pace: TablePace;
  readonly rules: MergeRules<TableDeclaration, LandedBatch>;
  readonly held: HeldTargets;
  readonly setAside: SetAside;
  readonly rounds: MergeRounds;
  readonly pauses: Pauses;
}

/** Creates and connects the components of a dataset, without a call to BigQuery. */
export function assemble(options: BigQueryWarehouseOptions): Parts {
  const { project, workers, privacy, owns = () => true, onStep = unobserved, logger = silentLogger } = options;
  const { metrics = silentMetrics, surroundings = realSurroundings } = options;
  const { now } = surroundings;
  const clock = options.clock ?? now;
  const dataset: Dataset = { project, dataset: options.dataset };
  const tables = (options.tables ?? declaredTables).map((table) => landedTable(table, privacy));
  const wanted = new Map(wantedTables(tables, options.team).map((table) => [table.name, table]));
  const setAside = new SetAside();
  const pauses = new Pauses(now);
  const jobs = openJobs(options, {
    patience: options.patience,
    surroundings,
    onPause: (step, reason, milliseconds) => {
      metrics.count('aorta_warehouse_retries_total', { reason });
      logger.warn('retrying a call to BigQuery', { step, reason: wordsOf(reason), pause_ms: Math.round(milliseconds) });
      spending.waited(wordsOf(reason), milliseconds);
      pauses.begin(step, wordsOf(reason), milliseconds);
    },
    onBilled: (job) => spending.billed(job),
  });
  const shared = { jobs, dataset, tables };
  const spending = new SpendingLog({
    ...shared,
    worker: options.worker ?? `${hostname()}-${process.pid}`,
    workers,
    mostPerDay: options.most_per_day,
    prices: { perTib: options.price_per_tib, perSlotHour: options.price_per_slot_hour },
    now,
    logger,
  });
  const gate = new QuotaGate({
    share: { workers, loadJobs: options.load_jobs_share },
    surroundings,
    onWaited: (reason, waitedMs) => spending.waited(reason, waitedMs),
  });
  const ready = (uses: readonly QuotaUse[]): Promise<void> => gate.ready(uses);
  const state = new DatasetState({ ...shared, logger, now, onLanded: (landed) => lander.learn(landed) });
  const lander = new Lander({
    ...shared,
    settings: options,
    ready,
    clock,
    now,
    metrics,
    onStep,
    onLanded: (batch) => state.add(batch),
    waiting: (stream) => state.waiting(stream),
  });
  const pace = new TablePace({
    settings: options,
    tables,
    landingsPerDay: () => lander.perDay(),
    pricePerTib: () => spending.pricePerTib(),
  });
  const held = new HeldTargets({ logger, onHeld: (words, target) => spending.waited(words, 0, target) });
  const rules = mergeRules({
    merged: state.merged,
    tables,
    pace: mergePaceOf(options, (target) => pace.everyMs(target)),
    owns,
    setAside,
  });
  const merger = new Merger({
    ...shared,
    wanted,
    addColumns: options.add_columns,
    rules,
    budget: spending,
    ready,
    now: clock,
    logger,
    onStep,
    onBytes: (target, bytes) => pace.weigh(target, bytes),
    onMerged: (target, estimatedBytes, job) => {
      const { billedBytes, slotMs } = spentBy(job);
      metrics.count('aorta_warehouse_billed_bytes_total', { table: target }, billedBytes);
      if (slotMs > 0) metrics.count('aorta_warehouse_slot_seconds_total', { table: target }, slotMs / 1000);
      spending.merged(target, estimatedBytes, job);
    },
    setAside,
    onHeld: (target, code) => held.hear(target, code),
  });
  const round = new DatasetMergeRound({
    ...shared,
    merger,
    state,
    setAside,
    owns,
    beside: workers > 1,
    everyMs: options.merge_every_s * 1000,
    ready,
    now,
    onStep,
    onRound: async () => {
      for (const table of setAside.counts().keys()) spending.waited(ASIDE, 0, table);
      await spending.hear();
      await spending.write();
    },
  });
  const rounds = new MergeRounds((extent, tell) => round.run(extent, tell));
  return {
    dataset,
    tables,
    wanted,
    jobs,
    spending,
    gate,
    ready,
    state,
    lander,
    pace,
    rules,
    held,
    setAside,
    rounds,
    pauses,
  };
}
