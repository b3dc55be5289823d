import { type Column, deliveries, type TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../../erasure.ts';
import { notSuppressed } from './erase.ts';
import { isConfirmed } from './first-versions.ts';
import { dates, dayOf, fromLanded, text } from './types.ts';

/** The rows of landed batches, as they are to stand in a table. */
export interface LandedRows {
  readonly table: string;
  /** Columns of the table's key. */
  readonly key: readonly string[];
  /** Query of the rows, by the names of the table's columns. */
  readonly select: string;
  /** What two rows of one key are compared by, in this order: the greater one is to stand. */
  readonly rank: (alias: string) => readonly string[];
  /** Condition of the rows `t` of the table that may have one of the keys, where not all may. */
  readonly bounds?: string;
}

/** A column as a batch of a summary or event stream has it. */
function landedName(table: TableDeclaration, { name }: Column): string {
  return table.order.includes(name) || ['_received_at', '_origin', '_offset', '_reader'].includes(name) ? name : `c_${name}`;
}

/** What merges have to heed beside the versions of rows. */
export interface MergeHeed {
  /** Some users were erased, and their rows are left out. */
  readonly suppressing: boolean;
  /** The table has rows that an upgrade rewrote: a record of the same version confirms them. */
  readonly confirming: boolean;
}

/** Rows of landed batches of a summary or event stream. */
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
  // By name: batches landed by another version, or under another setting, have other columns.
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

/** A landed batch, with the stream of which it is. */
export interface StreamBatch {
  readonly table: string;
  readonly stream: string;
}

/** How far a delivery got: a replay after a fix replaces the row of the failure. */
const reached = (alias: string): string =>
  `case when ${alias}.dead_letter_reason is not null then 0 when ${alias}.redelivered then 1 when ${alias}.stream = 'unrouted' then 2 else 3 end`;

/** Rows of `deliveries`, of landed batches of whatever stream; `days` are the dates on which they were received. */
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
