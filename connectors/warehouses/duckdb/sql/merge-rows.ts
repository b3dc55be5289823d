import type { LandedRows } from './landed-rows.ts';
import { outranks } from './types.ts';

/*
 * A merge of rows compares the landed rows with those that stand in the table, deletes those that are superseded, and
 * appends. One statement could do it, and takes milliseconds for every row that it updates: for each it reads a thousand
 * of its neighbours, in every column, unless rows come in the order in which they stand.
 */

/** Whether some key stands more than once in the landed rows. */
export function repeatsKey(rows: LandedRows): string {
  return `select exists (
  from (
${rows.select}
  )
  select 1 group by ${rows.key.join(', ')} having count(*) > 1
)`;
}

/** The landed rows, of each key the one that is to stand; where no key is `repeated` nobody has to look for it. */
function candidates(rows: LandedRows, repeated: boolean): string {
  if (!repeated) return rows.select;
  const order = rows.rank('l').map((expression) => `${expression} desc`);
  return `select * from (
${rows.select}
) l
qualify row_number() over (partition by ${rows.key.join(', ')} order by ${order.join(', ')}) = 1`;
}

/** Puts the rows of the table whose keys stand in the landed rows into a temporary table, and whether they are superseded. */
export function compareRows(rows: LandedRows, repeated: boolean): string {
  const conditions = [...(rows.bounds === undefined ? [] : [rows.bounds]), ...rows.key.map((name) => `t.${name} = s.${name}`)];
  return `create temp table compared as
select t.rowid as row, coalesce(${outranks(rows.rank('s'), rows.rank('t'))}, false) as superseded, ${rows.key.map((name) => `t.${name}`).join(', ')}
from ${rows.table} t join (
${candidates(rows, repeated)}
) s on ${conditions.join(' and ')}`;
}

/** Counts the rows of the table that are superseded, and those that stay. */
export const countCompared = 'select count(*) filter (superseded), count(*) filter (not superseded) from compared';

/** Deletes the rows of the table that are superseded. */
export function deleteSuperseded(rows: LandedRows): string {
  return `delete from ${rows.table} where rowid in (select row from compared where superseded)`;
}

/** Appends the landed rows; where some rows of the table are to `stay`, those of other keys. */
export function insertRows(rows: LandedRows, repeated: boolean, stay: boolean): string {
  const source = candidates(rows, repeated);
  if (!stay) return `insert into ${rows.table} by name\n${source}`;
  return `insert into ${rows.table} by name
select * from (
${source}
)
anti join (from compared where not superseded) using (${rows.key.join(', ')})`;
}

/** Keys may name persons: they stay no longer than they are of use. */
export const dropCompared = 'drop table compared';
