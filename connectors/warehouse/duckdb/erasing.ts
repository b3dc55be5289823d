import { randomBytes } from 'node:crypto';
import type { ErasureReceipt } from '../erasure.ts';
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
 * Erases a user, in the transaction that the caller has opened: onto the suppression list, out of the landed batches, out
 * of every table. The tables are those that the file has: a newer version's hold the user, too.
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
  /** Columns of the tables of events that may name a user, by the timeseries table. */
  const ofEvents = new Map<string, readonly string[]>();
  for (const [schema, name, columns] of await database.rows(step, userRelations)) {
    const named = [...(columns as { items: readonly string[] }).items];
    const relation = `${schema}.${name}`;
    if (schema === 'landed' && String(name).startsWith('e'))
      landed += await eraseLanded(database, relation, named, user, present);
    else if (schema === 'main' && present.has(String(name)))
      note(String(name), await database.run(step, `delete from main.${name} where ${ofUser(named, user)}`));
    else if (schema === 'aorta' && String(name).endsWith('_events'))
      ofEvents.set(String(name).slice(0, -'_events'.length), named);
  }
  for (const name of present) {
    const table = /^aorta\.(.*)_samples$/.exec(name)?.[1];
    if (table === undefined) continue;
    const [prepare, samples, ...rest] = eraseSamples(table, ofEvents.get(table) ?? [], user) as [string, string, ...string[]];
    await database.run(step, prepare);
    note(table, await database.run(step, samples));
    for (const statement of rest) await database.run(step, statement);
  }
  await database.run(step, eraseSeries(user));
  return { tables: tables.sort((a, b) => a.table.localeCompare(b.table, 'en')), landed };
}

async function eraseLanded(
  database: Database,
  view: string,
  columns: readonly string[],
  user: string,
  present: ReadonlySet<string>,
): Promise<number> {
  const condition = ofUser(columns, user);
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
