import type { Logger, StepObserver } from '@aorta/runtime';
import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../../warehouse.ts';
import { partitionBounds, rowsIn, unionOfDays } from '../merging/landed-dates.ts';
import { datesOf, rowsOf } from '../merging/pending-merge.ts';
import type { Backlog } from './backlog.ts';
import { eventsView, type LandedBatch, rowsTable, samplesTable } from './batches.ts';
import type { ConnectionTurns, Database } from './database.ts';
import type { DeclaredTables } from './declared-tables.ts';
import type { Alignment } from './evolution.ts';
import { noteLandedRows, noteReplacedRows, noteSamples, recompute } from './kept-tables.ts';
import type { StreamMerge } from './merge-rules.ts';
import type { PreparedFile } from './preparation.ts';
import type { PublicationPace } from './publication.ts';
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
import type { Tidiness } from './tidiness.ts';

export type Tell = (merged: MergeReport) => void;

interface MergerOptions {
  readonly database: Database;
  readonly turns: ConnectionTurns;
  readonly tables: DeclaredTables;
  readonly backlog: Backlog;
  readonly tidiness: Tidiness;
  readonly pace: PublicationPace;
  readonly prepared: Pick<PreparedFile, 'threads' | 'suppressing' | 'undeclared' | 'kept'>;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly onStep: StepObserver;
}

type UndeclaredColumns = Alignment['undeclared'];

type MergedTarget = MergeReport['targets'][number];

const names = (batches: readonly LandedBatch[]): string => batches.map(({ id }) => id).join(', ');

/** Merges landed rows into their table and returns how many were added or replaced. */
async function mergeRows(database: Database, rows: LandedRows, table?: TableDeclaration): Promise<number> {
  const step = `a merge into ${rows.table}`;
  const repeated = (await database.rows(step, repeatsKey(rows)))[0]![0] === true;
  await database.run(step, compareRows(rows, repeated));
  const [superseded, stay] = (await database.rows(step, countCompared))[0]!.map(Number) as [number, number];
  if (table !== undefined) {
    await noteLandedRows(database, table, rows.select);
    if (superseded > 0) await noteReplacedRows(database, table);
  }
  if (superseded > 0) await database.run(step, deleteSuperseded(rows));
  const changed = await database.run(step, insertRows(rows, repeated, stay > 0));
  await database.run(step, dropCompared);
  return changed;
}

interface MergeSetting {
  /** Whether any users were erased. If so, the merge must skip their rows. */
  readonly suppressing: boolean;
  readonly table: TableDeclaration | undefined;
  readonly undeclared: UndeclaredColumns;
  readonly clock: () => number;
  /** Whether kept tables read the table, so that a merge must note the days that it changes. */
  readonly isKept: boolean;
}

async function mergeSamplesOf(
  database: Database,
  table: TableDeclaration,
  merge: StreamMerge,
  { undeclared, suppressing, isKept }: MergeSetting,
): Promise<number> {
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
  if (isKept) await noteSamples(database, landed);
  const [folded, contested] = (await database.rows(step, countContested))[0]!.map(Number) as [number, number];
  const changed = await database.run(
    step,
    mergeSamples(
      table,
      landed,
      {
        days,
        others: batches.some((batch) => rowsIn(batch, range === 'recent' ? 'old' : 'recent') > 0),
        contested: contested === 0 ? 'none' : contested === folded ? 'all' : 'some',
        sorted: range === 'old',
      },
      undeclared.get(`control.${table.name}_samples`),
    ),
  );
  if (changed < rows) await database.run(step, dropUnusedEvents(table));
  return rows;
}

/**
 * Merges one range of dates of a stream's batches within the caller's transaction, and marks that range of the batches as merged.
 * Only the merge of the recent range also updates `deliveries`, so that each batch is merged there exactly once.
 */
async function mergeRange(database: Database, merge: StreamMerge, setting: MergeSetting): Promise<MergedTarget[]> {
  const { table, clock, suppressing } = setting;
  const { range, target } = merge;
  const batches = merge.parts.map(({ batch }) => batch);
  const targets: MergedTarget[] = [];
  const timed = async (name: string, run: () => Promise<number>): Promise<void> => {
    const begun = clock();
    const rows = await run();
    if (rows > 0) targets.push({ table: name, range, rows, milliseconds: clock() - begun });
  };
  if (table?.shape === 'timeseries') {
    await timed(table.name, () => mergeSamplesOf(database, table, merge, setting));
  } else if (table !== undefined) {
    await timed(table.name, () =>
      mergeRows(database, tableRows(table, batches.map(eventsView), suppressing), setting.isKept ? table : undefined),
    );
  }
  if (range === 'recent') {
    const landed = batches.map((batch) => ({ table: eventsView(batch), stream: target.name }));
    const days = unionOfDays(batches.map((batch) => batch.receivedDays));
    await timed(deliveries.name, () => mergeRows(database, deliveryRows(landed, days, suppressing)));
  }
  await database.run(
    'marking merged batches',
    `update control.batches set ${range}_merged = true where id in (${names(batches)})`,
  );
  return targets;
}

/** Drops batches that are completely merged into every target. */
async function dropBatches(database: Database, batches: readonly LandedBatch[]): Promise<void> {
  for (const batch of batches) {
    await database.run('dropping merged batches', `drop view ${eventsView(batch)}`);
    await database.run('dropping merged batches', `drop table ${rowsTable(batch)}`);
    await database.run('dropping merged batches', `drop table if exists ${samplesTable(batch)}`);
  }
  await database.run('dropping merged batches', `delete from control.batches where id in (${names(batches)})`);
}

/** Merges landed batches into the tables, drops them, and writes checkpoints. The caller must hold the merging turn. */
export class Merger {
  readonly #options: MergerOptions;
  /** Whether users were erased, so that merges must skip their rows. */
  #suppressing: boolean;
  #used: number;

  constructor(options: MergerOptions) {
    const { threads, suppressing } = options.prepared;
    this.#options = options;
    this.#used = threads;
    this.#suppressing = suppressing;
  }

  suppress(): void {
    this.#suppressing = true;
  }

  async merge(extent: 'due' | 'all', tell: Tell): Promise<void> {
    await this.#mergeBatches(extent, tell);
    // Readers see the kept tables in the next published copy, and publishing recomputes them. A caller that merges everything
    // may read the file itself.
    if (extent === 'all') await this.#keep();
    if (this.#options.tidiness.isDue) await this.checkpoint(tell);
  }

  /** Recomputes the kept tables for everything that has been merged. */
  async #keep(): Promise<void> {
    const { database, prepared, clock, logger, onStep } = this.#options;
    await this.#useThreads(prepared.threads);
    const begun = clock();
    const kept = await recompute(database, prepared.kept, onStep);
    if (kept.whole === 0 && kept.users === 0) return;
    onStep('kept:durable');
    logger.debug('recomputed kept tables', { ...kept, milliseconds: clock() - begun });
  }

  /**
   * Writes the contents of the write-ahead log into the database file, and runs `then` before anything else is landed or
   * merged. If many batches are waiting, they are merged first. Otherwise the checkpoint would allocate blocks for them, and the
   * file does not shrink when they are dropped. Landing continues during the first round of merges, so a second, short round
   * follows.
   */
  async checkpoint(tell: Tell, then?: (begun: number) => Promise<void>): Promise<void> {
    const { database, turns, tidiness, clock, prepared } = this.#options;
    await this.mergeCrowd(tell);
    if (then !== undefined) await this.#keep();
    await turns.inLanding(async () => {
      await this.mergeCrowd(tell);
      if (then !== undefined) await this.#keep();
      const begun = clock();
      await this.#useThreads(prepared.threads);
      await database.run('a checkpoint', 'force checkpoint');
      tidiness.checkpointed();
      await then?.(begun);
    });
  }

  /** Merges everything if so many batches are waiting that a checkpoint would enlarge the file. */
  async mergeCrowd(tell: Tell): Promise<void> {
    const { tidiness, backlog } = this.#options;
    if (tidiness.crowdsCheckpoint(backlog.size())) await this.#mergeBatches('all', tell);
  }

  async #mergeBatches(extent: 'due' | 'all', tell: Tell): Promise<void> {
    const { backlog, clock, database, onStep } = this.#options;
    for (const stream of backlog.streams) {
      for (const due of backlog.due(stream, extent, clock()))
        tell({ batches: due.parts.length, targets: await this.#mergeOne(due, extent) });
    }
    const { merged } = backlog;
    if (merged.length === 0) return;
    await database.transaction('dropping merged batches', () => dropBatches(database, merged));
    backlog.remove(merged);
    onStep('batch:dropped');
  }

  async #mergeOne(due: StreamMerge, extent: 'due' | 'all'): Promise<MergedTarget[]> {
    const { database, tables, prepared, clock, backlog, pace, logger, onStep } = this.#options;
    const { range, parts } = due;
    const { name: stream } = due.target;
    // A caller that merges everything waits for the merge, so the merge may use all threads.
    await this.#useThreads(extent === 'all' || tables.isTimeseries(stream) ? prepared.threads : 1);
    const targets = await database.transaction('a merge', async () => {
      const merged = await mergeRange(database, due, {
        table: tables.of(stream),
        undeclared: prepared.undeclared,
        clock,
        suppressing: this.#suppressing,
        isKept: prepared.kept.some(({ names }) => names.has(tables.of(stream)?.name ?? '')),
      });
      onStep('merge:begun');
      return merged;
    });
    backlog.mark(due);
    pace.merged();
    onStep('merge:durable');
    logger.debug('merged', { stream, range, batches: parts.length, rows: targets[0]?.rows ?? 0 });
    return targets;
  }

  /**
   * Merges of summaries and events run on one thread while other work is in progress. If several threads ran
   * them, each thread would add a part of a row group, and the parts would be combined row by row afterwards. Idle threads would
   * also wait in a busy loop.
   */
  async #useThreads(threads: number): Promise<void> {
    if (threads === this.#used) return;
    await this.#options.database.run('setting threads', `set threads = ${threads}`);
    this.#used = threads;
  }
}
