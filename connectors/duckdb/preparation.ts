import { createHash } from 'node:crypto';
import { AortaError } from '@aorta/runtime';
import { deliveries, type StreamName, streamNames, type TableDeclaration } from '@aorta/schemas';
import type { Landed, LandedPartition } from '../warehouse.ts';
import { keptTables } from '../warehouses/kept/kept-tables.ts';
import { TIME_ZONES, timeZoneColumns, timeZoneHash, timeZonesDoc, timeZoneText } from '../warehouses/time-zones.ts';
import { allColumns, descriptionOf } from '../warehouses/views/columns.ts';
import { isShown, type View, type ViewColumn } from '../warehouses/views/dialect.ts';
import { views } from '../warehouses/views/views.ts';
import { batchOf, eventsView, type LandedBatch, rowsTable, selectBatches, selectPositions } from './batches.ts';
import type { Database } from './database.ts';
import { type Alignment, align, alignBatch, landedRelations } from './evolution.ts';
import { FORMAT, readFormat } from './format.ts';
import { type DefinedTable, definedTables, makeKeptTables } from './kept-tables.ts';
import { landedEventColumns } from './landed-rows.ts';
import type { OpeningOptions } from './options.ts';
import { bookkeeping, databaseTables, timeseriesView } from './sql/create.ts';
import { anySuppressed } from './sql/erase.ts';
import { text } from './sql/types.ts';
import { countRows } from './table-differences.ts';
import { duckDbView, duckDbViews } from './views-dialect.ts';

/**
 * Minimum number of rows in a file before Aorta sets comments on its columns. DuckDB takes half a second to set them all,
 * which is too long for a small file.
 */
const LEAST_DESCRIBED_ROWS = 1000;

const step = 'describing columns';

type Made = 'views' | 'time_zones' | 'column_comments';

async function isMade(database: Database, step: string, name: Made, content: string): Promise<boolean> {
  const rows = await database.rows(step, `select content from control.made where name = '${name}'`);
  return rows.length === 1 && rows[0]![0] === content;
}

/** Statement that deletes the record of what was made, so that Aorta makes it again. */
const forgetMade = (name: Made): string => `delete from control.made where name = '${name}'`;

/** Returns the statements that record what was made. Run them in the transaction that makes it. */
const recordMade = (name: Made, content: string): string[] => [
  forgetMade(name),
  `insert into control.made values ('${name}', '${content}')`,
];

/** A table or view with its columns. */
interface DescribedRelation {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
}

/**
 * Sets the comments of all columns, unless they are set already or the file has too few rows. Returns whether they are set.
 */
export async function describeColumns(database: Database, relations: readonly DescribedRelation[]): Promise<boolean> {
  const rows = Object.values(await countRows(database)).reduce((total, count) => total + count, 0);
  if (rows < LEAST_DESCRIBED_ROWS) return false;
  const statements = relations.flatMap(({ name: relation, columns }) =>
    columns.map((column) => `comment on column ${relation}."${column.name}" is ${text(descriptionOf(column))}`),
  );
  const content = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16);
  if (await isMade(database, step, 'column_comments', content)) return true;
  await database.transaction(step, () =>
    database.run(step, [...statements, ...recordMade('column_comments', content)].join(';\n')),
  );
  return true;
}

/** Contents of a prepared file. */
export interface PreparedFile {
  /** Number of threads that DuckDB may use. */
  readonly threads: number;
  readonly suppressing: boolean;
  readonly undeclared: Alignment['undeclared'];
  readonly changed: boolean;
  readonly kept: readonly DefinedTable[];
  readonly described: readonly DescribedRelation[];
  readonly positions: readonly (readonly [LandedPartition, Landed])[];
  /** Landed batches that have not been completely merged yet. Batches of unknown streams are left out. */
  readonly batches: readonly LandedBatch[];
  readonly nextBatch: number;
}

/** The comment of each table and view that analysts see, or null if it has none. */
type Comments = ReadonlyMap<string, string | null>;

interface Commented {
  readonly of: 'table' | 'view';
  readonly name: string;
  readonly doc: string;
}

export async function readComments(database: Database): Promise<Comments> {
  const rows = await database.rows(
    'reading comments',
    `select table_name, comment from duckdb_tables() where schema_name = 'main'
union all select view_name, comment from duckdb_views() where schema_name = 'main'`,
  );
  return new Map(rows.map(([name, comment]) => [String(name), comment as string | null]));
}

const commentOn = ({ of, name, doc }: Commented): string => `comment on ${of} ${name} is ${text(doc)}`;

/** Sets the comments that are missing or different. Returns whether it set any. */
async function describeTables(database: Database, found: Comments, wanted: readonly Commented[]): Promise<boolean> {
  const statements = wanted.filter(({ name, doc }) => found.get(name) !== doc).map(commentOn);
  if (statements.length === 0) return false;
  const step = 'describing tables';
  await database.transaction(step, () => database.run(step, statements.join(';\n')));
  return true;
}

/** Creates and fills the table of time zones, unless it has this version's content. Returns whether it did. */
export async function fillTimeZones(database: Database, comments: Comments): Promise<boolean> {
  const step = 'filling the table of time zones';
  const isStanding = comments.get(TIME_ZONES) === timeZonesDoc;
  if (isStanding && (await isMade(database, step, 'time_zones', timeZoneHash))) return false;
  await database.transaction(step, () =>
    database.run(
      step,
      `create or replace table ${TIME_ZONES} (
  zone varchar not null, time_basis varchar not null, from_at timestamptz not null, to_at timestamptz not null,
  offset_s bigint not null
);
insert into ${TIME_ZONES} (zone, time_basis, from_at, to_at, offset_s)
select
  unnest(string_split(split_part(rule, '|', 1), ',')) as zone,
  part[1] as time_basis, make_timestamptz(part[2]::bigint * 1000000) as from_at,
  make_timestamptz(part[3]::bigint * 1000000) as to_at, part[4]::bigint as offset_s
from (
  select rule, string_split(unnest(string_split(split_part(rule, '|', 2), ',')), ' ') as part
  from (select unnest(string_split(${text(timeZoneText)}, ';')) as rule) rules
) spans;
${[commentOn({ of: 'table', name: TIME_ZONES, doc: timeZonesDoc }), ...recordMade('time_zones', timeZoneHash)].join(';\n')}`,
    ),
  );
  return true;
}

interface Standing {
  readonly comments: Comments;
  /** Views refer to their table's columns by name, so they are also recreated if a table has changed. */
  readonly tablesChanged: boolean;
}

/**
 * Creates every view of the landed tables, unless all of them already exist and were created by the same statements. Returns
 * whether it created the views.
 */
async function makeViews(
  database: Database,
  landed: readonly TableDeclaration[],
  views: readonly View[],
  { comments, tablesChanged }: Standing,
): Promise<boolean> {
  const step = 'creating views';
  const samples = landed.filter(({ shape }) => shape === 'timeseries');
  const described: readonly Commented[] = [...samples, ...views.filter(isShown)].map(({ name, doc }) => ({
    of: 'view',
    name,
    doc,
  }));
  const statements = [...samples.map(timeseriesView), ...views.map(duckDbView), ...described.map(commentOn)];
  const made = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16);
  // If someone replaced a view by hand, it has lost its comment. DuckDB's own text of a view cannot be compared, because it
  // changes when the file is reopened.
  const isStanding = described.every(({ name, doc }) => comments.get(name) === doc);
  if (isStanding && !tablesChanged && (await isMade(database, step, 'views', made))) return false;
  // A new view has no comments on its columns.
  // There are dozens of statements. One transaction writes to the disk once, and one call halves the time.
  await database.transaction(step, () =>
    database.run(step, [...statements, forgetMade('column_comments'), ...recordMade('views', made)].join(';\n')),
  );
  return true;
}

/**
 * Prepares the tables, views and waiting batches of a file. Rejects with AORTA-DATA-NEWER or AORTA-WAREHOUSE-OLDER if a version
 * with a different format wrote the file, and then changes nothing. `landed` are the declared tables with their landed columns.
 */
export async function prepare(
  database: Database,
  options: OpeningOptions,
  landed: readonly TableDeclaration[],
): Promise<PreparedFile> {
  const { path } = options;
  await database.run('preparing the session', "set TimeZone = 'UTC'");
  await database.run('preparing the session', "set checkpoint_threshold = '256MB'");
  const [threads] = await database.rows('preparing the session', "select current_setting('threads')");
  const format = await readFormat(database, path);
  if (format !== undefined && format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: format, known: FORMAT });
  await database.run('creating tables', bookkeeping().join(';\n'));
  if (format === undefined) await database.run('writing the format', `insert into control.format values (${FORMAT})`);
  const suppressing = (await database.rows('reading the suppression list', anySuppressed))[0]![0] === true;
  const aligned = await align(database, path, databaseTables(landed));
  const comments = await readComments(database);
  const zonesFilled = await fillTimeZones(database, comments);
  const shown = views(duckDbViews, landed, options.tables, options.preferences);
  const kept = definedTables(keptTables(options.preferences), shown);
  const keptMade = await makeKeptTables(database, kept);
  const viewsMade = await makeViews(database, landed, shown, { comments, tablesChanged: aligned.changed });
  const tablesDescribed = await describeTables(database, comments, commentedTables(landed));
  const batches = await landedBatches(database, options, landed);
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
  };
}

/** Tables that are not views, with their comments. */
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
  { summary_order: order, logger }: OpeningOptions,
  landed: readonly TableDeclaration[],
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
