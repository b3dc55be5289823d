import { type Definition, definitionOf } from '../../sql/definition.ts';
import { withExactNumbers, withParameters } from '../../sql/emulator-text.ts';
import { leavesIn, type PartitionBounds, partitionBounds, readingOf, type StatementFacts } from '../../sql/statement-facts.ts';
import { isWord, type Statement, statementsOf } from '../../sql/tokens.ts';
import { duplicate, notFound, ServiceError } from '../service-error.ts';
import type { TableName, TableSize } from '../tables/table-sizes.ts';
import { keyOf } from '../tables/tables.ts';
import { errorOf, type Json } from '../upstream.ts';
import type { Holding, Job } from './job.ts';

const MIB = 1024 * 1024;
/** Minimum number of bytes that the real service bills for each table in a statement. */
const LEAST = 10 * MIB;

/** A table that a statement names. */
interface NamedTable {
  readonly name: TableName;
  readonly alias: string;
  /** Whether the statement names the dataset. Other names may be columns or temporary tables. */
  readonly isQualified: boolean;
  /** False for the target of an INSERT, whose rows are not read. */
  readonly isRead: boolean;
}

interface PlannedStatement {
  readonly statement: Statement;
  readonly kind: StatementFacts['kind'];
  /** The table whose rows the statement changes. */
  readonly target: TableName | undefined;
  readonly tables: readonly NamedTable[];
  readonly definition: Definition | undefined;
  /** The table or view that a DDL statement creates, changes or drops; undefined if it is temporary. */
  readonly defined: TableName | undefined;
}

/** The parsed text of a query job. */
interface QueryPlan {
  readonly text: string;
  readonly statements: readonly PlannedStatement[];
}

export function planOf(query: Json): QueryPlan {
  const text = query.query ?? '';
  const byDefault: string | undefined = query.defaultDataset?.datasetId;
  const statements = statementsOf(text).map((statement): PlannedStatement => {
    const { kind, target, tables } = readingOf(statement);
    const definition = definitionOf(statement);
    const isTemporary = definition?.kind === 'create' && definition.temporary;
    return {
      statement,
      kind,
      target: target && nameOf(target.parts, byDefault),
      tables: tables.flatMap((use): NamedTable[] => {
        const name = nameOf(use.parts, byDefault);
        const isRead = kind !== 'insert' || use !== target;
        return name === undefined ? [] : [{ name, alias: use.alias, isQualified: use.parts.length > 1, isRead }];
      }),
      definition,
      defined: definition === undefined || isTemporary ? undefined : nameOf(definition.parts, byDefault),
    };
  });
  return { text, statements };
}

/** Returns the table with this name; undefined if the name cannot be that of a table. */
function nameOf(parts: readonly string[], byDefault: string | undefined): TableName | undefined {
  if (parts.some((part) => part.toUpperCase() === 'INFORMATION_SCHEMA')) return undefined;
  const [table, dataset = byDefault] = [...parts].reverse();
  return table === undefined || dataset === undefined ? undefined : { dataset, table };
}

/** Returns the tables that a plan's DML statements change. There is one entry per statement, in the order of the statements. */
export function mutationsOf({ statements }: QueryPlan): { readonly name: TableName; readonly kind: StatementFacts['kind'] }[] {
  return statements.flatMap(({ target, kind }) => (target === undefined ? [] : [{ name: target, kind }]));
}

export function datasetsOf({ statements }: QueryPlan): string[] {
  return statements.flatMap(({ tables, defined }) => [
    ...tables.map(({ name }) => name.dataset),
    ...(defined === undefined ? [] : [defined.dataset]),
  ]);
}

/** Runs a query job and fills in its results. Rejects with {@link ServiceError} if the query fails. */
export async function runQuery(holding: Holding, job: Job): Promise<void> {
  const query = job.configuration.query as Json;
  const plan = planOf(query);
  checkFilters(holding, plan);
  const read = await bytesOf(holding, plan);
  const processed = String(read.reduce((sum, { bytes }) => sum + bytes, 0));
  const billed = bytesBilled(read.map(({ bytes }) => bytes));
  job.statistics = {
    totalBytesProcessed: processed,
    query: { totalBytesProcessed: processed, totalBytesBilled: '0', statementType: 'SELECT', cacheHit: false },
  };
  const limit = query.maximumBytesBilled;
  if (limit !== undefined && Number(limit) > 0 && billed > Number(limit) && holding.slotMsPerMib === undefined)
    throw new ServiceError(
      'bytesBilledLimitExceeded',
      `Query exceeded limit for bytes billed: ${limit}. ${billed} or higher required.`,
    );
  if (job.configuration.dryRun === true) return dryRun(holding, job, plan);
  for (const { name, kind } of mutationsOf(plan)) {
    if (kind !== 'truncate') holding.quotas.dml(keyOf(name), holding.clock.now);
  }
  for (const { defined } of plan.statements)
    if (defined !== undefined) holding.quotas.metadataUpdate(keyOf(defined), holding.clock.now, true);
  const defined = plan.statements.flatMap((one) => one.defined ?? []);
  const before = new Set(defined.filter((name) => holding.tables.kept(name) !== undefined).map(keyOf));
  const digits = withExactNumbers(rewritten(plan));
  const written = plan.statements.length > 1 ? withParameters(digits, query.queryParameters ?? []) : digits;
  const text = await withDestination(holding, query, written);
  try {
    if (text.trim() !== '') await run(holding, job, plan, text);
  } finally {
    await followed(holding, plan, before);
  }
  const { datasetId: dataset, tableId: table } = query.destinationTable ?? {};
  if (dataset !== undefined) await holding.tables.adopt({ dataset, table });
  if (holding.slotMsPerMib !== undefined) {
    // Slot time depends on the bytes that would be billed, so even a small table takes some time.
    const slotMs = String(Math.ceil((billed / 2 ** 20) * holding.slotMsPerMib));
    job.statistics = { ...job.statistics, totalSlotMs: slotMs, reservation_id: `${holding.project}:US.local` };
    return;
  }
  job.statistics.query.totalBytesBilled = String(billed);
  for (const { table, bytes } of read) holding.billed.set(table, (holding.billed.get(table) ?? 0) + bytesBilled([bytes]));
}

/** Throws {@link ServiceError} if a statement would read a whole table that requires a partition filter. */
function checkFilters({ tables }: Holding, plan: QueryPlan): void {
  for (const { statement, tables: named } of plan.statements) {
    for (const { name, alias, isRead } of named) {
      const kept = tables.kept(name);
      if (kept !== undefined && isRead) checkFilter(statement, alias, kept);
    }
  }
}

function checkFilter(statement: Statement, alias: string, kept: Json): void {
  const { requirePartitionFilter, timePartitioning, tableReference } = kept;
  if (requirePartitionFilter !== true && timePartitioning?.requirePartitionFilter !== true) return;
  const { field = '_PARTITIONTIME' } = timePartitioning ?? {};
  if (partitionBounds(statement.tokens, field, alias).kind !== 'none') return;
  const { projectId, datasetId, tableId } = tableReference;
  throw new ServiceError(
    'invalidQuery',
    `Cannot query over table '${[projectId, datasetId, tableId].join('.')}' without a filter over column(s) '${field}' that can be used for partition elimination`,
  );
}

/**
 * Returns the number of bytes that a statement reads from a table: all bytes, or only those of the partitions that it selects.
 */
function bytesRead({ rows, bytes, partitions }: TableSize, bounds: PartitionBounds): number {
  if (partitions.size === 0) return bytes;
  const read = [...partitions].reduce((sum, [day, count]) => sum + (leavesIn(bounds, day) ? count : 0), 0);
  return rows === 0 ? 0 : Math.round((bytes / rows) * read);
}

/**
 * Returns the total number of bytes billed. `read` contains the number of bytes read from each table. The service rounds each
 * number up to whole MiB and bills at least 10 MiB per table.
 */
function bytesBilled(read: readonly number[]): number {
  return read.reduce((sum, bytes) => sum + Math.max(LEAST, Math.ceil(bytes / MIB) * MIB), 0);
}

/** Returns the bytes that each statement reads from each table. */
async function bytesOf({ tables }: Holding, plan: QueryPlan): Promise<{ table: string; bytes: number }[]> {
  const read: { table: string; bytes: number }[] = [];
  for (const { statement, tables: named } of plan.statements) {
    // A table is billed once per statement, even if the statement names it several times.
    const ofStatement = new Map<string, number>();
    for (const { name, alias, isRead } of named) {
      const kept = tables.kept(name);
      if (kept === undefined || kept.type === 'VIEW' || !isRead) continue;
      const bytes = bytesRead(await tables.sizes.of(name, kept), boundsOf(statement, alias, kept));
      ofStatement.set(keyOf(name), Math.max(bytes, ofStatement.get(keyOf(name)) ?? 0));
    }
    for (const [table, bytes] of ofStatement) read.push({ table, bytes });
  }
  return read;
}

function boundsOf(statement: Statement, alias: string, kept: Json): PartitionBounds {
  const { field } = kept.timePartitioning ?? {};
  return field === undefined ? { kind: 'none' } : partitionBounds(statement.tokens, field, alias);
}

/** Passes a dry run of a single statement on to the emulator, which checks the statement for errors. */
async function dryRun({ upstream }: Holding, job: Job, plan: QueryPlan): Promise<void> {
  const alone = plan.statements.length === 1 && plan.statements[0]!.definition === undefined;
  if (!alone) return;
  const answer = await upstream.ask('POST', '/jobs', { configuration: job.configuration });
  if (answer.status >= 300) {
    const { reason, message } = errorOf(answer);
    throw new ServiceError(reason, message);
  }
  const { query } = answer.body.statistics ?? {};
  job.statistics.query = { ...job.statistics.query, statementType: query?.statementType, schema: query?.schema };
}

/** Returns the SQL text without the parts that the emulator must not run. */
function rewritten({ text, statements }: QueryPlan): string {
  return statements
    .map(({ statement, definition }) => {
      if (definition?.kind === 'alter' && definition.forServer) return '';
      const spans = definition?.kind === 'create' ? definition.kept : [statement];
      return spans.map(({ start, end }) => text.slice(start, end)).join('');
    })
    .filter((one) => one !== '')
    .join(';\n');
}

/**
 * Returns a statement that writes the rows of a query to its destination table. Returns the query itself if it has no destination
 * table.
 */
async function withDestination({ tables, datasets }: Holding, query: Json, text: string): Promise<string> {
  const { datasetId: dataset, tableId: table } = query.destinationTable ?? {};
  if (dataset === undefined || table === undefined) return text;
  datasets.get(dataset);
  const name = { dataset, table };
  const kept = tables.kept(name);
  const path = `\`${tables.full(name).replace(':', '.')}\``;
  if (kept === undefined) {
    if (query.createDisposition === 'CREATE_NEVER') throw notFound(`Table ${tables.full(name)}`);
    return `CREATE TABLE ${path} AS ${text}`;
  }
  const { writeDisposition = 'WRITE_EMPTY' } = query;
  if (writeDisposition === 'WRITE_TRUNCATE') return `CREATE OR REPLACE TABLE ${path} AS ${text}`;
  if (writeDisposition === 'WRITE_EMPTY' && (await tables.sizes.of(name, kept)).rows > 0)
    throw duplicate(`Table ${tables.full(name)}`);
  return `INSERT INTO ${path} ${text}`;
}

async function run(holding: Holding, job: Job, plan: QueryPlan, text: string): Promise<void> {
  const { upstream } = holding;
  const { destinationTable: _, queryParameters, ...rest } = job.configuration.query as Json;
  const parameters = plan.statements.length > 1 ? {} : { queryParameters };
  const answer = await upstream.ask('POST', '/jobs', {
    jobReference: { jobId: job.id },
    configuration: { query: { ...rest, ...parameters, query: text } },
  });
  const error = answer.status >= 300 ? errorOf(answer) : answer.body.status?.errorResult;
  if (error !== undefined) throw missingOf(holding, plan, job.location) ?? new ServiceError(error.reason, error.message);
  const { query: statistics = {} } = answer.body.statistics ?? {};
  const { statementType, numDmlAffectedRows, ddlOperationPerformed } = statistics;
  const said = { statementType, numDmlAffectedRows, ddlOperationPerformed };
  job.statistics.query = {
    ...job.statistics.query,
    ...Object.fromEntries(Object.entries(said).filter(([, one]) => one !== undefined)),
  };
  job.results = job.id;
}

/**
 * Returns the error for a missing table or dataset, or undefined if all exist. The emulator's own errors for missing tables and
 * datasets are inconsistent.
 */
function missingOf({ tables, datasets }: Holding, plan: QueryPlan, location: string): ServiceError | undefined {
  const made = new Set(
    plan.statements.flatMap(({ definition, defined }) => (definition?.kind === 'create' && defined ? [keyOf(defined)] : [])),
  );
  for (const { name, isQualified } of plan.statements.flatMap((one) => one.tables)) {
    if (!isQualified || made.has(keyOf(name))) continue;
    const where = ` was not found in location ${location}`;
    if (!datasets.has(name.dataset)) return notFound(`Dataset ${tables.full({ ...name, table: '' }).slice(0, -1)}${where}`);
    if (tables.kept(name) === undefined) return notFound(`Table ${tables.full(name)}${where}`);
  }
  return undefined;
}

/** After a query job, updates the metadata of tables to reflect the statements that took effect in the emulator. */
async function followed(holding: Holding, plan: QueryPlan, before: ReadonlySet<string>): Promise<void> {
  const { tables, upstream } = holding;
  for (const { name } of mutationsOf(plan)) tables.sizes.changed(name);
  for (const { definition, defined: name } of plan.statements) {
    if (definition === undefined || name === undefined) continue;
    if (definition.kind === 'create' && definition.ifNotExists && before.has(keyOf(name))) continue;
    const { status } = await upstream.ask('GET', `/datasets/${name.dataset}/tables/${name.table}`);
    const there = status < 300;
    if (definition.kind === 'drop' ? !there : there) await tables.follow(name, definition, plan.text);
  }
  if (plan.statements.some(({ statement }) => isWord(statement.tokens[0], 'CREATE', 'DROP'))) await holding.adoptDatasets();
}
