import type { StepObserver } from '@aorta/runtime';
import type { KeptTable } from '../../kept/kept-table.ts';
import { userTimeZones } from '../../kept/user-time-zones.ts';
import type { Database } from '../database.ts';
import { duckDbViews } from '../views-dialect.ts';
import { type DefinedTable, outdatedTables, recordDefinition, wholeQuery } from './stored.ts';

const step = 'recomputing kept tables';

/** The extent of a recomputation. */
export interface Kept {
  /** Number of tables that were computed as a whole. */
  readonly whole: number;
  /** Number of users and of days of users whose rows were recomputed in the other tables. */
  readonly users: number;
  readonly days: number;
}

/** The columns of each table and view, by name. */
type Relations = ReadonlyMap<string, ReadonlySet<string>>;

async function relationsOf(database: Database): Promise<Relations> {
  const rows = await database.rows(
    'reading the columns of the tables',
    "select table_name, list(column_name) from duckdb_columns() where schema_name = 'main' and not internal group by all",
  );
  return new Map(rows.map(([name, columns]) => [String(name), new Set((columns as { items: readonly string[] }).items)]));
}

const inputDays = `create or replace temp table keeping_inputs as
select distinct user_id, day + shift::integer as day from keeping_days, range(-2, 2) shifts(shift)`;

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
  inputDays,
];

/** Statement that copies the time zones of the users in the scope, so that {@link widenByTimeZones} can compare them. */
const rememberTimeZones = `create or replace temp table keeping_zones as
select z.* from kept.user_time_zones z semi join keeping_users k on z.user_id = k.user_id`;

/**
 * Statements that add the days of the periods in which a user's time zone has changed: the samples of these days may have other
 * local dates now. Days without samples need no recomputation, so the days come from the table of daily samples.
 */
const widenByTimeZones: readonly string[] = [
  `create or replace temp table keeping_moved as
select user_id, min(from_at) as from_at, max(coalesce(to_at, timestamptz '9999-12-31 00:00:00+00')) as to_at
from (
  (from keeping_zones except from kept.user_time_zones semi join keeping_users using (user_id))
  union all
  (from kept.user_time_zones semi join keeping_users using (user_id) except from keeping_zones)
)
group by user_id`,
  `insert into keeping_days
select distinct d.user_id, d.calendar_date + shift::integer
from kept.timeseries_daily d
join keeping_moved m on m.user_id = d.user_id
  and d.last_at >= m.from_at - interval 1 day and d.first_at < m.to_at + interval 1 day,
  range(-1, 3) shifts(shift)
where not exists (from keeping_days k where k.user_id = d.user_id and k.day = d.calendar_date + shift::integer)`,
  inputDays,
  'drop table keeping_moved; drop table keeping_zones',
];

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
 * computed as a whole. The caller must hold the merging turn.
 */
export async function recompute(database: Database, defined: readonly DefinedTable[], onStep: StepObserver): Promise<Kept> {
  const outdated = await outdatedTables(database, defined);
  const [count] = await database.rows(step, 'select count(*) from control.changed_days');
  if (outdated.size === 0 && Number(count![0]) === 0) return { whole: 0, users: 0, days: 0 };
  return database.transaction(step, async () => {
    for (const statement of scopeTables) await database.run(step, statement);
    await recomputeAll(database, defined, outdated);
    const [sizes] = await database.rows(step, 'select (select count(*) from keeping_users), (select count(*) from keeping_days)');
    const [users, days] = sizes!.map(Number) as [number, number];
    await database.run(step, 'delete from control.changed_days');
    // The temporary tables contain user ids, so they are dropped as soon as possible.
    await database.run(step, 'drop table keeping_users; drop table keeping_days; drop table keeping_inputs');
    onStep('kept:begun');
    return { whole: outdated.size, users, days };
  });
}

async function recomputeAll(database: Database, defined: readonly DefinedTable[], outdated: ReadonlySet<string>): Promise<void> {
  const relations = await relationsOf(database);
  await database.run(step, rememberTimeZones);
  let span = await spanOfInputs(database);
  for (const one of defined) {
    const { name, scope } = one.table;
    if (outdated.has(name)) await computeWhole(database, one);
    else if (scope.of === 'user') await recomputeUsers(database, one.table, restrictedToUsers(relations));
    else if (span !== undefined) await recomputeDays(database, one.table, scope.date, restricted(relations, span));
    if (name !== userTimeZones.name) continue;
    for (const statement of widenByTimeZones) await database.run(step, statement);
    span = await spanOfInputs(database);
  }
}

async function computeWhole(database: Database, defined: DefinedTable): Promise<void> {
  const { table } = defined;
  await database.run(step, `delete from kept.${table.name}`);
  await database.run(step, `insert into kept.${table.name} by name\n${wholeQuery(table)}`);
  for (const statement of recordDefinition(defined)) await database.run(step, statement);
}

type From = (name: string) => string;

async function recomputeUsers(database: Database, table: KeptTable, from: From): Promise<void> {
  await database.run(step, `delete from kept.${table.name} where user_id in (select user_id from keeping_users)`);
  await database.run(step, `insert into kept.${table.name} by name\n${table.query(duckDbViews, from)}`);
}

async function recomputeDays(database: Database, table: KeptTable, date: string, from: From): Promise<void> {
  const inScope = (alias: string): string => `${alias}.user_id = d.user_id and ${alias}.${date} = d.day`;
  await database.run(step, `delete from kept.${table.name} t using keeping_days d where ${inScope('t')}`);
  await database.run(
    step,
    `insert into kept.${table.name} by name
select q.* from (
${table.query(duckDbViews, from)}
) q semi join keeping_days d on ${inScope('q')}`,
  );
}
