import type { StepObserver } from '@aorta/runtime';
import type { From, KeptTable } from '../warehouses/kept/kept-table.ts';
import { userTimeZones } from '../warehouses/kept/user-time-zones.ts';
import { type Followed, followChanges } from './changed-person-days.ts';
import type { Database } from './database.ts';
import { type DefinedTable, type Definition, outdatedNames, recordDefinition } from './kept-definitions.ts';
import { duckDbViews } from './views-dialect.ts';

const step = 'recomputing kept tables';

/*
 * Kept tables hold rows that are computed from other tables. A merge notes the days that it changes. The rows of these days are
 * recomputed before a publication, and when a caller merges everything.
 */

/** Copies the time zones of the users in the scope, so that {@link widenByTimeZones} can compare them. */
const rememberTimeZones = `create or replace temp table keeping_zones as
select z.* from kept.user_time_zones z semi join keeping_users k on z.user_id = k.user_id`;

/** The kept tables, and the columns of the tables and views that they read. */
export interface KeptSchema {
  readonly kept: readonly DefinedTable[];
  readonly followed: Followed;
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
  // Deliveries are noted without a user.
  `create or replace temp table keeping_users as select distinct user_id from control.changed_days where user_id <> ''`,
  'create or replace temp table keeping_moved (user_id varchar, from_at timestamptz, to_at timestamptz)',
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
from kept.source_days d
join keeping_moved m on m.user_id = d.user_id and d.local_date between m.from_at::date - 2 and m.to_at::date + 2,
  range(-1, 3) shifts(shift)
where not exists (from keeping_days k where k.user_id = d.user_id and k.day = d.local_date + shift::integer)`;

/**
 * Adds the days for which a user's computed time zone has changed: samples of these days may now have other local dates. Days
 * without data need no recomputation, so the days come from the table of sources by day. Returns whether a time zone has
 * changed.
 */
async function widenByTimeZones(database: Database): Promise<boolean> {
  await database.run(step, moved);
  const [row] = await database.rows(step, 'select exists (from keeping_moved)');
  const isMoved = row![0] === true;
  if (isMoved) for (const statement of [movedDays, inputDays()]) await database.run(step, statement);
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
  const { kept, followed, relations } = schema;
  const outdated = await outdatedNames(database, [...kept, followed.definition]);
  const [count] = await database.rows(step, 'select count(*) from control.changed_days');
  if (outdated.size === 0 && Number(count![0]) === 0) return { whole: 0, users: 0, days: 0 };
  return database.transaction(step, async () => {
    for (const statement of scopeTables) await database.run(step, statement);
    const differing = { outdated, tables: changed === undefined ? undefined : new Set(changed) };
    await recomputeAll(database, schema, differing);
    const scope = { from: restrictedToUsers(relations), isAffected: (one: Definition) => isAffected(one, differing) };
    await followChanges(database, followed, outdated.has(followed.definition.name) ? undefined : scope);
    const [sizes] = await database.rows(step, 'select (select count(*) from keeping_users), (select count(*) from keeping_days)');
    const [users, days] = sizes!.map(Number) as [number, number];
    await database.run(step, 'delete from control.changed_days');
    // The temporary tables contain user ids, so they are dropped as soon as possible.
    await database.run(
      step,
      'drop table keeping_users; drop table keeping_days; drop table keeping_inputs; drop table keeping_moved',
    );
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

const isAffected = ({ name, reads }: Definition, { outdated, tables }: Differing): boolean =>
  tables === undefined || outdated.has(name) || !reads.isDisjointFrom(tables);

async function recomputeAll(database: Database, { kept, relations }: KeptSchema, differing: Differing): Promise<void> {
  await database.run(step, rememberTimeZones);
  let span = await spanOfInputs(database);
  for (const one of kept) {
    const { name, table } = one;
    const { scope } = table;
    if (scope.of === 'day' && scope.daysBefore !== undefined) {
      for (const statement of widenByDays(scope.daysBefore)) await database.run(step, statement);
      span = await spanOfInputs(database);
    }
    if (!isAffected(one, differing)) continue;
    if (differing.outdated.has(name)) await computeWhole(database, one);
    else if (scope.of === 'user') await recomputeUsers(database, table, restrictedToUsers(relations));
    else if (span !== undefined) await recomputeDays(database, table, scope.date, restricted(relations, span));
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
