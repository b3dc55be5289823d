import { randomBytes } from 'node:crypto';
import { AortaError, type SetGauge, silentMetrics } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type {
  ErasureReceipt,
  Landed,
  LandedPartition,
  LandingBatch,
  MergeReport,
  TimedWait,
  WaitingMerge,
  Warehouse,
} from '../../warehouse.ts';
import { TIME_ZONES } from '../time-zones.ts';
import { listedRows } from './client/listed-rows.ts';
import { ACTIVITY, SLOT_COLUMN } from './cost/activity.ts';
import { eraseUser } from './erasing.ts';
import { FirstVersionUpgrade } from './first-version-upgrade.ts';
import { checkDataset, prepareTables } from './layout.ts';
import { waitingMerges } from './merging/merge-rules.ts';
import { allTargets } from './merging/merger.ts';
import type { BigQueryMetrics } from './metrics.ts';
import { assemble, type BigQueryWarehouseOptions, type Parts } from './parts.ts';
import { countRows } from './reading/count-rows.ts';
import { beginStatements, FORMAT, factsOf } from './sql/index.ts';
import { fillTimeZones } from './time-zones.ts';

export type { BigQueryWarehouseOptions } from './parts.ts';

/** Maximum age of a worker's view of the dataset, in milliseconds, when the worker is assigned a partition. */
const SEEN_MS = 2_000;

class BigQueryWarehouse implements Warehouse {
  readonly #options: BigQueryWarehouseOptions;
  readonly #parts: Parts;
  readonly #upgrade: FirstVersionUpgrade;
  readonly #unwatch: () => void;
  #closed = false;

  constructor(options: BigQueryWarehouseOptions) {
    const { metrics = silentMetrics } = options;
    this.#options = options;
    this.#parts = assemble(options);
    this.#upgrade = new FirstVersionUpgrade(options, this.#parts);
    this.#unwatch = metrics.watch((set) => this.#measure(set));
  }

  async prepare(): Promise<void> {
    const { location, add_columns: addColumns } = this.#options;
    const { jobs, wanted, tables, pace, spending, state, dataset } = this.#parts;
    await checkDataset(jobs, location);
    const made = await prepareTables(jobs, [...wanted.values()], addColumns);
    for (const { name } of tables) pace.weigh(name, Number(made.get(name)?.numBytes ?? 0));
    const rows = await listedRows(jobs, 'reading the format', 'aorta_meta');
    const facts = factsOf(rows ?? []);
    const found = facts.format ?? FORMAT;
    if (found > FORMAT)
      throw new AortaError('AORTA-DATA-NEWER', { path: `bigquery:${dataset.project}.${dataset.dataset}`, found, known: FORMAT });
    const begin = beginStatements(dataset, facts, randomBytes(32).toString('hex'));
    if (begin !== undefined) await jobs.bookkeep('preparing the control tables', `${begin.join(';\n')};`);
    await fillTimeZones(jobs, dataset, made.get(TIME_ZONES));
    await spending.open(made.get(ACTIVITY)?.schema?.fields?.some(({ name }) => name === SLOT_COLUMN) === true);
    await this.#upgrade.begin(facts);
    await state.see();
  }

  reportUpgrade(): Promise<boolean> {
    return this.#upgrade.report();
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#parts.lander.landed(of);
  }

  async learn(of: LandedPartition): Promise<Landed | undefined> {
    const { state, lander } = this.#parts;
    // A single worker has landed everything itself, so its view is up to date.
    if (this.#options.workers > 1 && state.age() > SEEN_MS) await state.see();
    return lander.landed(of);
  }

  get landsAtOnce(): number {
    return 4;
  }

  landingWait(of: LandedPartition): number {
    return this.#parts.lander.wait(of);
  }

  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    return this.#parts.lander.land(batch);
  }

  async merge(extent: 'due' | 'all'): Promise<MergeReport> {
    const { rounds } = this.#parts;
    return extent === 'due' ? rounds.due() : rounds.all();
  }

  settled(): Promise<void> {
    return this.#parts.rounds.settled();
  }

  /** Does nothing, because readers query the target tables directly. */
  publish(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async erase(user: string): Promise<ErasureReceipt> {
    const { rounds, state, jobs, dataset, tables } = this.#parts;
    // A running merge may have read the suppression list already. Once it has ended, the erasure deletes the rows it inserted.
    await rounds.settled();
    const look = async () => {
      await state.see();
      return state.batches();
    };
    return eraseUser(user, { jobs, dataset, tables: allTargets(tables), look });
  }

  async rows(): Promise<Record<string, number>> {
    return countRows(this.#parts.jobs);
  }

  backlog(): { batches: number; records: number } {
    return this.#parts.state.backlog();
  }

  /** Lists the pending merges of the tables that this worker owns. Other workers list their own. */
  waitingMerges(): readonly WaitingMerge[] {
    const { state, rules, held } = this.#parts;
    return waitingMerges(state.batches(), rules, (table) => held.codes().get(table));
  }

  waits(): readonly TimedWait[] {
    return [...this.#parts.gate.waits(), ...this.#parts.pauses.waits()];
  }

  async close(): Promise<void> {
    const { rounds, spending } = this.#parts;
    if (this.#closed) return;
    await rounds.settled();
    this.leave();
    if (!rounds.failed) await spending.write();
  }

  /** Closes without a call to BigQuery. If the dataset could not be opened, a call would wait for the timeout again. */
  leave(): void {
    this.#closed = true;
    this.#unwatch();
  }

  #measure(set: SetGauge<BigQueryMetrics>): void {
    const { gate, held, setAside, pace, spending } = this.#parts;
    for (const [reason, seconds] of gate.waiting()) set('aorta_warehouse_quota_wait_seconds', { reason }, seconds);
    for (const [table, code] of held.codes()) set('aorta_warehouse_merges_held', { table, code }, 1);
    for (const [table, batches] of setAside.counts()) set('aorta_warehouse_batches_set_aside', { table }, batches);
    for (const [table, bytes] of pace.weights()) set('aorta_warehouse_table_bytes', { table }, bytes);
    const { bytes, cost } = spending.spent();
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
