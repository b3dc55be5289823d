import { AortaError } from '@aorta/runtime';
import { type StreamName, streamNames, type TableDeclaration } from '@aorta/schemas';
import type { Landed, LandedPartition } from '../warehouse.ts';
import { batchOf, eventsView, type LandedBatch, rowsTable, selectBatches, selectPositions } from './batches.ts';
import type { Database } from './database.ts';
import { type Alignment, align, alignBatch, landedRelations } from './evolution.ts';
import type { FileSchema } from './file-schema.ts';
import { FORMAT, readFormat } from './format.ts';
import { makeKeptTables, recordDefinition } from './kept-definitions.ts';
import type { KeptSchema } from './kept-tables.ts';
import { landedEventColumns } from './landed-rows.ts';
import type { OpeningOptions } from './options.ts';
import { bookkeeping } from './sql/create.ts';
import { anySuppressed } from './sql/erase.ts';
import { text } from './sql/types.ts';

/** The schema in the file after its latest preparation. The next one changes nothing if the declared schema and the file are the same. */
interface MadeSchema {
  /** Hash of the declared schema. */
  readonly declared: string;
  /** See {@link schemaFound}. */
  readonly found: string;
  readonly undeclared: readonly (readonly [table: string, columns: readonly string[]])[];
}

/**
 * Query for a hash of the tables in the file, and of the comments on tables and views. A view that someone replaced by hand has no
 * comment. The text of a view cannot be compared, because DuckDB changes it when the file is reopened.
 */
const schemaFound = `select md5(string_agg(line, '\n' order by line)) from (
  select concat_ws(' ', schema_name, table_name, comment, sql) as line from duckdb_tables()
  where schema_name <> 'landed' and not internal and database_name = current_database()
  union all
  select concat_ws(' ', view_name, comment) from duckdb_views()
  where schema_name = 'main' and not internal and database_name = current_database()
)`;

async function readSchemaFound(database: Database): Promise<string> {
  return String((await database.rows('reading the schema', schemaFound))[0]![0]);
}

async function readMade(database: Database): Promise<MadeSchema | undefined> {
  const [row] = await database.rows('reading the schema', 'select content from control.made_schema');
  return row === undefined ? undefined : (JSON.parse(String(row[0])) as MadeSchema);
}

/**
 * Creates what the schema declares and the file lacks: tables, columns, time zones, views and comments. Returns the columns that are
 * not declared, and whether it changed anything. After a crash, the next preparation does the rest.
 */
async function makeSchema(database: Database, path: string, schema: FileSchema): Promise<Alignment> {
  const { hash: declared, statements } = schema;
  const made = await readMade(database);
  if (made?.declared === declared && made.found === (await readSchemaFound(database)))
    return { changed: false, undeclared: new Map(made.undeclared) };
  const { undeclared } = await align(database, path, schema.tables);
  await makeKeptTables(database, schema.kept);
  const step = 'creating views';
  // There are thousands of statements. One transaction writes to the disk once, and one call halves the time.
  await database.transaction(step, () => database.run(step, statements.join(';\n')));
  const now: MadeSchema = { declared, found: await readSchemaFound(database), undeclared: [...undeclared] };
  await database.transaction(step, () =>
    database.run(step, `delete from control.made_schema; insert into control.made_schema values (${text(JSON.stringify(now))})`),
  );
  return { changed: true, undeclared };
}

/** Contents of a prepared file. */
export interface PreparedFile extends KeptSchema {
  /** Number of threads that DuckDB may use. */
  readonly threads: number;
  readonly suppressing: boolean;
  /** Whether an earlier run has merged rows without recomputing the kept tables. */
  readonly isKeptBehind: boolean;
  readonly undeclared: Alignment['undeclared'];
  readonly changed: boolean;
  readonly positions: readonly (readonly [LandedPartition, Landed])[];
  /** Landed batches that have not been completely merged yet. Batches of unknown streams are left out. */
  readonly batches: readonly LandedBatch[];
  readonly nextBatch: number;
}

/**
 * Prepares the tables, views and waiting batches of a file. Rejects with AORTA-DATA-NEWER or AORTA-WAREHOUSE-OLDER if a version
 * with a different format wrote the file, and then changes nothing. `landed` are the declared tables with their landed columns, and
 * `schema` is made from them.
 */
export async function prepare(
  database: Database,
  options: OpeningOptions,
  landed: readonly TableDeclaration[],
  schema: FileSchema,
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
  const [isBehind] = await database.rows('reading changed days', 'select exists (from control.changed_days)');
  const { undeclared, changed } = await makeSchema(database, path, schema);
  // All days of a new file are new, so none has been computed with another definition.
  if (format === undefined) await database.run('creating tables', recordDefinition(schema.followed.definition).join(';\n'));
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
    isKeptBehind: isBehind![0] === true,
    undeclared,
    changed,
    kept: schema.kept,
    followed: schema.followed,
    relations: schema.relations,
    positions,
    ...batches,
  };
}

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
