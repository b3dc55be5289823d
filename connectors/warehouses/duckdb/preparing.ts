import { AortaError, type Logger, type StepObserver } from '@aorta/runtime';
import { deliveries, type StreamName, streamNames, type TableDeclaration } from '@aorta/schemas';
import type { Preferences } from '../../preferences.ts';
import type { Landed, LandedPartition } from '../../warehouse.ts';
import { keptTables } from '../kept/kept-tables.ts';
import { TIME_ZONES, timeZoneColumns } from '../time-zones.ts';
import { allColumns } from '../views/columns.ts';
import { isShown, type View } from '../views/dialect.ts';
import { views } from '../views/views.ts';
import { batchOf, eventsView, type LandedBatch, rowsTable, selectBatches, selectPositions } from './batches.ts';
import type { DescribedRelation } from './column-descriptions.ts';
import { type Commented, describeTables, readComments } from './comments.ts';
import { moveControlTables } from './control-schema.ts';
import type { Database } from './database.ts';
import { type Alignment, align, alignBatch, landedRelations, upgrade } from './evolution.ts';
import { notConfirmed, orderFirstVersions } from './first-versions.ts';
import { type DefinedTable, definedTables, makeKeptTables } from './keeping/stored.ts';
import { landedEventColumns } from './landed-columns.ts';
import type { DuckDbSettings } from './options.ts';
import { bookkeeping, databaseTables, FIRST_VERSIONS_FORMAT, FORMAT } from './sql/create.ts';
import { anySuppressed } from './sql/erase.ts';
import { makeViews } from './standing-views.ts';
import { fillTimeZones } from './time-zones.ts';
import { duckDbViews } from './views-dialect.ts';

export interface Preparation {
  readonly path: string;
  readonly declared: readonly TableDeclaration[];
  readonly landed: readonly TableDeclaration[];
  readonly preferences: Preferences;
  readonly order: DuckDbSettings['summary_order'];
  readonly logger: Logger;
  readonly onStep: StepObserver;
}

/** Contents of a prepared file. */
export interface PreparedFile {
  /** Number of threads that DuckDB may use. */
  readonly threads: number;
  readonly suppressing: boolean;
  readonly undeclared: Alignment['undeclared'];
  /** Streams whose tables contain unconfirmed rows: an upgrade rewrote them, and their records have not been merged again. */
  readonly notConfirmed: ReadonlySet<StreamName>;
  readonly changed: boolean;
  readonly kept: readonly DefinedTable[];
  readonly described: readonly DescribedRelation[];
  readonly positions: readonly (readonly [LandedPartition, Landed])[];
  /** Landed batches that have not been completely merged yet. Batches of unknown streams are left out. */
  readonly batches: readonly LandedBatch[];
  readonly nextBatch: number;
}

/**
 * Upgrades the format, tables, views and waiting batches of a file. Rejects with AORTA-DATA-NEWER if a newer version of Aorta
 * wrote the file.
 */
export async function prepare(database: Database, preparation: Preparation): Promise<PreparedFile> {
  const { path, declared, landed } = preparation;
  await database.run('preparing the session', "set TimeZone = 'UTC'");
  await database.run('preparing the session', "set checkpoint_threshold = '256MB'");
  const [threads] = await database.rows('preparing the session', "select current_setting('threads')");
  await moveControlTables(database);
  await database.run('creating tables', bookkeeping().join(';\n'));
  const format = (await database.rows('reading the format', 'select format from control.format'))[0]?.[0] as number | undefined;
  if (format === undefined) await database.run('writing the format', `insert into control.format values (${FORMAT})`);
  else if (format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: format, known: FORMAT });
  await upgrade(database, format ?? FORMAT);
  const suppressing = (await database.rows('reading the suppression list', anySuppressed))[0]![0] === true;
  const aligned = await align(database, path, databaseTables(landed));
  const comments = await readComments(database);
  const zonesFilled = await fillTimeZones(database, comments);
  const shown = views(duckDbViews, landed, declared, preparation.preferences);
  const kept = definedTables(keptTables, shown);
  const keptMade = await makeKeptTables(database, kept);
  const viewsMade = await makeViews(database, landed, shown, { comments, tablesChanged: aligned.changed });
  const tablesDescribed = await describeTables(database, comments, commentedTables(landed));
  const batches = await landedBatches(database, preparation);
  if (format !== undefined && format < FIRST_VERSIONS_FORMAT)
    await orderFirstVersions(database, { ...preparation, tables: landed, batches: batches.batches });
  const positions = (await database.rows('reading positions', selectPositions)).map(
    ([stream, partition, incarnation, position]) =>
      [
        { stream: stream as StreamName, partition: Number(partition) },
        { incarnation: incarnation as string, position: Number(position) },
      ] as const,
  );
  return {
    threads: Number(threads![0]),
    suppressing,
    undeclared: aligned.undeclared,
    changed: aligned.changed || zonesFilled || viewsMade || keptMade || tablesDescribed,
    kept,
    described: describedRelations(landed, shown),
    positions,
    ...batches,
    notConfirmed: new Set([...(await notConfirmed(database, landed)).keys()].map(({ stream }) => stream as StreamName)),
  };
}

/** Tables that are no views, with their comments. */
const commentedTables = (landed: readonly TableDeclaration[]): Commented[] =>
  [...landed.filter(({ shape }) => shape !== 'timeseries'), deliveries].map(({ name, doc }) => ({ of: 'table', name, doc }));

const describedRelations = (landed: readonly TableDeclaration[], shown: readonly View[]): DescribedRelation[] => [
  ...[...landed, deliveries].map((table) => ({ name: table.name, columns: allColumns(table) })),
  { name: TIME_ZONES, columns: timeZoneColumns },
  ...shown.filter(isShown),
];

/** Reads the batches landed by earlier runs and adds columns that have been declared since. */
async function landedBatches(
  database: Database,
  { landed, order, logger }: Preparation,
): Promise<Pick<PreparedFile, 'batches' | 'nextBatch'>> {
  const waiting = (await database.rows('reading landed batches', selectBatches)).map(batchOf);
  const nextBatch = 1 + waiting.reduce((most, batch) => Math.max(most, batch.id), 0);
  // After a downgrade, batches of streams that this version does not know stay in the file until a newer version merges them.
  const batches = waiting.filter(({ stream }) => streamNames.includes(stream));
  if (batches.length < waiting.length)
    logger.warn('batches of unknown streams wait for a newer version', { batches: waiting.length - batches.length });
  const present = batches.length === 0 ? new Map<string, ReadonlySet<string>>() : await landedRelations(database);
  for (const batch of batches) {
    if (!present.has(rowsTable(batch)))
      throw new AortaError('AORTA-BUG', {
        place: 'the warehouse',
        problem: `landed batch ${batch.id} is gone and was not merged`,
      });
    const table = landed.find(({ stream }) => stream === batch.stream);
    const there = present.get(eventsView(batch)) ?? new Set();
    await alignBatch(database, batch, landedEventColumns(batch.stream, table, order), there);
  }
  return { batches, nextBatch };
}
