import { resolve } from 'node:path';
import { type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import { AortaError, type Logger, type StepObserver, silentLogger, unobserved } from '@aorta/telemetry';
import type { ErasureReceipt } from '../erasure.ts';
import { warnOfGoneRecords } from '../gone-records.ts';
import { MergeRounds } from '../merge-rounds.ts';
import type { DuckDbSettings } from '../options.ts';
import { landedTable, type Privacy } from '../privacy.ts';
import type {
  BatchStart,
  GrowingBatch,
  Landed,
  LandedPartition,
  LandingBatch,
  MergeReport,
  WaitingMerge,
  Warehouse,
} from '../warehouse.ts';
import { Backlog, type DueMerge } from './backlog.ts';
import type { Database } from './database.ts';
import { eraseUser } from './erasing.ts';
import { notConfirmed } from './first-versions.ts';
import { GatheredBatch } from './landing.ts';
import { dropBatches, type MergedTarget, mergeRange } from './merging.ts';
import { openForWriting } from './opening.ts';
import { prepare, type Standing } from './preparing.ts';
import { PublicationPace } from './publication-pace.ts';
import { copyDatabase, isPublished, renameCopy } from './publish.ts';
import { countRows } from './row-counts.ts';
import { Tidiness } from './tidiness.ts';

export interface DuckDbWarehouseOptions extends Omit<DuckDbSettings, 'type' | 'threads'> {
  readonly threads?: number | undefined;
  /** Which classes of columns are landed. */
  readonly privacy: Privacy;
  readonly logger?: Logger;
  readonly onStep?: StepObserver;
  /** Declarations of the tables; the default is those of this version. Tests open as an earlier or a later one. */
  readonly tables?: readonly TableDeclaration[];
  /** Milliseconds since 1970; the default is the machine's clock. */
  readonly clock?: () => number;
}

/**
 * A partition of a summary's or event's stream is landed so often at most, unless a whole batch has come: each batch is
 * a table, of which every column takes a block of memory however few rows there are. Less than what a quiet consumer
 * takes to flush, so that nothing waits for it there.
 */
const LAND_EVERY_MS = 800;

type Tell = (merged: MergeReport) => void;

const nameOf = ({ stream, partition }: LandedPartition): string => `${stream}/${partition}`;

/**
 * Landing and merging have a connection each, so that batches are landed while others are merged. On each there is one
 * step at a time.
 */
class DuckDbWarehouse implements Warehouse {
  /** Merges, publishes and reads. */
  readonly #database: Database;
  readonly #landing: Database;
  readonly #options: DuckDbWarehouseOptions;
  /** The declarations with their landed columns. */
  readonly #tables: readonly TableDeclaration[];
  readonly #clock: () => number;
  readonly #step: StepObserver;
  readonly #logger: Logger;
  /** By {@link nameOf} the partition. */
  readonly #positions = new Map<string, Landed>();
  /** By {@link nameOf} the partition: when it was last landed, on the clock of the process. */
  readonly #landedAt = new Map<string, number>();
  readonly #backlog: Backlog;
  #nextBatch: number;
  readonly #strangers: Standing['strangers'];
  /** Some users were erased: merges leave out what still comes of them. */
  #suppressing: boolean;
  /** Streams of tables with rows that an upgrade has rewritten, and whose records were not merged again since. */
  #notConfirmed: ReadonlySet<StreamName>;
  readonly #rounds: MergeRounds;
  /** Threads that DuckDB may take, and those that it was told to take. */
  readonly #threads: number;
  #used: number;
  /** The last step on each connection. */
  #lastLanding: Promise<unknown> = Promise.resolve();
  #lastMerging: Promise<unknown> = Promise.resolve();
  readonly #pace: PublicationPace;
  readonly #tidiness: Tidiness;

  constructor(
    database: Database,
    landing: Database,
    options: DuckDbWarehouseOptions,
    landed: readonly TableDeclaration[],
    standing: Standing,
  ) {
    this.#database = database;
    this.#landing = landing;
    this.#rounds = new MergeRounds((extent, tell) => this.#inMerging(() => this.#merge(extent, tell)));
    this.#options = options;
    this.#tables = landed;
    this.#clock = options.clock ?? Date.now;
    this.#step = options.onStep ?? unobserved;
    this.#logger = options.logger ?? silentLogger;
    this.#threads = standing.threads;
    this.#used = standing.threads;
    this.#suppressing = standing.suppressing;
    this.#notConfirmed = standing.notConfirmed;
    this.#strangers = standing.strangers;
    for (const [of, position] of standing.positions) this.#positions.set(nameOf(of), position);
    this.#backlog = new Backlog(standing.batches, (stream) => this.#isTimeseries(stream), options);
    this.#nextBatch = standing.nextBatch;
    this.#pace = new PublicationPace(options.publish_every_s * 1000, standing.changed);
    this.#tidiness = new Tidiness(options.path, standing.batches.length);
  }

  #tableOf(stream: StreamName): TableDeclaration | undefined {
    return this.#tables.find((table) => table.stream === stream);
  }

  #isTimeseries(stream: StreamName): boolean {
    return this.#tableOf(stream)?.shape === 'timeseries';
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#positions.get(nameOf(of));
  }

  landingWait(of: LandedPartition): number {
    const last = this.#landedAt.get(nameOf(of));
    if (last === undefined || this.#isTimeseries(of.stream)) return 0;
    return Math.max(0, last + LAND_EVERY_MS - performance.now());
  }

  landsAtMost({ stream }: LandedPartition): number {
    return this.#backlog.room(stream);
  }

  gather<S extends StreamName>(start: BatchStart<S>): GrowingBatch<S> {
    const gathered = this.#gathered(start);
    return {
      add: (records) => gathered.add(records),
      land: (to) => this.#inLanding(() => this.#land(start, gathered, to)),
    };
  }

  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    // Callers need not wait for one batch before they land the next: it is numbered when its turn has come.
    return this.#inLanding(() => {
      const gathered = this.#gathered(batch);
      gathered.add(batch.records);
      return this.#land(batch, gathered, batch.to);
    });
  }

  #gathered(start: BatchStart): GatheredBatch {
    return new GatheredBatch(start, this.#tableOf(start.stream), this.#backlog.nextNo(start.stream), {
      recentDays: this.#options.recent_days,
      order: this.#options.summary_order,
    });
  }

  async #land(start: BatchStart, gathered: GatheredBatch, to: number): Promise<void> {
    const of = { stream: start.stream, partition: start.partition ?? 0 };
    const landed = this.#positions.get(nameOf(of));
    if (landed?.incarnation === start.incarnation) {
      if (landed.position >= to) return;
      if (landed.position !== start.from) {
        throw new AortaError('AORTA-BUG', {
          place: 'landing',
          problem: `${nameOf(of)} is landed to ${landed.position}, the batch begins at ${start.from}`,
        });
      }
    }
    if (gathered.firstNo < this.#backlog.nextNo(of.stream))
      throw new AortaError('AORTA-BUG', { place: 'landing', problem: `two batches of ${of.stream} were gathered at once` });
    const done = await this.#landing.transaction('landing', async () => {
      const written = await gathered.write(this.#landing, this.#nextBatch, to, this.#clock());
      this.#step('land:begun');
      return written;
    });
    this.#backlog.add(done);
    this.#nextBatch++;
    this.#positions.set(nameOf(of), { incarnation: start.incarnation, position: to });
    this.#landedAt.set(nameOf(of), performance.now());
    this.#tidiness.landed();
    this.#step('land:durable');
  }

  async merge(extent: 'due' | 'all'): Promise<MergeReport> {
    if (extent === 'all') return this.#rounds.all();
    const report = this.#rounds.due();
    if (this.#backlog.crowded) await this.#rounds.settled();
    return report;
  }

  settled(): Promise<void> {
    return this.#rounds.settled();
  }

  async #merge(extent: 'due' | 'all', tell: Tell): Promise<void> {
    await this.#mergeBatches(extent, tell);
    if (this.#tidiness.isDue) await this.#checkpoint(tell);
  }

  async #mergeBatches(extent: 'due' | 'all', tell: Tell): Promise<void> {
    for (const stream of this.#backlog.streams) {
      for (const due of this.#backlog.due(stream, extent, this.#clock()))
        tell({ batches: due.batches.length, targets: await this.#mergeSome(stream, due, extent) });
    }
    const { merged } = this.#backlog;
    if (merged.length === 0) return;
    await this.#database.transaction('dropping merged batches', () => dropBatches(this.#database, merged));
    this.#backlog.remove(merged);
    this.#step('batch:dropped');
  }

  /**
   * Writes everything into the database file, and runs `then` before anything else is landed or merged. The caller has the
   * turn to merge. Waiting batches are merged before where they are many: the checkpoint would give blocks to each of them,
   * and the file stays as large when they are dropped. Landing goes on meanwhile, so there is a second, short round.
   */
  async #checkpoint(tell: Tell, then?: (begun: number) => Promise<void>): Promise<void> {
    const mergeMany = async (): Promise<void> => {
      if (this.#tidiness.crowdsCheckpoint(this.#backlog.size())) await this.#mergeBatches('all', tell);
    };
    await mergeMany();
    await this.#inLanding(async () => {
      await mergeMany();
      const begun = this.#clock();
      await this.#useThreads(this.#threads);
      await this.#database.run('a checkpoint', 'force checkpoint');
      this.#tidiness.checkpointed();
      await then?.(begun);
    });
  }

  async #mergeSome(stream: StreamName, due: DueMerge, extent: 'due' | 'all'): Promise<MergedTarget[]> {
    const { range, batches } = due;
    // Where somebody waits for everything nothing else is to be done meanwhile.
    await this.#useThreads(extent === 'all' || this.#isTimeseries(stream) ? this.#threads : 1);
    const targets = await this.#database.transaction('a merge', async () => {
      const merged = await mergeRange(
        this.#database,
        stream,
        this.#tableOf(stream),
        this.#strangers,
        batches,
        range,
        this.#clock,
        { suppressing: this.#suppressing, confirming: this.#notConfirmed.has(stream) },
      );
      this.#step('merge:begun');
      return merged;
    });
    this.#backlog.mark(due);
    this.#pace.merged();
    this.#step('merge:durable');
    this.#logger.debug('merged', { stream, range, batches: batches.length, rows: targets[0]?.rows ?? 0 });
    return targets;
  }

  /**
   * Merges of rows beside others' work take one thread: of several, each adds a part of a row group, and the parts are put
   * together row by row afterwards, while whoever has none left waits for the others without a pause.
   */
  async #useThreads(threads: number): Promise<void> {
    if (threads === this.#used) return;
    await this.#database.run('setting threads', `set threads = ${threads}`);
    this.#used = threads;
  }

  async erase(user: string): Promise<ErasureReceipt> {
    const receipt = await this.#exclusively(async () => {
      const done = await this.#database.transaction('an erasure', () => eraseUser(this.#database, user));
      this.#suppressing = true;
      this.#pace.changed();
      return done;
    });
    // Readers have the copy, and in it the user.
    await this.publish('now');
    return receipt;
  }

  async publish(pace: 'due' | 'now'): Promise<boolean> {
    // It is asked for again and again: what is not due lets merging and landing go on beside each other.
    if (pace === 'due' && !this.#isPublicationDue()) return false;
    return this.#inMerging(async () => {
      if (pace === 'due' ? !this.#isPublicationDue() : !this.#pace.behind) return false;
      await this.#checkpoint(this.#rounds.tell, (begun) => this.#copy(begun));
      return true;
    });
  }

  async #copy(begun: number): Promise<void> {
    const copy = await copyDatabase(this.#options.path);
    this.#step('publish:copied');
    await renameCopy(copy, this.#options.path);
    this.#pace.published(begun, this.#clock());
    this.#step('publish:renamed');
  }

  #isPublicationDue(): boolean {
    return this.#pace.isDue(this.#clock(), () => isPublished(this.#options.path));
  }

  async reportUpgrade(): Promise<boolean> {
    if (this.#notConfirmed.size === 0) return true;
    if (this.#backlog.streams.some((stream) => this.#notConfirmed.has(stream))) return false;
    return this.#inMerging(async () => {
      const left = await notConfirmed(this.#database, this.#tables);
      this.#notConfirmed = new Set([...left.keys()].map(({ stream }) => stream as StreamName));
      for (const [{ name }, rows] of left) warnOfGoneRecords(this.#logger, name, rows);
      return true;
    });
  }

  rows(): Promise<Record<string, number>> {
    return this.#inMerging(() => countRows(this.#database));
  }

  backlog(): { batches: number; records: number } {
    return this.#backlog.size();
  }

  waitingMerges(): readonly WaitingMerge[] {
    return this.#backlog.waiting((stream) => this.#tableOf(stream)?.name);
  }

  publicationDue(): number | undefined {
    return this.#pace.dueAt(() => isPublished(this.#options.path));
  }

  async close(): Promise<void> {
    await this.#inMerging(async () => {
      // Closing makes a checkpoint, too. What cannot be merged stays landed, and the next run says why.
      if (this.#tidiness.crowdsCheckpoint(this.#backlog.size())) await this.#mergeBatches('all', () => {}).catch(() => {});
      await this.#inLanding(async () => {});
    });
    this.#landing.disconnect();
    this.#database.close();
  }

  #inLanding<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#lastLanding.then(step);
    this.#lastLanding = result.catch(() => {});
    return result;
  }

  #inMerging<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#lastMerging.then(step);
    this.#lastMerging = result.catch(() => {});
    return result;
  }

  /** On the connection that merges, while nothing is landed. */
  #exclusively<T>(step: () => Promise<T>): Promise<T> {
    // In this order everywhere: what has the turn to merge may wait for that to land, and never the other way round.
    return this.#inMerging(() => this.#inLanding(step));
  }
}

/**
 * Opens a DuckDB file as a warehouse, and makes its tables and views. The file is locked against other processes as long
 * as it is open; readers use the published copy. Rejects with AORTA-WAREHOUSE-LOCKED, -UNREADABLE or AORTA-DATA-NEWER.
 */
export async function openDuckDbWarehouse(options: DuckDbWarehouseOptions): Promise<Warehouse> {
  const path = resolve(options.path);
  const logger = options.logger ?? silentLogger;
  const declared = options.tables ?? tables;
  const landed = declared.map((table) => landedTable(table, options.privacy));
  const settings: Record<string, string> = {
    memory_limit: options.memory,
    ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
  };
  const database = await openForWriting(path, settings, logger);
  try {
    const standing = await prepare(database, {
      path,
      declared,
      landed,
      order: options.summary_order,
      logger,
      onStep: options.onStep ?? unobserved,
    });
    return new DuckDbWarehouse(database, await database.beside(), { ...options, path }, landed, standing);
  } catch (error) {
    database.close();
    throw error;
  }
}
