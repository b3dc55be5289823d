import { type Column, deliveries, type TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../../warehouse.ts';
import { notSuppressed } from './erase.ts';
import { isConfirmed } from './first-versions.ts';
import { dates, dayOf, fromLanded, text } from './types.ts';

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

/** Conditions that a merge checks in addition to the versions of rows. */
export interface MergeHeed {
  /** Whether any users were erased. If so, the merge must skip their rows. */
  readonly suppressing: boolean;
  /** Whether an upgrade rewrote rows of the table. If so, a record with the same version as such a row replaces it. */
  readonly confirming: boolean;
}

export function tableRows(
  table: TableDeclaration,
  batches: readonly string[],
  { suppressing, confirming }: MergeHeed = { suppressing: false, confirming: false },
): LandedRows {
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
    rank: (alias) => [...table.order.map((name) => `${alias}.${name}`), ...(confirming ? [isConfirmed(alias)] : [])],
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
