import type { LandedRows } from './landed-rows.ts';
import { outranks } from './types.ts';

/*
 * A merge compares the landed rows with the table's rows, deletes the superseded rows, and appends the landed ones. A single
 * MERGE statement would take milliseconds per updated row. Unless the updates arrive in storage order, MERGE reads a thousand
 * neighbouring rows for each of them, in every column.
 */

/** Query that returns whether several landed rows have the same key. */
export function repeatsKey(rows: LandedRows): string {
  return `select exists (
  from (
${rows.select}
  )
  select 1 group by ${rows.key.join(', ')} having count(*) > 1
)`;
}

/** Query that returns the landed rows, or only the highest-ranked row of each key if keys are `repeated`. */
function candidates(rows: LandedRows, repeated: boolean): string {
  if (!repeated) return rows.select;
  const order = rows.rank('l').map((expression) => `${expression} desc`);
  return `select * from (
${rows.select}
) l
qualify row_number() over (partition by ${rows.key.join(', ')} order by ${order.join(', ')}) = 1`;
}

/**
 * Creates a temporary table with those rows of the table that share a key with a landed row. Its column `superseded` tells
 * whether the landed row replaces the existing row.
 */
export function compareRows(rows: LandedRows, repeated: boolean): string {
  const conditions = [...(rows.bounds === undefined ? [] : [rows.bounds]), ...rows.key.map((name) => `t.${name} = s.${name}`)];
  return `create temp table compared as
select t.rowid as row, coalesce(${outranks(rows.rank('s'), rows.rank('t'))}, false) as superseded, ${rows.key.map((name) => `t.${name}`).join(', ')}
from ${rows.table} t join (
${candidates(rows, repeated)}
) s on ${conditions.join(' and ')}`;
}

export const countCompared = 'select count(*) filter (superseded), count(*) filter (not superseded) from compared';

export function deleteSuperseded(rows: LandedRows): string {
  return `delete from ${rows.table} where rowid in (select row from compared where superseded)`;
}

/** Appends the landed rows. If `stay` is true, some rows of the table are newer, and landed rows with their keys are skipped. */
export function insertRows(rows: LandedRows, repeated: boolean, stay: boolean): string {
  const source = candidates(rows, repeated);
  if (!stay) return `insert into ${rows.table} by name\n${source}`;
  return `insert into ${rows.table} by name
select * from (
${source}
)
anti join (from compared where not superseded) using (${rows.key.join(', ')})`;
}

/** Keys may identify people, so the temporary table is dropped as soon as possible. */
export const dropCompared = 'drop table compared';
