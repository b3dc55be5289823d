import { createHash } from 'node:crypto';
import type { StepObserver } from '@aorta/runtime';
import type { TableDeclaration } from '@aorta/schemas';
import { type From, type KeptTable, wholeQuery } from '../warehouses/kept/kept-table.ts';
import { userTimeZones } from '../warehouses/kept/user-time-zones.ts';
import { TIME_ZONES, timeZoneHash } from '../warehouses/time-zones.ts';
import type { View } from '../warehouses/views/dialect.ts';
import type { Database } from './database.ts';
import { valueTypes } from './sql/types.ts';
import { duckDbViews } from './views-dialect.ts';

const noting = 'noting changed days';

/** The dates of an event that spans more days than this are read from its samples. */
const MOST_DAYS = 31;

const step = 'recomputing kept tables';

/** Copies the time zones of the users in the scope, so that {@link widenByTimeZones} can compare them. */
const rememberTimeZones = `create or replace temp table keeping_zones as
select z.* from kept.user_time_zones z semi join keeping_users k on z.user_id = k.user_id`;

/*
 * Kept tables hold rows that are computed from other tables. A merge notes the days that it changes. The rows of these days are
 * recomputed before a publication, and when a caller merges everything.
 */

/** A kept table with a hash of everything that its rows depend on, except for the data. */
export interface DefinedTable {
  readonly table: KeptTable;
  readonly definition: string;
  /** Every name in the queries of the table and of the views that it reads. */
  readonly reads: ReadonlySet<string>;
}

/** Returns every word of a query outside of string literals, including the names of the tables and views that it reads. */
const namesIn = (query: string): ReadonlySet<string> => new Set(query.replaceAll(/'(?:[^']|'')*'/g, "''").match(/\w+/g));

/** Query for all rows of a kept table. */
export const wholeQueryOf = (table: KeptTable): string => wholeQuery(table, duckDbViews, duckDbViews.table);

/** Visits the query of a table, and the queries of all views that it reads. */
function visitQueries(table: KeptTable, views: ReadonlyMap<string, string>, visit: (query: string) => void): void {
  const seen = new Set<string>();
  const add = (query: string): void => {
    visit(query);
    for (const name of namesIn(query)) {
      if (seen.has(name) || !views.has(name)) continue;
      seen.add(name);
      add(views.get(name)!);
    }
  };
  add(wholeQueryOf(table));
}

/** Adds the definitions to the kept tables. A definition covers the queries of all views and kept tables that the table reads. */
export function definedTables(tables: readonly KeptTable[], views: readonly View[]): DefinedTable[] {
  const ofViews = new Map(views.map(({ name, query }) => [name, query ?? '']));
  const queries = new Map([
    ...ofViews,
    ...tables.map((table) => [table.name, wholeQueryOf(table)] as const),
    [TIME_ZONES, timeZoneHash] as const,
  ]);
  return tables.map((table) => {
    const { columns, key, scope } = table;
    const hash = createHash('sha256');
    hash.update(JSON.stringify([columns.map(({ name, type }) => [name, type]), key, scope]));
    visitQueries(table, queries, (query) => hash.update(`${query}\n`));
    const reads = new Set<string>();
    visitQueries(table, ofViews, (query) => {
      for (const name of namesIn(query)) reads.add(name);
    });
    return { table, definition: hash.digest('hex').slice(0, 16), reads };
  });
}

/** Returns the column definitions of a kept table. */
export const columnsOf = ({ columns }: KeptTable): string =>
  columns.map(({ name, type }) => `${duckDbViews.name(name)} ${type === 'datetime' ? 'timestamp' : valueTypes[type]}`).join(', ');

/** Returns the names of the tables whose rows were computed with another definition, or not at all. */
async function outdatedTables(database: Database, defined: readonly DefinedTable[]): Promise<ReadonlySet<string>> {
  const rows = await database.rows('reading kept tables', 'select name, definition from control.kept_definitions');
  const found = new Map(rows.map(([name, definition]) => [String(name), String(definition)]));
  return new Set(
    defined.filter(({ table, definition }) => found.get(table.name) !== definition).map(({ table: { name } }) => name),
  );
}

/** Creates missing tables and replaces those with another definition. They stay empty until the next recomputation. */
export async function makeKeptTables(database: Database, defined: readonly DefinedTable[]): Promise<void> {
  const outdated = await outdatedTables(database, defined);
  const creating = 'creating kept tables';
  const names = await database.rows(creating, "select table_name from duckdb_tables() where schema_name = 'kept'");
  const present = new Set(names.map(([name]) => String(name)));
  const statements = defined
    .filter(({ table: { name } }) => outdated.has(name) || !present.has(name))
    .flatMap(({ table }) => [
      `create or replace table kept.${table.name} (${columnsOf(table)})`,
      `delete from control.kept_definitions where name = '${table.name}'`,
    ]);
  if (statements.length > 0) await database.transaction(creating, () => database.run(creating, statements.join(';\n')));
}

/** Returns the statements that record the definition with which a table's rows were computed. */
const recordDefinition = ({ table: { name }, definition }: DefinedTable): string[] => [
  `delete from control.kept_definitions where name = '${name}'`,
  `insert into control.kept_definitions values ('${name}', '${definition}')`,
];

/** Landed samples: the view of their events, and their table. */
interface LandedSamples {
  readonly events: string;
  readonly samples: string;
}

/**
 * Notes the dates of landed samples. If an event spans at most {@link MOST_DAYS} days, this notes every date from its first to its
 * last sample, because reading all samples would take longer. An older version of a sample has the same time.
 */
export async function noteSamples(database: Database, landed: readonly LandedSamples[]): Promise<void> {
  const day = (micros: string): string => `make_timestamp(${micros}::bigint)::date`;
  const events = landed.map(({ events: view }) => `select no, c_user_id, samples, first_at, last_at from ${view}`);
  const samples = landed.map(({ samples: table }) => `select no, start_at from ${table}`);
  await database.run(
    noting,
    `insert into control.changed_days
with spans as (
  select no, c_user_id as user_id, ${day('first_at')} as first, ${day('last_at')} as last
  from (${events.join(' union all ')}) where samples > 0 and c_user_id is not null
)
select user_id, unnest(generate_series(first, last, interval 1 day))::date from spans where last - first <= ${MOST_DAYS}
union
select user_id, ${day('start_at')} from (${samples.join(' union all ')}) join spans using (no) where last - first > ${MOST_DAYS}`,
  );
}

/** Column with the local date of a table's rows; undefined if they have none. */
const dateOf = ({ columns }: TableDeclaration): string | undefined =>
  columns.some(({ name }) => name === 'calendar_date') ? 'calendar_date' : undefined;

const hasUser = ({ columns }: TableDeclaration): boolean => columns.some(({ name }) => name === 'user_id');

/** Notes the dates of rows that a merge is about to replace. The temporary table `compared` contains these rows. */
export async function noteReplacedRows(database: Database, table: TableDeclaration): Promise<void> {
  if (!hasUser(table)) return;
  await database.run(
    noting,
    `insert into control.changed_days
select distinct user_id, ${dateOf(table) ?? 'null::date'} from ${table.name}
where user_id is not null and rowid in (select row from compared where superseded)`,
  );
}

/** Notes the dates of landed rows. `select` is the query that returns them. */
export async function noteLandedRows(database: Database, table: TableDeclaration, select: string): Promise<void> {
  if (!hasUser(table)) return;
  await database.run(
    noting,
    `insert into control.changed_days select distinct user_id, ${dateOf(table) ?? 'null::date'} from (
${select}
) where user_id is not null`,
  );
}

/** The kept tables, and the columns of the tables and views that they read. */
export interface KeptSchema {
  readonly kept: readonly DefinedTable[];
  readonly relations: Relations;
}

/** The extent of a recomputation. */
export interface Kept {
  /** Number of tables that were computed as a whole. */
  readonly whole: number;
  /** Number of users, and of user-days, whose rows were recomputed in the other tables. */
  readonly users: number;
  readonly days: number;
}

/** The columns of each table and view, by name. */
type Relations = ReadonlyMap<string, ReadonlySet<string>>;

const inputDays = (daysBefore = 0): string => `create or replace temp table keeping_inputs as
select distinct user_id, day + shift::integer as day from keeping_days, range(${-2 - daysBefore}, 2) shifts(shift)`;

/** Statements that add the days whose rows depend on a changed day, which lies at most `daysBefore` days earlier. */
const widenByDays = (daysBefore: number): readonly string[] => [
  `create or replace temp table keeping_days as
select distinct user_id, day + shift::integer as day from keeping_days, range(${daysBefore + 1}) shifts(shift)`,
  inputDays(daysBefore),
];

/**
 * The scope of a recomputation, as temporary tables:
 * - `keeping_users`: the users with changes
 * - `keeping_days`: the local dates whose rows may differ. A sample's local date is at most a day from its date in UTC, and
 *   rows may also depend on the day before.
 * - `keeping_inputs`: the dates, in UTC or local time, on which the inputs of these rows may lie
 */
const scopeTables: readonly string[] = [
  'create or replace temp table keeping_users as select distinct user_id from control.changed_days',
  `create or replace temp table keeping_days as
select distinct user_id, day + shift::integer as day from control.changed_days, range(-1, 3) shifts(shift) where day is not null`,
  inputDays(),
];

/** Finds the users whose computed time zone has changed, and the time for which it has. */
const moved = `create or replace temp table keeping_moved as
select user_id, min(from_at) as from_at, max(coalesce(to_at, timestamptz '9999-12-31 00:00:00+00')) as to_at
from (
  (from keeping_zones except from kept.user_time_zones semi join keeping_users using (user_id))
  union all
  (from kept.user_time_zones semi join keeping_users using (user_id) except from keeping_zones)
)
group by user_id`;

const movedDays = `insert into keeping_days
select distinct d.user_id, d.local_date + shift::integer
from kept.timeseries_daily d
join keeping_moved m on m.user_id = d.user_id
  and d.last_at >= m.from_at - interval 1 day and d.first_at < m.to_at + interval 1 day,
  range(-1, 3) shifts(shift)
where not exists (from keeping_days k where k.user_id = d.user_id and k.day = d.local_date + shift::integer)`;

/**
 * Adds the days for which a user's computed time zone has changed: samples of these days may now have other local dates. Days
 * without samples need no recomputation, so the days come from the table of daily samples. Returns whether a time zone has
 * changed.
 */
async function widenByTimeZones(database: Database): Promise<boolean> {
  await database.run(step, moved);
  const [row] = await database.rows(step, 'select exists (from keeping_moved)');
  const isMoved = row![0] === true;
  if (isMoved) for (const statement of [movedDays, inputDays()]) await database.run(step, statement);
  await database.run(step, 'drop table keeping_moved');
  return isMoved;
}

/** Dates that the inputs of a recomputation span. */
interface Span {
  readonly first: string;
  readonly last: string;
}

async function spanOfInputs(database: Database): Promise<Span | undefined> {
  // Samples may have any year from 1 to 9999. The dates around them must not leave this range, because DuckDB writes such dates
  // differently.
  const [row] = await database.rows(
    'reading changed days',
    `select greatest(min(day), date '0001-01-01')::varchar, least(max(day), date '9999-12-31')::varchar from keeping_inputs`,
  );
  const [first, last] = row!;
  return first === null ? undefined : { first: String(first), last: String(last) };
}

/** Names of the columns with a local date. They restrict summaries and kept tables. */
const dates = ['calendar_date', 'local_date'];

/**
 * Restricts an input to the scope: samples and dated rows to the dates of `keeping_inputs`, other rows to the users of
 * `keeping_users`. A relation without a user is read as a whole.
 */
function restricted(relations: Relations, span: Span): (name: string) => string {
  return (name) => {
    const columns = relations.get(name);
    if (columns === undefined || !columns.has('user_id')) return name;
    if (columns.has('start_at')) {
      const day = 'make_timestamp(epoch_us(r.start_at))::date';
      // The literal dates let DuckDB skip row groups.
      return `(select r.* from ${name} r semi join keeping_inputs k on r.user_id = k.user_id and ${day} = k.day
  where r.start_at >= timestamptz '${span.first} 00:00:00+00' and r.start_at < timestamptz '${span.last} 00:00:00+00' + interval 1 day)`;
    }
    const date = dates.find((one) => columns.has(one));
    if (date === undefined) return ofUsers(name);
    return `(select r.* from ${name} r semi join keeping_inputs k on r.user_id = k.user_id and r.${date} = k.day)`;
  };
}

/** Restricts an input to the users of `keeping_users`. */
function restrictedToUsers(relations: Relations): (name: string) => string {
  return (name) => (relations.get(name)?.has('user_id') ? ofUsers(name) : name);
}

const ofUsers = (name: string): string => `(select r.* from ${name} r semi join keeping_users k on r.user_id = k.user_id)`;

/**
 * Recomputes the rows of the kept tables that may have changed, in one transaction. A table whose definition has changed is
 * computed as a whole. `changed` has the tables that merges have changed since the last recomputation. Undefined: any table may have
 * changed. The caller must hold the merging turn.
 */
export async function recompute(
  database: Database,
  schema: KeptSchema,
  changed: ReadonlySet<string> | undefined,
  onStep: StepObserver,
): Promise<Kept> {
  const outdated = await outdatedTables(database, schema.kept);
  const [count] = await database.rows(step, 'select count(*) from control.changed_days');
  if (outdated.size === 0 && Number(count![0]) === 0) return { whole: 0, users: 0, days: 0 };
  return database.transaction(step, async () => {
    for (const statement of scopeTables) await database.run(step, statement);
    await recomputeAll(database, schema, { outdated, tables: changed === undefined ? undefined : new Set(changed) });
    const [sizes] = await database.rows(step, 'select (select count(*) from keeping_users), (select count(*) from keeping_days)');
    const [users, days] = sizes!.map(Number) as [number, number];
    await database.run(step, 'delete from control.changed_days');
    // The temporary tables contain user ids, so they are dropped as soon as possible.
    await database.run(step, 'drop table keeping_users; drop table keeping_days; drop table keeping_inputs');
    onStep('kept:begun');
    return { whole: outdated.size, users, days };
  });
}

interface Differing {
  /** Kept tables that are computed as a whole. */
  readonly outdated: ReadonlySet<string>;
  /** Tables whose rows may differ since the last recomputation. Undefined: all of them. */
  readonly tables: Set<string> | undefined;
}

const isAffected = ({ table: { name }, reads }: DefinedTable, { outdated, tables }: Differing): boolean =>
  tables === undefined || outdated.has(name) || !reads.isDisjointFrom(tables);

async function recomputeAll(database: Database, { kept, relations }: KeptSchema, differing: Differing): Promise<void> {
  await database.run(step, rememberTimeZones);
  let span = await spanOfInputs(database);
  for (const one of kept) {
    const { name, scope } = one.table;
    if (!isAffected(one, differing)) continue;
    if (scope.of === 'day' && scope.daysBefore !== undefined) {
      for (const statement of widenByDays(scope.daysBefore)) await database.run(step, statement);
      span = await spanOfInputs(database);
    }
    if (differing.outdated.has(name)) await computeWhole(database, one);
    else if (scope.of === 'user') await recomputeUsers(database, one.table, restrictedToUsers(relations));
    else if (span !== undefined) await recomputeDays(database, one.table, scope.date, restricted(relations, span));
    if (name === userTimeZones.name) {
      if (!(await widenByTimeZones(database))) continue;
      span = await spanOfInputs(database);
    }
    differing.tables?.add(name);
  }
  await database.run(step, 'drop table keeping_zones');
}

async function computeWhole(database: Database, defined: DefinedTable): Promise<void> {
  const { table } = defined;
  await database.run(step, `delete from kept.${table.name}`);
  await insertRows(database, table, duckDbViews.table, (query) => query);
  for (const statement of recordDefinition(defined)) await database.run(step, statement);
}

/** Runs the steps of a table, and then inserts the rows of its query. `chosen` restricts the query. */
async function insertRows(database: Database, table: KeptTable, from: From, chosen: (query: string) => string): Promise<void> {
  const steps = table.steps?.(duckDbViews, from) ?? [];
  for (const { name, query } of steps) await database.run(step, `create or replace temp table ${name} as\n${query}`);
  await database.run(step, `insert into kept.${table.name} by name\n${chosen(table.query(duckDbViews, from))}`);
  for (const { name } of steps) await database.run(step, `drop table temp.${name}`);
}

async function recomputeUsers(database: Database, table: KeptTable, from: From): Promise<void> {
  await database.run(step, `delete from kept.${table.name} where user_id in (select user_id from keeping_users)`);
  await insertRows(database, table, from, (query) => query);
}

async function recomputeDays(database: Database, table: KeptTable, date: string, from: From): Promise<void> {
  const inScope = (alias: string): string => `${alias}.user_id = d.user_id and ${alias}.${date} = d.day`;
  await database.run(step, `delete from kept.${table.name} t using keeping_days d where ${inScope('t')}`);
  await insertRows(
    database,
    table,
    from,
    (query) => `select q.* from (\n${query}\n) q semi join keeping_days d on ${inScope('q')}`,
  );
}
