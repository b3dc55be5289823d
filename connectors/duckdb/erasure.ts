import { randomBytes } from 'node:crypto';
import type { ErasureReceipt } from '../warehouse.ts';
import { followErasure } from './changed-person-days.ts';
import type { Database } from './database.ts';
import {
  countLanded,
  eraseSamples,
  eraseSeries,
  everyTable,
  ofUser,
  rewriteBatch,
  suppress,
  userRelations,
} from './sql/erase.ts';

const step = 'an erasure';

/**
 * Erases a user within the caller's transaction. Adds the user to the suppression list. Then deletes the user's
 * rows from landed batches and from all tables in the file, even from tables that a newer version added.
 */
export async function eraseUser(database: Database, user: string): Promise<ErasureReceipt> {
  for (const statement of suppress(user, randomBytes(32).toString('hex'))) await database.run(step, statement);
  const present = new Set(
    (await database.rows(step, everyTable)).map(([schema, name]) => (schema === 'main' ? `${name}` : `${schema}.${name}`)),
  );
  let landed = 0;
  const tables: { table: string; rows: number }[] = [];
  const note = (table: string, rows: number): void => {
    if (rows > 0) tables.push({ table, rows });
  };
  const { views, rows, events, kept } = relationsOf(await database.rows(step, userRelations), present);
  for (const [view, columns] of views) landed += await eraseLanded(database, view, ofUser(columns, user), present);
  for (const [name, columns] of rows) note(name, await database.run(step, `delete from ${name} where ${ofUser(columns, user)}`));
  for (const statement of followErasure(user)) await database.run(step, statement);
  for (const table of [...kept, 'control.changed_days'])
    await database.run(step, `delete from ${table} where ${ofUser(['user_id'], user)}`);
  for (const table of sampleTables(present)) note(table, await eraseSamplesOf(database, table, events.get(table) ?? [], user));
  await database.run(step, eraseSeries(user));
  return { tables: tables.sort((a, b) => a.table.localeCompare(b.table, 'en')), landed };
}

interface UserRelations {
  /** Columns with user ids in each view of a landed batch, by the qualified name of the view. */
  readonly views: ReadonlyMap<string, readonly string[]>;
  /** Columns with user ids in each table that has one row per event or summary, by table name. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** Columns with user ids in the events of each timeseries table, by table name. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  /** Kept tables. Their rows are computed from other tables, so the receipt does not count them. */
  readonly kept: readonly string[];
}

function relationsOf(found: Awaited<ReturnType<Database['rows']>>, present: ReadonlySet<string>): UserRelations {
  const views = new Map<string, readonly string[]>();
  const rows = new Map<string, readonly string[]>();
  const events = new Map<string, readonly string[]>();
  const kept: string[] = [];
  for (const [schema, relation, columns] of found) {
    const name = String(relation);
    const named = [...(columns as { items: readonly string[] }).items];
    if (schema === 'landed' && name.startsWith('e')) views.set(`${schema}.${name}`, named);
    else if (schema === 'main' && present.has(name)) rows.set(name, named);
    else if (schema === 'kept') kept.push(`kept.${name}`);
    else if (schema === 'control' && name.endsWith('_events')) events.set(name.slice(0, -'_events'.length), named);
  }
  return { views, rows, events, kept };
}

function sampleTables(present: ReadonlySet<string>): string[] {
  return [...present].flatMap((name) => /^control\.(.*)_samples$/.exec(name)?.[1] ?? []);
}

/** Erases a user's samples from a timeseries table and returns their number. */
async function eraseSamplesOf(database: Database, table: string, columns: readonly string[], user: string): Promise<number> {
  const [prepare, samples, ...rest] = eraseSamples(table, columns, user) as [string, string, ...string[]];
  await database.run(step, prepare);
  const erased = await database.run(step, samples);
  for (const statement of rest) await database.run(step, statement);
  return erased;
}

/** Erases the rows of a landed batch that match the condition and returns the number of events. */
async function eraseLanded(database: Database, view: string, condition: string, present: ReadonlySet<string>): Promise<number> {
  const [events, rows] = (await database.rows(step, countLanded(view, condition)))[0]!.map(Number) as [number, number];
  if (rows === 0) return 0;
  const samples = view.replace('landed.e', 'landed.s');
  const statements = rewriteBatch(
    view,
    view.replace('landed.e', 'landed.r'),
    present.has(samples) ? samples : undefined,
    condition,
  );
  for (const statement of statements) await database.run(step, statement);
  return events;
}
