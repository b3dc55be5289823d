import { deliveries, type StreamName, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../warehouse.ts';
import { eventsView, type LandedBatch, type MergeRange, rowsIn, rowsTable, samplesTable } from './batches.ts';
import type { Database } from './database.ts';
import type { Alignment } from './evolution.ts';
import { bounds } from './landing.ts';
import { knowsDelivery, mergeDeliveries, repeatsDelivery } from './sql/merge-deliveries.ts';
import { knowsKey, type LandedKeys, mergeRows, repeatsKey } from './sql/merge-rows.ts';
import { countContested, dropUnusedEvents, foldEvents, insertEvents, insertSeries, mergeSamples } from './sql/merge-samples.ts';

/** Columns that stand in a table of the database and in no declaration, by table. */
type Strangers = Alignment['strangers'];

export type MergedTarget = MergeReport['targets'][number];

const union = (lists: readonly (readonly number[])[]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
const names = (batches: readonly LandedBatch[]): string => batches.map(({ id }) => id).join(', ');

const isTrue = async (database: Database, step: string, sql: string): Promise<boolean> =>
  (await database.rows(step, sql))[0]![0] === true;

/** What is known of landed keys, by a query that says whether they repeat, and one that says whether the table knows any. */
async function landedKeys(database: Database, step: string, repeated: string, known: string): Promise<LandedKeys> {
  if (await isTrue(database, step, repeated)) return 'any';
  return (await isTrue(database, step, known)) ? 'distinct' : 'new';
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
 * the recent range go the rows of `deliveries`, so that every batch counts there once. `suppressing`: some users were
 * erased, and stay away.
 */
export async function mergeRange(
  database: Database,
  stream: StreamName,
  table: TableDeclaration | undefined,
  strangers: Strangers,
  batches: readonly LandedBatch[],
  range: MergeRange,
  clock: () => number,
  suppressing: boolean,
): Promise<MergedTarget[]> {
  const targets: MergedTarget[] = [];
  const timed = async (name: string, merge: () => Promise<number>): Promise<void> => {
    const begun = clock();
    const rows = await merge();
    if (rows > 0) targets.push({ table: name, range, rows, milliseconds: clock() - begun });
  };
  if (table?.shape === 'timeseries') {
    await timed(table.name, () => mergeSamplesOf(database, table, strangers, batches, range, suppressing));
  } else if (table !== undefined) {
    const step = `a merge into ${table.name}`;
    const landed = batches.map(eventsView);
    await timed(table.name, async () => {
      const keys = await landedKeys(database, step, repeatsKey(table, landed), knowsKey(table, landed));
      return database.run(step, mergeRows(table, landed, { strangers: strangers.get(table.name), keys, suppressing }));
    });
  }
  if (range === 'recent') {
    const receipts = batches.map((batch) => ({ table: eventsView(batch), stream }));
    const days = union(batches.map((batch) => batch.receivedDays));
    const step = 'a merge into deliveries';
    await timed(deliveries.name, async () => {
      const repeated = repeatsDelivery(batches.map(eventsView));
      const keys = await landedKeys(database, step, repeated, knowsDelivery(receipts, days));
      return database.run(
        step,
        mergeDeliveries(receipts, days, { strangers: strangers.get(deliveries.name), keys, suppressing }),
      );
    });
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
