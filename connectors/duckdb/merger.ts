import { statSync } from 'node:fs';
import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../warehouse.ts';
import { partitionBounds, rowsIn, unionOfDays } from '../warehouses/merging/landed-dates.ts';
import { datesOf, rowsOf } from '../warehouses/merging/pending-merge.ts';
import type { Backlog } from './backlog.ts';
import { eventsView, type LandedBatch, rowsTable, samplesTable } from './batches.ts';
import { noteLandedRows, noteReceipts, noteReplacedRows, noteSamples } from './changed-days.ts';
import type { Connections, Database } from './database.ts';
import { recompute } from './kept-tables.ts';
import { FEW_ROWS, type StreamMerge } from './merge-rules.ts';
import type { OpeningOptions } from './options.ts';
import type { PreparedFile } from './preparation.ts';
import {
  compareRows,
  countCompared,
  deleteSuperseded,
  deliveryRows,
  dropCompared,
  insertRows,
  type LandedRows,
  repeatsKey,
  tableRows,
} from './sql/merge-rows.ts';
import { countContested, dropUnusedEvents, foldEvents, insertEvents, insertSeries, mergeSamples } from './sql/merge-samples.ts';

type MergedTarget = MergeReport['targets'][number];

const names = (batches: readonly LandedBatch[]): string => batches.map(({ id }) => id).join(', ');

/** Drops batches that are completely merged into every target. */
async function dropBatches(database: Database, batches: readonly LandedBatch[]): Promise<void> {
  const step = 'dropping merged batches';
  for (const batch of batches) {
    await database.run(step, `drop view ${eventsView(batch)}`);
    await database.run(step, `drop table ${rowsTable(batch)}`);
    await database.run(step, `drop table if exists ${samplesTable(batch)}`);
  }
  await database.run(step, `delete from control.batches where id in (${names(batches)})`);
}

/** Merges landed batches into the tables, drops them, and writes checkpoints. The caller must hold the merging turn. */
export class DuckDbMerger {
  readonly #connections: Connections;
  readonly #database: Database;
  readonly #backlog: Backlog;
  readonly #prepared: PreparedFile;
  readonly #options: Pick<OpeningOptions, 'path' | 'clock' | 'logger' | 'onStep'>;
  readonly #onMerged: (merged: MergeReport) => void;
  /** Whether users were erased, so that merges must skip their rows. */
  #suppressing: boolean;
  #threads: number;
  /** The tables that merges have changed since the kept tables were recomputed. Undefined if an earlier process left changes. */
  #changed: Set<string> | undefined;
  /** Number of rows merged since then. */
  #changedRows = 0;

  /** Calls `onMerged` after each merge. */
  constructor(
    connections: Connections,
    backlog: Backlog,
    prepared: PreparedFile,
    options: Pick<OpeningOptions, 'path' | 'clock' | 'logger' | 'onStep'>,
    onMerged: (merged: MergeReport) => void,
  ) {
    this.#connections = connections;
    this.#database = connections.merging;
    this.#backlog = backlog;
    this.#prepared = prepared;
    this.#options = options;
    this.#onMerged = onMerged;
    this.#threads = prepared.threads;
    this.#suppressing = prepared.suppressing;
    this.#changed = prepared.isKeptBehind ? undefined : new Set();
  }

  suppress(): void {
    this.#suppressing = true;
  }

  async merge(extent: 'due' | 'all'): Promise<void> {
    await this.#mergeBatches(extent);
    // Readers see the kept tables in the next published copy, and publishing recomputes them. A caller that merges everything
    // may read the file itself.
    if (extent === 'all') await this.#keep(this.#prepared.threads);
    if (this.#backlog.isCheckpointDue) await this.checkpoint({ isAwaited: true });
  }

  /** Recomputes the kept tables for everything that has been merged. */
  async #keep(threads: number): Promise<void> {
    const { clock, logger, onStep } = this.#options;
    await this.#useThreads(threads);
    const begun = clock();
    const kept = await recompute(this.#database, this.#prepared, this.#changed, onStep);
    this.#changed = new Set();
    this.#changedRows = 0;
    if (kept.whole === 0 && kept.users === 0) return;
    onStep('kept:durable');
    logger.debug('recomputed kept tables', { ...kept, milliseconds: clock() - begun });
  }

  /**
   * Writes the contents of the write-ahead log into the database file, and runs `then` before anything else is landed or
   * merged. If many batches are waiting, they are merged first. Otherwise the checkpoint would allocate blocks for them, and the
   * file does not shrink when they are dropped. Landing continues during the first round of merges, so a second, short round
   * follows. `then` gets the milliseconds that the checkpoint and the kept tables took. If no caller waits for it and little has
   * changed, it uses one thread, and leaves the other cores to ingestion.
   */
  async checkpoint({ isAwaited }: { readonly isAwaited: boolean }, then?: (took: number) => Promise<void>): Promise<void> {
    const { clock } = this.#options;
    const threads = isAwaited || this.#changedRows > FEW_ROWS ? this.#prepared.threads : 1;
    let took = 0;
    const timed = async (work: () => Promise<unknown>): Promise<void> => {
      const begun = clock();
      await work();
      took += clock() - begun;
    };
    await this.mergeCrowd();
    if (then !== undefined) await timed(() => this.#keep(threads));
    await this.#connections.landing.inTurn(async () => {
      await this.mergeCrowd();
      if (then !== undefined) await timed(() => this.#keep(threads));
      await this.#useThreads(threads);
      await timed(() => this.#database.run('a checkpoint', 'force checkpoint'));
      this.#backlog.checkpointed();
      await then?.(took);
    });
  }

  /** Merges everything if so many batches are waiting that a checkpoint would enlarge the file. */
  async mergeCrowd(): Promise<void> {
    if (this.#backlog.crowdsCheckpoint(statSync(this.#options.path).size)) await this.#mergeBatches('all');
  }

  async #mergeBatches(extent: 'due' | 'all'): Promise<void> {
    const { clock } = this.#options;
    let took = 0;
    for (const stream of this.#backlog.streams)
      for (const due of this.#backlog.due(stream, extent, clock())) {
        const begun = clock();
        await this.#mergeOne(due, extent);
        if (!this.#backlog.isTimeseries(stream)) took += clock() - begun;
      }
    if (took > 0) this.#backlog.early.took(took, clock());
    const { merged } = this.#backlog;
    if (merged.length === 0) return;
    await this.#database.transaction('dropping merged batches', () => dropBatches(this.#database, merged));
    this.#backlog.remove(merged);
    this.#options.onStep('batch:dropped');
  }

  async #mergeOne(due: StreamMerge, extent: 'due' | 'all'): Promise<void> {
    const { logger, onStep } = this.#options;
    const { range, parts } = due;
    const { name: stream } = due.target;
    // A caller that merges everything waits for the merge, so the merge may use all threads.
    await this.#useThreads(extent === 'all' || this.#backlog.isTimeseries(stream) ? this.#prepared.threads : 1);
    const targets = await this.#database.transaction('a merge', async () => {
      const merged = await this.#mergeRange(due);
      onStep('merge:begun');
      return merged;
    });
    this.#backlog.mark(due);
    this.#changedRows += rowsOf(due);
    this.#onMerged({ batches: parts.length, targets });
    onStep('merge:durable');
    logger.debug('merged', { stream, range, batches: parts.length, rows: targets[0]?.rows ?? 0 });
  }

  /**
   * Merges one range of dates of a stream's batches within the caller's transaction, and marks that range of the batches as
   * merged. Only the merge of the recent range also updates `deliveries`, so that each batch is merged there exactly once.
   */
  async #mergeRange(merge: StreamMerge): Promise<MergedTarget[]> {
    const { clock } = this.#options;
    const { range, target } = merge;
    const batches = merge.parts.map(({ batch }) => batch);
    const targets: MergedTarget[] = [];
    const timed = async (table: string, run: () => Promise<number>): Promise<void> => {
      const begun = clock();
      const rows = await run();
      if (rows > 0) targets.push({ table, range, rows, milliseconds: clock() - begun });
    };
    const table = this.#backlog.tableOf(target.name);
    if (table !== undefined) this.#changed?.add(table.name);
    if (table?.shape === 'timeseries') {
      await timed(table.name, () => this.#mergeSamples(table, merge));
    } else if (table !== undefined) {
      await timed(table.name, () => this.#mergeRows(tableRows(table, batches.map(eventsView), this.#suppressing), table));
    }
    if (range === 'recent') {
      const landed = batches.map((batch) => ({ table: eventsView(batch), stream: target.name }));
      const days = unionOfDays(batches.map((batch) => batch.receivedDays));
      // Batches of lost records have no rows.
      if (days.length > 0) {
        const received = deliveryRows(landed, days, this.#suppressing);
        await timed(deliveries.name, () => this.#mergeRows(received));
        await noteReceipts(this.#database, received.select);
        this.#changed?.add(deliveries.name);
      }
    }
    await this.#database.run(
      'marking merged batches',
      `update control.batches set ${range}_merged = true where id in (${names(batches)})`,
    );
    return targets;
  }

  /** Merges landed rows into their table and returns how many were added or replaced. `table` is undefined for `deliveries`. */
  async #mergeRows(rows: LandedRows, table?: TableDeclaration): Promise<number> {
    const database = this.#database;
    const step = `a merge into ${rows.table}`;
    const repeated = (await database.rows(step, repeatsKey(rows)))[0]![0] === true;
    await database.run(step, compareRows(rows, repeated));
    const [superseded, stay] = (await database.rows(step, countCompared))[0]!.map(Number) as [number, number];
    if (table !== undefined && this.#isKept(table)) {
      await noteLandedRows(database, table, rows.select);
      if (superseded > 0) await noteReplacedRows(database, table);
    }
    if (superseded > 0) await database.run(step, deleteSuperseded(rows));
    const changed = await database.run(step, insertRows(rows, repeated, stay > 0));
    await database.run(step, dropCompared);
    return changed;
  }

  /** Merges landed samples into their table and returns how many there were. */
  async #mergeSamples(table: TableDeclaration, merge: StreamMerge): Promise<number> {
    const database = this.#database;
    const suppressing = this.#suppressing;
    const rows = rowsOf(merge);
    if (rows === 0) return 0;
    const { range } = merge;
    const batches = merge.parts.map(({ batch }) => batch);
    const days = datesOf(merge);
    const landed = batches.map((batch) => ({
      events: eventsView(batch),
      samples: samplesTable(batch),
      sampleColumns: batch.sampleColumns,
    }));
    const step = `a merge into ${table.name}`;
    await database.run(step, insertSeries(table, landed, suppressing));
    await database.run(step, foldEvents(table, landed, partitionBounds(days), suppressing));
    await database.run(step, insertEvents(table, landed));
    if (this.#isKept(table)) await noteSamples(database, landed);
    const [folded, contested] = (await database.rows(step, countContested))[0]!.map(Number) as [number, number];
    const fold = {
      days,
      others: batches.some((batch) => rowsIn(batch, range === 'recent' ? 'old' : 'recent') > 0),
      contested: contested === 0 ? 'none' : contested === folded ? 'all' : 'some',
      sorted: range === 'old',
    } as const;
    const undeclared = this.#prepared.undeclared.get(`control.${table.name}_samples`);
    const changed = await database.run(step, mergeSamples(table, landed, fold, undeclared));
    if (changed < rows) await database.run(step, dropUnusedEvents(table));
    return rows;
  }

  /** Whether kept tables read the table, so that a merge must note the days that it changes. */
  #isKept({ name }: TableDeclaration): boolean {
    const { kept, followed } = this.#prepared;
    return [...kept, followed.definition].some(({ reads }) => reads.has(name));
  }

  /**
   * Merges of summaries and events run on one thread while other work is in progress. If several threads ran
   * them, each thread would add a part of a row group, and the parts would be combined row by row afterwards. Idle threads would
   * also wait in a busy loop.
   */
  async #useThreads(threads: number): Promise<void> {
    if (threads === this.#threads) return;
    await this.#database.run('setting threads', `set threads = ${threads}`);
    this.#threads = threads;
  }
}
