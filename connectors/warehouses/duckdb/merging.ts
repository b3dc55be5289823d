import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../../warehouse.ts';
import { rowsIn, unionOfDays } from '../merging/landed-dates.ts';
import { datesOf, rowsOf } from '../merging/pending-merge.ts';
import { partitionBounds } from '../merging/sample-days.ts';
import { eventsView, type LandedBatch, rowsTable, samplesTable } from './batches.ts';
import type { Database } from './database.ts';
import type { Alignment } from './evolution.ts';
import { noteLandedRows, noteReplacedRows, noteSamples } from './keeping/changes.ts';
import type { StreamMerge } from './merge-rules.ts';
import { deliveryRows, type LandedRows, type MergeHeed, tableRows } from './sql/landed-rows.ts';
import { compareRows, countCompared, deleteSuperseded, dropCompared, insertRows, repeatsKey } from './sql/merge-rows.ts';
import { countContested, dropUnusedEvents, foldEvents, insertEvents, insertSeries, mergeSamples } from './sql/merge-samples.ts';

type UndeclaredColumns = Alignment['undeclared'];

export type MergedTarget = MergeReport['targets'][number];

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

export interface MergeSetting extends MergeHeed {
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
export async function mergeRange(database: Database, merge: StreamMerge, setting: MergeSetting): Promise<MergedTarget[]> {
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
      mergeRows(database, tableRows(table, batches.map(eventsView), setting), setting.isKept ? table : undefined),
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
export async function dropBatches(database: Database, batches: readonly LandedBatch[]): Promise<void> {
  for (const batch of batches) {
    await database.run('dropping merged batches', `drop view ${eventsView(batch)}`);
    await database.run('dropping merged batches', `drop table ${rowsTable(batch)}`);
    await database.run('dropping merged batches', `drop table if exists ${samplesTable(batch)}`);
  }
  await database.run('dropping merged batches', `delete from control.batches where id in (${names(batches)})`);
}
