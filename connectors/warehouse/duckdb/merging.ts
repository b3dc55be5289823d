import { deliveries, type StreamName, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../warehouse.ts';
import { eventsView, type LandedBatch, type MergeRange, rowsIn, rowsTable, samplesTable } from './batches.ts';
import type { Database } from './database.ts';
import type { Alignment } from './evolution.ts';
import { bounds } from './landing.ts';
import { deliveryRows, type LandedRows, type MergeHeed, tableRows } from './sql/landed-rows.ts';
import { compareRows, countCompared, deleteSuperseded, dropCompared, insertRows, repeatsKey } from './sql/merge-rows.ts';
import { countContested, dropUnusedEvents, foldEvents, insertEvents, insertSeries, mergeSamples } from './sql/merge-samples.ts';

/** Columns that stand in a table of the database and in no declaration, by table. */
type Strangers = Alignment['strangers'];

export type MergedTarget = MergeReport['targets'][number];

const union = (lists: readonly (readonly number[])[]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
const names = (batches: readonly LandedBatch[]): string => batches.map(({ id }) => id).join(', ');

/** Merges landed rows into their table; gives how many were added or replaced. */
async function mergeRows(database: Database, rows: LandedRows): Promise<number> {
  const step = `a merge into ${rows.table}`;
  const repeated = (await database.rows(step, repeatsKey(rows)))[0]![0] === true;
  await database.run(step, compareRows(rows, repeated));
  const [superseded, stay] = (await database.rows(step, countCompared))[0]!.map(Number) as [number, number];
  if (superseded > 0) await database.run(step, deleteSuperseded(rows));
  const changed = await database.run(step, insertRows(rows, repeated, stay > 0));
  await database.run(step, dropCompared);
  return changed;
}

async function mergeSamplesOf(
  database: Database,
  table: TableDeclaration,
  strangers: Strangers,
  batches: readonly LandedBatch[],
  range: MergeRange,
  suppressing: boolean,
): Promise<number> {
  const days = union(batches.map((batch) => (range === 'recent' ? batch.recentDays : batch.oldDays)));
  const rows = batches.reduce((sum, batch) => sum + rowsIn(batch, range), 0);
  if (rows === 0) return 0;
  const landed = batches.map((batch) => ({
    events: eventsView(batch),
    samples: samplesTable(batch),
    sampleColumns: batch.sampleColumns,
  }));
  const step = `a merge into ${table.name}`;
  const { from, to } = bounds(days);
  await database.run(step, insertSeries(table, landed, suppressing));
  await database.run(step, foldEvents(table, landed, from, to, suppressing));
  await database.run(step, insertEvents(table, landed));
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
      strangers.get(`aorta.${table.name}_samples`),
    ),
  );
  if (changed < rows) await database.run(step, dropUnusedEvents(table));
  return rows;
}

/**
 * Merges one range of dates of a stream's batches, in the transaction that the caller has opened, and marks them. With
 * the recent range go the rows of `deliveries`, so that every batch counts there once.
 */
export async function mergeRange(
  database: Database,
  stream: StreamName,
  table: TableDeclaration | undefined,
  strangers: Strangers,
  batches: readonly LandedBatch[],
  range: MergeRange,
  clock: () => number,
  heed: MergeHeed,
): Promise<MergedTarget[]> {
  const { suppressing } = heed;
  const targets: MergedTarget[] = [];
  const timed = async (name: string, merge: () => Promise<number>): Promise<void> => {
    const begun = clock();
    const rows = await merge();
    if (rows > 0) targets.push({ table: name, range, rows, milliseconds: clock() - begun });
  };
  if (table?.shape === 'timeseries') {
    await timed(table.name, () => mergeSamplesOf(database, table, strangers, batches, range, suppressing));
  } else if (table !== undefined) {
    await timed(table.name, () => mergeRows(database, tableRows(table, batches.map(eventsView), heed)));
  }
  if (range === 'recent') {
    const landed = batches.map((batch) => ({ table: eventsView(batch), stream }));
    const days = union(batches.map((batch) => batch.receivedDays));
    await timed(deliveries.name, () => mergeRows(database, deliveryRows(landed, days, suppressing)));
  }
  await database.run('marking merged batches', `update aorta.batches set ${range}_merged = true where id in (${names(batches)})`);
  return targets;
}

/** Drops batches that every target and every range has. */
export async function dropBatches(database: Database, batches: readonly LandedBatch[]): Promise<void> {
  for (const batch of batches) {
    await database.run('dropping merged batches', `drop view ${eventsView(batch)}`);
    await database.run('dropping merged batches', `drop table ${rowsTable(batch)}`);
    await database.run('dropping merged batches', `drop table if exists ${samplesTable(batch)}`);
  }
  await database.run('dropping merged batches', `delete from aorta.batches where id in (${names(batches)})`);
}
