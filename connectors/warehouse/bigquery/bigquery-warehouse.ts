import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { deliveries, type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import {
  AortaError,
  errorFields,
  type Logger,
  type Metrics,
  type SetGauge,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/telemetry';
import type { ErasureReceipt } from '../erasure.ts';
import { landedTable, type Privacy } from '../privacy.ts';
import type { Landed, LandedPartition, LandingBatch, MergeReport, Warehouse } from '../warehouse.ts';
import type { Jobs } from './client/jobs.ts';
import { openJobs } from './client/open-jobs.ts';
import { type Activity, activityStatement, spentStatement } from './cost/activity.ts';
import { DaySpending } from './cost/day-spending.ts';
import { mergeIntervals } from './cost/merge-interval.ts';
import { priceOf, withoutLandings } from './cost/price.ts';
import { look, readMerged, readPositions } from './discovery.ts';
import { eraseUser } from './erasing.ts';
import { wordsOf } from './errors/call-failed.ts';
import { type Patience, realSurroundings, type Surroundings } from './errors/persisting.ts';
import { loadBatch, serialiseBatch } from './landing/land-batch.ts';
import type { LandedBatch } from './landing/landed-batch.ts';
import { partitionKey } from './landing/positions.ts';
import { checkDataset, forMany, prepareTables } from './layout.ts';
import { allTargets, LandingGone, type MergedTarget, Merger } from './merging/merger.ts';
import { isMerged, MergedRecord } from './merging/pending.ts';
import type { BigQuerySettings } from './options.ts';
import { landingInterval, limits, Quotas, type QuotaUse } from './quotas/quotas.ts';
import { countRows } from './reading/count-rows.ts';
import {
  beginStatements,
  type Dataset,
  FORMAT,
  forgetMergedStatement,
  formatStatement,
  type LandingSchema,
  landingSchema,
  positionsStatement,
  prunePositionsStatement,
} from './sql/index.ts';
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

/** A landing table into which nothing was loaded is swept away after so long: no load is under way for that time. */
const ORPHANED_MS = 86_400_000;

/** A partition that was not landed for so long does not count among those that share the load jobs. */
const QUIET_MS = 3_600_000;

/** What was seen of other workers' batches is good for so long, for a partition that this one is given. */
const SEEN_MS = 2_000;

/** For merges that have come due it is good for so long: every look is two statements, each billed for 10 MB at least. */
const LOOK_EVERY_MS = 60_000;

/** What others have spent of the day's cap is asked so often. */
const HEAR_EVERY_MS = 600_000;

/** Positions that are needless are deleted so often. */
const PRUNE_EVERY_MS = 86_400_000;

/** What holds merges of a table up, for people. */
const heldFor = (code: string): string =>
  code === 'AORTA-BIGQUERY-CAP' ? 'merges, for what a day may cost (`most_per_day`)' : `merges of a table (${code})`;

class BigQueryWarehouse implements Warehouse {
  readonly #options: BigQueryWarehouseOptions;
  readonly #jobs: Jobs;
  readonly #dataset: Dataset;
  readonly #declared: readonly TableDeclaration[];
  /** The declarations with their landed columns. */
  readonly #tables: readonly TableDeclaration[];
  readonly #wanted: ReadonlyMap<string, WantedTable>;
  readonly #clock: () => number;
  readonly #surroundings: Surroundings;
  readonly #step: StepObserver;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #unwatch: () => void;
  readonly #quotas: Quotas;
  readonly #merger: Merger;
  readonly #worker: string;
  #spending: DaySpending;
  /** By partition: how far it is landed. */
  #positions = new Map<string, Landed>();
  /** By partition: where the next landing table begins, where that is before the position (nothing but gaps between). */
  readonly #durable = new Map<string, number>();
  /** Landed and not dropped, by the table's name. */
  readonly #batches = new Map<string, LandedBatch>();
  #merged = new MergedRecord();
  readonly #schemas = new Map<StreamName, LandingSchema>();
  /** By partition: when it was last landed. */
  readonly #landedAt = new Map<string, number>();
  /** What waits for a quota or for the service, and since when. */
  readonly #waits = new Map<symbol, { reason: string; since: number }>();
  readonly #heldTargets = new Map<string, string>();
  readonly #targetBytes = new Map<string, number>();
  #activities: Activity[] = [];
  #writingActivities: Promise<void> | undefined;
  #bookkeepingBytes = 0;
  /** The merges under way. */
  #round: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** What was merged since somebody last asked. */
  #report: { targets: MergedTarget[]; folded: Set<string> } = { targets: [], folded: new Set() };
  #seenAt = Number.NEGATIVE_INFINITY;
  /** When it was last asked what others had spent. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #prunedAt = Number.NEGATIVE_INFINITY;
  #seeing: Promise<void> | undefined;
  #closed = false;

  constructor(options: BigQueryWarehouseOptions) {
    this.#options = options;
    const { project, dataset, workers, price_per_tib: pricePerTib, most_per_day: mostPerDay } = options;
    this.#dataset = { project, dataset };
    this.#declared = options.tables ?? tables;
    this.#tables = this.#declared.map((table) => landedTable(table, options.privacy));
    this.#surroundings = options.surroundings ?? realSurroundings;
    this.#clock = options.clock ?? this.#surroundings.now;
    this.#step = options.onStep ?? unobserved;
    this.#logger = options.logger ?? silentLogger;
    this.#metrics = options.metrics ?? silentMetrics;
    this.#worker = options.worker ?? `${hostname()}-${process.pid}`;
    this.#quotas = new Quotas(workers);
    this.#spending = new DaySpending({ mostPerDay, pricePerTib, workers }, 0, this.#surroundings.now());
    this.#wanted = new Map(wantedTables(this.#tables, options.team).map((table) => [table.name, table]));
    this.#jobs = openJobs(options, {
      patience: options.patience,
      surroundings: this.#surroundings,
      onPause: (step, reason, milliseconds) => this.#paused(step, reason, milliseconds),
      onBilled: (bytes) => {
        this.#bookkeepingBytes += bytes;
      },
    });
    this.#merger = this.#openMerger();
    this.#unwatch = this.#metrics.watch((set) => this.#measure(set));
  }

  #openMerger(): Merger {
    const { merge_every_s, merge_rows, old_rows, old_after_s, owns = () => true } = this.#options;
    const now = (): number => this.#surroundings.now();
    return new Merger({
      jobs: this.#jobs,
      dataset: this.#dataset,
      tables: this.#tables,
      wanted: this.#wanted,
      addColumns: this.#options.add_columns,
      owns,
      pace: {
        everyMs: (target) => Math.max(merge_every_s * 1000, this.#budgeted(target)),
        rows: merge_rows,
        oldRows: old_rows,
        oldAfterMs: old_after_s * 1000,
      },
      purse: {
        left: () => this.#spending.left(now()),
        reserve: (estimate) => {
          const reserved = this.#spending.reserve(estimate, now());
          return { settle: (billed) => reserved.settle(billed, now()) };
        },
      },
      ready: (uses) => this.#ready(uses),
      now: this.#clock,
      logger: this.#logger,
      onStep: this.#step,
      onBytes: (target, bytes) => this.#targetBytes.set(target, bytes),
      onMerged: (target, estimatedBytes, billedBytes) => {
        // It was counted with what all query jobs were billed for.
        this.#bookkeepingBytes -= billedBytes;
        this.#metrics.count('aorta_warehouse_billed_bytes_total', { table: target }, billedBytes);
        this.#note({ what: 'merge', target, estimatedBytes, billedBytes, waitedMs: 0 });
      },
      onHeld: (target, reason) => {
        if (reason === undefined) {
          this.#heldTargets.delete(target);
          return;
        }
        this.#note({ what: 'wait', target, reason: heldFor(reason), estimatedBytes: 0, billedBytes: 0, waitedMs: 0 });
        if (this.#heldTargets.get(target) === reason) return;
        this.#heldTargets.set(target, reason);
        this.#logger.warn('merges of a table wait', { table: target, code: reason });
      },
    });
  }

  /** Milliseconds between merges of a table that every merge reads whole, so that all of them keep to the budget. */
  #budgeted({ name, partition }: TableDeclaration): number {
    const { budget_per_day: budget, price_per_tib: price, workers } = this.#options;
    if (partition !== undefined || budget === undefined) return 0;
    const whole = this.#tables.filter((table) => table.partition === undefined);
    const weighed = whole.map((table) => ({ name: table.name, bytes: this.#targetBytes.get(table.name) ?? 0 }));
    const landings = (86_400_000 / this.#landingInterval()) * this.#landedAt.size;
    const left = withoutLandings(budget, landings * workers, price);
    return (mergeIntervals(left, weighed, price).get(name) ?? 0) * 1000;
  }

  async prepare(): Promise<void> {
    await checkDataset(this.#jobs, this.#options.location);
    const made = await prepareTables(this.#jobs, [...this.#wanted.values()], this.#options.add_columns);
    for (const { name } of this.#tables) this.#targetBytes.set(name, Number(made.get(name)?.numBytes ?? 0));
    const key = randomBytes(32).toString('hex');
    await this.#run('preparing the bookkeeping', `${beginStatements(this.#dataset, key).join(';\n')};`);
    const [format, spent] = await Promise.all([
      this.#jobs.rows('reading the format', formatStatement(this.#dataset)),
      this.#spentByOthers(),
    ]);
    const found = Number(format[0]?.[0] ?? FORMAT);
    if (found > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path: this.#place(), found, known: FORMAT });
    const { workers, price_per_tib: pricePerTib, most_per_day: mostPerDay } = this.#options;
    this.#spending = new DaySpending({ mostPerDay, pricePerTib, workers }, spent, this.#surroundings.now());
    await this.#see();
    const strangers = [...this.#merged.batches()].filter((name) => !this.#batches.has(name));
    if (strangers.length > 0) this.#logger.debug('merged batches of earlier runs are forgotten', { batches: strangers.length });
  }

  async #spentByOthers(): Promise<number> {
    const statement = spentStatement(this.#dataset, this.#worker, this.#surroundings.now());
    const [row] = await this.#jobs.rows('reading the costs of the day', statement);
    return Number(row?.[0] ?? 0);
  }

  #place(): string {
    return `bigquery:${this.#dataset.project}.${this.#dataset.dataset}`;
  }

  /** Learns what is landed and what is merged, of all workers. */
  async #see(): Promise<void> {
    const before = [...this.#batches];
    const { discovery, landed, merged } = await look(this.#jobs, this.#dataset, this.#batches);
    for (const [key, position] of landed) {
      const known = this.#positions.get(key);
      // What this worker lands meanwhile is newer than what it saw.
      if (known?.incarnation === position.incarnation && known.position >= position.position) continue;
      this.#positions.set(key, position);
      this.#durable.delete(key);
    }
    const there = new Set(discovery.batches.map(({ name }) => name));
    for (const batch of discovery.batches) this.#batches.set(batch.name, batch);
    // Others have dropped what is not there any more. What this one has landed since it began to look is there, and what is
    // young may not be listed yet.
    for (const [name, { landedAt }] of before)
      if (!there.has(name) && this.#clock() - landedAt > 60_000) this.#batches.delete(name);
    this.#merged = merged;
    if (discovery.strangers.length > 0)
      this.#logger.warn('batches of unknown streams wait for a newer version', { batches: discovery.strangers.length });
    const now = this.#surroundings.now();
    const orphans = discovery.unloaded.filter(({ createdAt }) => createdAt > 0 && now - createdAt > ORPHANED_MS);
    await forMany(orphans, ({ name }) => this.#drop(name));
    const { workers, most_per_day: mostPerDay } = this.#options;
    if (workers > 1 && mostPerDay !== undefined && now - this.#heardAt >= HEAR_EVERY_MS) {
      this.#spending.hear(await this.#spentByOthers(), now);
      this.#heardAt = now;
    }
    this.#seenAt = now;
  }

  /** {@link #see}, once for all who ask at the same time. */
  #seeOnce(): Promise<void> {
    this.#seeing ??= this.#see().finally(() => {
      this.#seeing = undefined;
    });
    return this.#seeing;
  }

  async #run(step: string, sql: string): Promise<void> {
    // Bookkeeping is small, and goes on whatever merges have cost; it has a bound of its own.
    await this.#jobs.query(step, `aorta_run_${randomBytes(12).toString('hex')}`, { sql, mostBytes: 10 * 2 ** 30 });
  }

  async #drop(table: string): Promise<void> {
    await this.#jobs.ifThere('dropping a landing table', () => this.#jobs.client.deleteTable(table), table);
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#positions.get(partitionKey(of));
  }

  async learn(of: LandedPartition): Promise<Landed | undefined> {
    // Alone, nobody else lands anything.
    if (this.#options.workers > 1 && this.#surroundings.now() - this.#seenAt > SEEN_MS) await this.#seeOnce();
    return this.landed(of);
  }

  /** How many partitions are landed at the same time. */
  get landsAtOnce(): number {
    return 4;
  }

  landingWait(of: LandedPartition): number {
    const at = this.#landedAt.get(partitionKey(of));
    if (at === undefined) return 0;
    return Math.max(0, at + this.#landingInterval() - this.#surroundings.now());
  }

  /** Milliseconds from one landing of a partition to the next. */
  #landingInterval(): number {
    const { land_every_s, workers } = this.#options;
    const now = this.#surroundings.now();
    // Other workers have taken what was not landed for long, or nothing comes there: it takes no part of the share.
    for (const [key, at] of this.#landedAt) if (now - at > QUIET_MS) this.#landedAt.delete(key);
    return landingInterval(land_every_s * 1000, this.#landedAt.size, workers);
  }

  async land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    const of = { stream: batch.stream, partition: batch.partition ?? 0 };
    const key = partitionKey(of);
    const landed = this.#positions.get(key);
    const same = landed?.incarnation === batch.incarnation;
    if (same) {
      if (landed.position >= batch.to) return;
      if (landed.position !== batch.from)
        throw new AortaError('AORTA-BUG', {
          place: 'landing',
          problem: `${key} is landed to ${landed.position}, the batch begins at ${batch.from}`,
        });
    }
    const from = (same ? this.#durable.get(key) : undefined) ?? batch.from;
    if (batch.records.length === 0) {
      // Positions without records leave no table; the next one begins where this stretch does.
      if (same) {
        this.#durable.set(key, from);
        this.#positions.set(key, { incarnation: batch.incarnation, position: batch.to });
      }
      return;
    }
    const schema = this.#schemaOf(batch.stream);
    const table = this.#tableOf(batch.stream);
    const whole = { ...batch, from } as unknown as LandingBatch;
    const serialised = serialiseBatch(whole, schema, table, this.#options.recent_days, !same);
    const done = await loadBatch(serialised, schema, {
      jobs: this.#jobs,
      ready: (name) =>
        this.#ready([{ quota: 'projectLoads' }, { quota: 'tableLoads', table: name }, { quota: 'tableUpdates', table: name }]),
      onUploaded: () => this.#step('land:begun'),
      now: this.#clock,
    });
    this.#metrics.count('aorta_warehouse_uploaded_bytes_total', { stream: batch.stream }, serialised.bytes);
    this.#batches.set(done.name, done);
    this.#durable.delete(key);
    this.#positions.set(key, { incarnation: batch.incarnation, position: batch.to });
    this.#landedAt.set(key, this.#surroundings.now());
    this.#step('land:durable');
  }

  #tableOf(stream: StreamName): TableDeclaration | undefined {
    return this.#tables.find((table) => table.stream === stream);
  }

  #schemaOf(stream: StreamName): LandingSchema {
    let schema = this.#schemas.get(stream);
    if (schema === undefined) {
      schema = landingSchema(stream, this.#tableOf(stream), this.#options.summary_order);
      this.#schemas.set(stream, schema);
    }
    return schema;
  }

  async merge(extent: 'due' | 'all'): Promise<MergeReport> {
    this.#throwFailure();
    if (extent === 'due') {
      // Landing goes on meanwhile: a merge takes its time in the service, and has none of ours.
      this.#round ??= this.#mergeRound('due').finally(() => {
        this.#round = undefined;
      });
      // What fails is thrown the next time; nothing is due so often that somebody would wait for it.
      this.#round.catch((error: unknown) => {
        this.#failure = { error };
      });
      return this.#reported();
    }
    await this.#round?.catch(() => {});
    this.#throwFailure();
    await this.#mergeRound('all');
    return this.#reported();
  }

  async settled(): Promise<void> {
    await this.#round?.catch(() => {});
  }

  #reported(): MergeReport {
    const { targets, folded } = this.#report;
    this.#report = { targets: [], folded: new Set() };
    return { targets, batches: folded.size };
  }

  #throwFailure(): void {
    const { error } = this.#failure ?? {};
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    throw error;
  }

  /** Whether it is time to look at what other workers have landed: twice as often as there may be merges of it. */
  #looksAgain(): boolean {
    const every = Math.min(LOOK_EVERY_MS, this.#options.merge_every_s * 500);
    return this.#surroundings.now() - this.#seenAt >= every;
  }

  async #mergeRound(extent: 'due' | 'all'): Promise<void> {
    if (this.#options.workers > 1 && (extent === 'all' || this.#looksAgain())) await this.#seeOnce();
    for (;;) {
      const due = this.#merger.due([...this.#batches.values()], this.#merged, extent);
      if (due.length === 0) break;
      try {
        const { targets, folded, held } = await this.#merger.run(due, this.#merged);
        this.#report.targets.push(...targets);
        for (const name of folded) this.#report.folded.add(name);
        const [reason] = held.values();
        // Whoever wants everything merged has to hear what cannot be.
        if (reason !== undefined && extent === 'all') throw reason;
        break;
      } catch (error) {
        if (!(error instanceof LandingGone)) throw error;
        await this.#lookForGone(error.batches);
      }
    }
    await this.#dropMerged();
    await this.#prune();
    await this.#writeActivities();
  }

  async #prune(): Promise<void> {
    const { owns = () => true } = this.#options;
    const now = this.#surroundings.now();
    if (!owns(deliveries.name) || now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    await this.#ready([{ quota: 'tableDml', table: 'aorta_positions' }]);
    await this.#run('deleting needless positions', prunePositionsStatement(this.#dataset, now));
  }

  /** Which of these landing tables are gone, and whether they may be: another worker drops what everybody has. */
  async #lookForGone(names: readonly string[]): Promise<void> {
    const there = await forMany(names, async (name) => {
      const table = await this.#jobs.ifThere('looking for a landing table', () => this.#jobs.client.getTable(name), name);
      return table !== undefined;
    });
    this.#merged = await readMerged(this.#jobs, this.#dataset);
    for (const [index, name] of names.entries()) {
      const batch = this.#batches.get(name);
      if (there[index] || batch === undefined) continue;
      if (!isMerged(batch, this.#merged, this.#tables) && !(await this.#isDropped(batch)))
        throw new AortaError('AORTA-BIGQUERY-BATCH-GONE', { batch: name, dataset: this.#dataset.dataset });
      this.#batches.delete(name);
    }
    if (there.every(Boolean))
      throw new AortaError('AORTA-BIGQUERY-MISSING', { step: 'a merge', of: `${this.#dataset.dataset} (a table of it)` });
  }

  /** The written position is behind the batch: it was merged, its record forgotten and its table dropped. */
  async #isDropped({ stream, partition, incarnation, to }: LandedBatch): Promise<boolean> {
    const positions = await readPositions(this.#jobs, this.#dataset);
    return positions.some(
      (one) => one.stream === stream && one.partition === partition && one.incarnation === incarnation && one.position >= to,
    );
  }

  /**
   * Drops landing tables that every target has: from the front of each partition, and only once the position behind them
   * is written. So what is covered by neither a position nor a table is missing, and never just forgotten.
   */
  async #dropMerged(): Promise<void> {
    const { owns = () => true } = this.#options;
    const lines = Map.groupBy(this.#batches.values(), ({ stream, partition, incarnation }) =>
      JSON.stringify([stream, partition, incarnation]),
    );
    const gone: LandedBatch[] = [];
    const positions: { stream: string; partition: number; incarnation: string; position: number }[] = [];
    for (const line of lines.values()) {
      const [{ stream, partition, incarnation }] = line as [LandedBatch, ...LandedBatch[]];
      if (!owns((this.#tableOf(stream) ?? deliveries).name)) continue;
      const front: LandedBatch[] = [];
      for (const batch of line.sort((a, b) => a.from - b.from)) {
        if (!isMerged(batch, this.#merged, this.#tables)) break;
        front.push(batch);
      }
      if (front.length === 0) continue;
      gone.push(...front);
      positions.push({ stream, partition, incarnation, position: Math.max(...front.map(({ to }) => to)) });
    }
    if (gone.length === 0) return;
    await this.#ready([{ quota: 'tableDml', table: 'aorta_positions' }]);
    await this.#run('writing positions', positionsStatement(this.#dataset, positions));
    this.#step('batch:position');
    await forMany(gone, async ({ name }) => {
      await this.#drop(name);
      this.#batches.delete(name);
    });
    this.#step('batch:dropped');
    await this.#ready([{ quota: 'tableDml', table: 'aorta_merged' }]);
    await this.#run(
      'forgetting merged batches',
      forgetMergedStatement(
        this.#dataset,
        gone.map(({ name }) => name),
      ),
    );
    for (const { name } of gone) this.#merged.forget(name);
  }

  /** There is one copy of the tables, and readers read it. */
  publish(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async erase(user: string): Promise<ErasureReceipt> {
    // A merge under way has read the list already; what it inserts is deleted after it.
    await this.#round?.catch(() => {});
    const landed = async (): Promise<readonly LandedBatch[]> => {
      await this.#seeOnce();
      return [...this.#batches.values()];
    };
    return eraseUser(this.#jobs, this.#dataset, allTargets(this.#tables), landed, user);
  }

  async rows(): Promise<Record<string, number>> {
    return countRows(this.#jobs, this.#dataset);
  }

  backlog(): { batches: number; records: number } {
    let records = 0;
    for (const batch of this.#batches.values()) records += batch.records;
    return { batches: this.#batches.size, records };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#round?.catch(() => {});
    this.#unwatch();
    if (this.#failure === undefined) await this.#writeActivities().catch(() => {});
  }

  /** Waits until the quotas allow it, saying so. */
  async #ready(uses: readonly QuotaUse[]): Promise<void> {
    const begun = this.#surroundings.now();
    for (;;) {
      const now = this.#surroundings.now();
      const wait = this.#quotas.wait(uses, now);
      if (wait === undefined) {
        this.#quotas.take(uses, now);
        return;
      }
      const reason = limits[wait.quota].words;
      await this.#waiting(reason, () => this.#surroundings.sleep(wait.milliseconds));
      this.#note({
        what: 'wait',
        target: '',
        reason,
        estimatedBytes: 0,
        billedBytes: 0,
        waitedMs: this.#surroundings.now() - begun,
      });
    }
  }

  async #waiting<T>(reason: string, work: () => Promise<T>): Promise<T> {
    const wait = Symbol(reason);
    this.#waits.set(wait, { reason, since: this.#surroundings.now() });
    try {
      return await work();
    } finally {
      this.#waits.delete(wait);
    }
  }

  #paused(step: string, reason: string, milliseconds: number): void {
    this.#metrics.count('aorta_warehouse_retries_total', { reason });
    this.#logger.warn('BigQuery is asked again', { step, reason: wordsOf(reason), pause_ms: Math.round(milliseconds) });
    this.#note({ what: 'wait', target: '', reason: wordsOf(reason), estimatedBytes: 0, billedBytes: 0, waitedMs: milliseconds });
  }

  #note(activity: Omit<Activity, 'at' | 'worker'>): void {
    // A service that is away for hours is not written about line by line.
    if (this.#activities.length >= 1_000 && activity.what === 'wait') return;
    this.#activities.push({ ...activity, at: this.#surroundings.now(), worker: this.#worker });
  }

  /** Writes down what was done and waited for, in one statement. */
  async #writeActivities(): Promise<void> {
    await this.#writingActivities;
    if (this.#bookkeepingBytes > 0) {
      const billedBytes = this.#bookkeepingBytes;
      this.#bookkeepingBytes = 0;
      this.#spending.add(billedBytes, this.#surroundings.now());
      this.#note({ what: 'bookkeeping', target: '', estimatedBytes: 0, billedBytes, waitedMs: 0 });
    }
    const activities = this.#activities.splice(0, 500);
    if (activities.length === 0) return;
    this.#writingActivities = this.#run('writing down what was done', activityStatement(this.#dataset, activities)).catch(
      (error: unknown) => {
        this.#logger.warn('what was done could not be written down', errorFields(error));
      },
    );
    await this.#writingActivities;
  }

  #measure(set: SetGauge): void {
    const now = this.#surroundings.now();
    const longest = new Map<string, number>();
    for (const { reason, since } of this.#waits.values())
      longest.set(reason, Math.max(longest.get(reason) ?? 0, (now - since) / 1000));
    for (const [reason, seconds] of longest) set('aorta_warehouse_quota_wait_seconds', { reason }, seconds);
    for (const [table, code] of this.#heldTargets) set('aorta_warehouse_merges_held', { table, code }, 1);
    for (const [table, bytes] of this.#targetBytes) set('aorta_warehouse_table_bytes', { table }, bytes);
    const spent = this.#spending.spent(now);
    set('aorta_warehouse_day_billed_bytes', {}, spent);
    set('aorta_warehouse_day_cost', {}, priceOf(spent, this.#options.price_per_tib));
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
    await warehouse.close();
    throw error;
  }
}
