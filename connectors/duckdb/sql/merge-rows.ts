import { type Column, deliveries, type TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../warehouse.ts';
import { notSuppressed } from './erase.ts';
import { dates, dayOf, fromLanded, outranks, text } from './types.ts';

/** The rows of landed batches, with the columns of the table that they are merged into. */
export interface LandedRows {
  readonly table: string;
  readonly key: readonly string[];
  /** Query that returns the rows, with the table's column names. */
  readonly select: string;
  /** Expressions that are compared, in order, for two rows with the same key. The row with the greater value wins. */
  readonly rank: (alias: string) => readonly string[];
  /** Condition that limits `t`, the rows of the table, to those that may have the same key as a landed row. */
  readonly bounds?: string;
}

/** Name of a column in a batch of summaries or events. */
function landedName(table: TableDeclaration, { name }: Column): string {
  return table.order.includes(name) || ['_received_at', '_origin', '_offset', '_reader'].includes(name) ? name : `c_${name}`;
}

/** Returns the rows of a table from landed batches of its stream. `suppressing` skips the rows of erased users. */
export function tableRows(table: TableDeclaration, batches: readonly string[], suppressing = false): LandedRows {
  const expressions = table.columns.map((column) => {
    const landed = landedName(table, column);
    return `${column.name === '_origin' ? landed : fromLanded(column, landed)} as ${column.name}`;
  });
  const users = suppressing ? userColumns(table).map((name) => `c_${name}`) : [];
  // The batches are combined by column name, because batches that were landed by another version of Aorta or with another
  // privacy setting may have different columns.
  const united = batches.map((batch) => `    select * from ${batch}`).join('\n    union all by name\n');
  return {
    table: table.name,
    key: table.key,
    select: `  select ${expressions.join(',\n    ')},
    current_timestamp as _loaded_at
  from (
${united}
  )${users.length === 0 ? '' : `\n  where ${notSuppressed(users)}`}`,
    rank: (alias) => table.order.map((name) => `${alias}.${name}`),
  };
}

export interface StreamBatch {
  readonly table: string;
  readonly stream: string;
}

/** Ranks rows by how far a delivery was processed, so that a replay after a fix replaces the row of the failed attempt. */
const reached = (alias: string): string =>
  `case when ${alias}.dead_letter_reason is not null then 0 when ${alias}.redelivered then 1 when ${alias}.stream = 'unrouted' then 2 else 3 end`;

/** Returns the rows of `deliveries` from landed batches of any stream. `days` are the dates of receipt. */
export function deliveryRows(batches: readonly StreamBatch[], days: readonly number[], suppressing = false): LandedRows {
  const landed = batches.map(({ table, stream }) => {
    const expressions = deliveries.columns.map((column) => {
      if (column.name === 'stream') return `${text(stream)} as stream`;
      return `${fromLanded(column, column.name === '_reader' ? column.name : `d_${column.name}`)} as ${column.name}`;
    });
    return `    select ${expressions.join(', ')}, ${dayOf('d_received_at')} as _day from ${table} where d_counts = 1`;
  });
  return {
    table: deliveries.name,
    key: deliveries.key,
    select: `  select *, current_timestamp as _loaded_at
  from (
${landed.join('\n    union all\n')}
  )${suppressing ? `\n  where ${notSuppressed(['user_id'])}` : ''}`,
    rank: (alias) => [reached(alias), `${alias}._reader`],
    bounds: `t._day in (${dates(days)})`,
  };
}

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
 * whether the landed row replaces the existing row. The merge then deletes the superseded rows, and appends the landed ones.
 *
 * A single MERGE statement would take milliseconds per updated row. Unless the updates arrive in storage order, MERGE reads a
 * thousand neighbouring rows for each of them, in every column.
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
