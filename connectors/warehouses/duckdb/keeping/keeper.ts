import type { StepObserver } from '@aorta/runtime';
import type { KeptTable } from '../../kept/kept-table.ts';
import { userTimeZones } from '../../kept/user-time-zones.ts';
import type { Database } from '../database.ts';
import { duckDbViews } from '../views-dialect.ts';
import {
  relationsOf,
  rememberTimeZones,
  restricted,
  restrictedToUsers,
  scopeTables,
  spanOfInputs,
  widenByTimeZones,
} from './scope.ts';
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
