import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { deliveries, type StreamName, streamNames, type TableDeclaration, tables } from '@aorta/schemas';
import { AortaError, isAortaError, type Logger, type StepObserver, silentLogger, unobserved } from '@aorta/telemetry';
import type { ErasureReceipt } from '../erasure.ts';
import { MergeRounds } from '../merge-rounds.ts';
import type { DuckDbSettings } from '../options.ts';
import { landedTable, type Privacy } from '../privacy.ts';
import { duckDbView, duckDbViews } from '../views/duckdb-dialect.ts';
import { views } from '../views/views.ts';
import type { BatchStart, GrowingBatch, Landed, LandedPartition, LandingBatch, MergeReport, Warehouse } from '../warehouse.ts';
import { batchOf, type LandedBatch, type MergeRange, rowsIn, rowsTable, selectBatches, selectPositions } from './batches.ts';
import { Database } from './database.ts';
import { eraseUser } from './erasing.ts';
import { type Alignment, align, alignBatch, upgrade } from './evolution.ts';
import { landedEventColumns } from './landed-row.ts';
import { GatheredBatch } from './landing.ts';
import { MOST_BATCHES, MOST_SAMPLES, mergeGroups, ROW_GROUP } from './merge-groups.ts';
import { dropBatches, type MergedTarget, mergeRange } from './merging.ts';
import { copyDatabase, publishedPath, renameCopy } from './publish.ts';
import { bookkeeping, databaseTables, FORMAT, timeseriesView } from './sql/create.ts';
import { anySuppressed, ERASED_FORMAT } from './sql/erase.ts';

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

/** For so long merges into the table of a summary or event wait until the landed records fill a row group. */
const PATIENCE_MS = 5_000;

const recordsOf = (batches: readonly LandedBatch[]): number => batches.reduce((sum, { records }) => sum + records, 0);
const rowsOf = (batches: readonly LandedBatch[], range: MergeRange): number =>
  batches.reduce((sum, batch) => sum + rowsIn(batch, range), 0);
const ranges: readonly MergeRange[] = ['recent', 'old'];
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
  readonly #declared: readonly TableDeclaration[];
  /** The declarations with their landed columns. */
  readonly #tables: readonly TableDeclaration[];
  readonly #clock: () => number;
  readonly #step: StepObserver;
  readonly #logger: Logger;
  /** By {@link nameOf} the partition. */
  readonly #positions = new Map<string, Landed>();
  /** By {@link nameOf} the partition: when it was last landed, on the clock of the process. */
  readonly #landedAt = new Map<string, number>();
  #batches: LandedBatch[] = [];
  #nextBatch = 1;
  #strangers: Alignment['strangers'] = new Map();
  /** Some users were erased: merges leave out what still comes of them. */
  #suppressing = false;
  readonly #rounds: MergeRounds;
  /** Threads that DuckDB may take, and those that it was told to take. */
  #threads = 1;
  #used = 1;
  /** The last step on each connection. */
  #lastLanding: Promise<unknown> = Promise.resolve();
  #lastMerging: Promise<unknown> = Promise.resolve();
  /** The copy may be behind: at the start nobody knows, so the first publication asked for is made. */
  #unpublished = true;
  /** Something was merged since the start, or opening changed tables or views: before that nothing comes due, but for the first copy, without which readers have nothing. */
  #news = false;
  #published: { at: number; took: number } | undefined;

  constructor(database: Database, landing: Database, options: DuckDbWarehouseOptions) {
    this.#database = database;
    this.#landing = landing;
    this.#rounds = new MergeRounds((extent, tell) => this.#inMerging(() => this.#merge(extent, tell)));
    this.#options = options;
    this.#declared = options.tables ?? tables;
    this.#tables = this.#declared.map((table) => landedTable(table, options.privacy));
    this.#clock = options.clock ?? Date.now;
    this.#step = options.onStep ?? unobserved;
    this.#logger = options.logger ?? silentLogger;
  }

  async prepare(): Promise<void> {
    const database = this.#database;
    await database.run('preparing the session', "set TimeZone = 'UTC'");
    await database.run('preparing the session', "set checkpoint_threshold = '256MB'");
    const [threads] = await database.rows('preparing the session', "select current_setting('threads')");
    this.#threads = Number(threads![0]);
    this.#used = this.#threads;
    await database.run('creating tables', bookkeeping().join(';\n'));
    const format = (await database.rows('reading the format', 'select format from aorta.format'))[0]?.[0] as number | undefined;
    if (format === undefined) await database.run('writing the format', `insert into aorta.format values (${FORMAT})`);
    else if (format > ERASED_FORMAT)
      throw new AortaError('AORTA-DATA-NEWER', { path: this.#options.path, found: format, known: ERASED_FORMAT });
    await upgrade(database, format ?? FORMAT);
    this.#suppressing = (await database.rows('reading the suppression list', anySuppressed))[0]![0] === true;
    const { changed, strangers } = await align(database, this.#options.path, databaseTables(this.#tables));
    this.#strangers = strangers;
    this.#news = (await this.#makeViews(changed)) || changed;

    for (const [stream, partition, incarnation, position] of await database.rows('reading positions', selectPositions)) {
      const of = { stream: stream as StreamName, partition: Number(partition) };
      this.#positions.set(nameOf(of), { incarnation: incarnation as string, position: Number(position) });
    }
    const waiting = (await database.rows('reading landed batches', selectBatches)).map(batchOf);
    this.#nextBatch = 1 + waiting.reduce((most, batch) => Math.max(most, batch.id), 0);
    // After a return to an earlier version: batches of streams that only the later one knows wait for it.
    this.#batches = waiting.filter(({ stream }) => streamNames.includes(stream));
    if (this.#batches.length < waiting.length)
      this.#logger.warn('batches of unknown streams wait for a newer version', {
        batches: waiting.length - this.#batches.length,
      });
    const present = new Set(
      (
        await database.rows(
          'reading landed batches',
          "select 'landed.' || table_name from duckdb_tables() where schema_name = 'landed'",
        )
      ).map(([name]) => name),
    );
    for (const batch of this.#batches) {
      if (!present.has(rowsTable(batch)))
        throw new AortaError('AORTA-BUG', {
          place: 'the warehouse',
          problem: `landed batch ${batch.id} is gone and was not merged`,
        });
      const { summary_order: order } = this.#options;
      await alignBatch(database, batch, landedEventColumns(batch.stream, this.#tableOf(batch.stream), order));
    }
  }

  /**
   * Makes every view, unless all stand as an opening with the same statements made them. Gives true where it made them. A
   * view follows its tables by their columns' names, so a table that was changed asks for its views anew.
   */
  async #makeViews(tablesChanged: boolean): Promise<boolean> {
    const step = 'creating views';
    const samples = this.#tables.filter(({ shape }) => shape === 'timeseries').map(timeseriesView);
    const statements = [...samples, ...views(duckDbViews, this.#tables, this.#declared).map(duckDbView)];
    const names = statements.flatMap((statement) => /^create or replace view (\w+)/.exec(statement)?.slice(1) ?? []);
    // A view that a person makes in place of ours has no comment. DuckDB's own text of a view would not do to compare: it
    // is another one once the file has been opened again.
    const made = createHash('sha256').update(statements.join('\n')).digest('hex');
    const comment = `Made by Aorta, which makes it again where it was changed (${made.slice(0, 16)})`;
    const [standing] = await this.#database.rows(
      step,
      `select count(*) from duckdb_views() where schema_name = 'main' and comment = '${comment}' and view_name in ('${names.join("', '")}')`,
    );
    if (Number(standing![0]) === names.length && !tablesChanged) return false;
    const comments = names.map((name) => `comment on view ${name} is '${comment}'`);
    // There are dozens: in one transaction they cost one write to the disk, and in one call half the time.
    await this.#database.transaction(step, () => this.#database.run(step, [...statements, ...comments].join(';\n')));
    return true;
  }

  #tableOf(stream: StreamName): TableDeclaration | undefined {
    return this.#tables.find((table) => table.stream === stream);
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#positions.get(nameOf(of));
  }

  landingWait(of: LandedPartition): number {
    const last = this.#landedAt.get(nameOf(of));
    if (last === undefined || this.#tableOf(of.stream)?.shape === 'timeseries') return 0;
    return Math.max(0, last + LAND_EVERY_MS - performance.now());
  }

  /** As many as fill a row group with what waits to be merged, see {@link ROW_GROUP}. */
  landsAtMost({ stream }: LandedPartition): number {
    if (this.#tableOf(stream)?.shape === 'timeseries') return Number.POSITIVE_INFINITY;
    return ROW_GROUP - (recordsOf(this.#waiting(stream, 'recent')) % ROW_GROUP);
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
    return new GatheredBatch(start, this.#tableOf(start.stream), this.#nextNo(start.stream), {
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
    if (gathered.firstNo < this.#nextNo(of.stream))
      throw new AortaError('AORTA-BUG', { place: 'landing', problem: `two batches of ${of.stream} were gathered at once` });
    const done = await this.#landing.transaction('landing', async () => {
      const written = await gathered.write(this.#landing, this.#nextBatch, to, this.#clock());
      this.#step('land:begun');
      return written;
    });
    this.#batches.push(done);
    this.#nextBatch++;
    this.#positions.set(nameOf(of), { incarnation: start.incarnation, position: to });
    this.#landedAt.set(nameOf(of), performance.now());
    this.#step('land:durable');
  }

  /** Number of the next landed row of a stream: it differs from those of all landed rows that are still there. */
  #nextNo(stream: StreamName): number {
    return this.#batches.filter((batch) => batch.stream === stream).reduce((next, { nextNo }) => Math.max(next, nextNo), 0);
  }

  async merge(extent: 'due' | 'all'): Promise<MergeReport> {
    if (extent === 'all') return this.#rounds.all();
    const report = this.#rounds.due();
    if (this.#crowded()) await this.#rounds.settled();
    return report;
  }

  settled(): Promise<void> {
    return this.#rounds.settled();
  }

  async #merge(extent: 'due' | 'all', tell: (merged: MergeReport) => void): Promise<void> {
    for (const stream of new Set(this.#batches.map((batch) => batch.stream))) {
      const mostRows = this.#tableOf(stream)?.shape === 'timeseries' ? MOST_SAMPLES : ROW_GROUP;
      for (const range of ranges) {
        for (const some of mergeGroups(this.#due(stream, range, extent), range, mostRows))
          tell({ batches: some.length, targets: await this.#mergeSome(stream, some, range, extent) });
      }
    }
    const done = this.#batches.filter((batch) => batch.recentMerged && batch.oldMerged);
    if (done.length === 0) return;
    await this.#database.transaction('dropping merged batches', () => dropBatches(this.#database, done));
    this.#batches = this.#batches.filter((batch) => !done.includes(batch));
    this.#step('batch:dropped');
  }

  /** Whether so much is landed beside a merge that landing ought to wait for it: as much as one more merge takes. */
  #crowded(): boolean {
    const streams = [...new Set(this.#batches.map(({ stream }) => stream))];
    return streams.some((stream) => {
      const recent = this.#waiting(stream, 'recent');
      if (recent.length >= 2 * MOST_BATCHES) return true;
      if (this.#tableOf(stream)?.shape !== 'timeseries') return recordsOf(recent) >= 2 * ROW_GROUP;
      const most = { recent: MOST_SAMPLES, old: this.#options.old_rows + MOST_SAMPLES };
      return ranges.some((range) => rowsOf(this.#waiting(stream, range), range) > most[range]);
    });
  }

  /** The batches of a stream whose range is not merged yet. */
  #waiting(stream: StreamName, range: MergeRange): LandedBatch[] {
    return this.#batches.filter(
      (batch) => batch.stream === stream && !(range === 'recent' ? batch.recentMerged : batch.oldMerged),
    );
  }

  /** The batches of a stream whose range ought to be merged now. */
  #due(stream: StreamName, range: MergeRange, extent: 'due' | 'all'): LandedBatch[] {
    const waiting = this.#waiting(stream, range);
    const first = waiting[0];
    if (first === undefined || extent === 'all') return waiting;
    const age = this.#clock() - first.landedAt;
    if (range === 'old') {
      return rowsOf(waiting, range) >= this.#options.old_rows || age >= this.#options.old_after_s * 1000 ? waiting : [];
    }
    if (this.#tableOf(stream)?.shape === 'timeseries') return waiting;
    return recordsOf(waiting) >= ROW_GROUP || age >= PATIENCE_MS ? waiting : [];
  }

  async #mergeSome(
    stream: StreamName,
    batches: readonly LandedBatch[],
    range: MergeRange,
    extent: 'due' | 'all',
  ): Promise<MergedTarget[]> {
    // Where somebody waits for everything nothing else is to be done meanwhile.
    const all = extent === 'all' || this.#tableOf(stream)?.shape === 'timeseries';
    await this.#useThreads(all ? this.#threads : 1);
    const targets = await this.#database.transaction('a merge', async () => {
      const merged = await mergeRange(
        this.#database,
        stream,
        this.#tableOf(stream),
        this.#strangers,
        batches,
        range,
        this.#clock,
        this.#suppressing,
      );
      this.#step('merge:begun');
      return merged;
    });
    const ids = new Set(batches.map(({ id }) => id));
    this.#batches = this.#batches.map((batch) =>
      ids.has(batch.id) ? { ...batch, ...(range === 'recent' ? { recentMerged: true } : { oldMerged: true }) } : batch,
    );
    this.#unpublished = true;
    this.#news = true;
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
      this.#unpublished = true;
      return done;
    });
    // Readers have the copy, and in it the user.
    await this.publish('now');
    return receipt;
  }

  async publish(pace: 'due' | 'now'): Promise<boolean> {
    // It is asked for again and again: what is not due lets merging and landing go on beside each other.
    if (pace === 'due' && !this.#isPublicationDue()) return false;
    return this.#exclusively(async () => {
      if (pace === 'due' ? !this.#isPublicationDue() : !this.#unpublished) return false;
      await this.#useThreads(this.#threads);
      const begun = this.#clock();
      await this.#database.run('a checkpoint', 'force checkpoint');
      const copy = await copyDatabase(this.#options.path);
      this.#step('publish:copied');
      await renameCopy(copy, this.#options.path);
      const ended = this.#clock();
      this.#published = { at: ended, took: ended - begun };
      this.#unpublished = false;
      this.#step('publish:renamed');
      return true;
    });
  }

  #isPublicationDue(): boolean {
    if (!this.#unpublished || (!this.#news && existsSync(publishedPath(this.#options.path)))) return false;
    if (this.#published === undefined) return true;
    const rest = Math.max(this.#options.publish_every_s * 1000, this.#published.took * 99);
    return this.#clock() - this.#published.at >= rest;
  }

  rows(): Promise<Record<string, number>> {
    return this.#inMerging(() => countRows(this.#database));
  }

  backlog(): { batches: number; records: number } {
    return { batches: this.#batches.length, records: this.#batches.reduce((sum, batch) => sum + batch.records, 0) };
  }

  async close(): Promise<void> {
    await this.#exclusively(async () => {});
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
    return this.#inLanding(() => this.#inMerging(step));
  }
}

/** Rows of every table, by name; none of a table that is not there, in a copy of an earlier version. */
export async function countRows(database: Database): Promise<Record<string, number>> {
  const present = await database.rows('counting rows', "select schema_name || '.' || table_name from duckdb_tables()");
  const there = new Set(present.map(([name]) => name));
  const all = [...tables, deliveries].map(({ name, shape }) => ({
    name,
    holder: shape === 'timeseries' ? `aorta.${name}_samples` : `main.${name}`,
  }));
  const counts = all.map(({ name, holder }) => `${there.has(holder) ? `(select count(*) from ${holder})` : '0'} as ${name}`);
  const row = (await database.rows('counting rows', `select ${counts.join(', ')}`))[0]!;
  return Object.fromEntries(
    all.map(({ name }, index) => [name, Number(row[index])] as const).sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
}

/** A reader of tables that were never published is waited for so long. */
const READERS_MS = 10_000;

/**
 * Opens the file as its one writer. Before there is a published copy, readers open the very same file, and whoever looks
 * at that moment would keep a run from starting: they are soon gone. Where there is a copy nobody but a writer has the file.
 */
async function openForWriting(path: string, settings: Record<string, string>, logger: Logger): Promise<Database> {
  const patience = performance.now() + READERS_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await Database.open(path, settings);
    } catch (error) {
      const read = isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED' && !existsSync(publishedPath(path));
      if (!read || performance.now() >= patience) throw error;
      if (tries === 0) logger.info('the tables are read, and not published yet: waiting for the reader', { path });
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/**
 * Opens a DuckDB file as a warehouse, and makes its tables and views. The file is locked against other processes as long
 * as it is open; readers use the published copy. Rejects with AORTA-WAREHOUSE-LOCKED, -UNREADABLE or AORTA-DATA-NEWER.
 */
export async function openDuckDbWarehouse(options: DuckDbWarehouseOptions): Promise<Warehouse> {
  const path = resolve(options.path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AortaError('AORTA-DATA-UNWRITABLE', {
      path: dirname(path),
      code: (error as NodeJS.ErrnoException).code ?? 'unknown',
    });
  }
  // DuckDB makes its write-ahead log and temporary files by the mask of the process.
  if (isMainThread) process.umask(0o077);
  const settings: Record<string, string> = {
    memory_limit: options.memory,
    ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
  };
  const database = await openForWriting(path, settings, options.logger ?? silentLogger);
  try {
    chmodSync(path, 0o600);
    const warehouse = new DuckDbWarehouse(database, await database.beside(), { ...options, path });
    await warehouse.prepare();
    return warehouse;
  } catch (error) {
    database.close();
    throw error;
  }
}
