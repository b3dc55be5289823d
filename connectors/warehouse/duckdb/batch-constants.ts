import type { Cell, LandedColumn, LandedRow } from './landed-row.ts';
import { text } from './sql/types.ts';

/**
 * Most columns of a batch of events say the same in every row: nothing at all, the provider, the event type. They are
 * not written row by row: the relation that merges read has them as literals beside the table of the other columns.
 */

/** A longer text is written row by row. */
const LONGEST = 1_000;

/** The value that a column has in all of the rows; undefined where it differs, or cannot be a literal. */
function constantOf({ cell }: LandedColumn, rows: readonly LandedRow[]): { readonly value: Cell } | undefined {
  const value = cell(rows[0]!);
  // A statement ends at its first NUL.
  if (typeof value === 'string' && (value.length > LONGEST || value.includes('\0'))) return undefined;
  for (const row of rows) if (!Object.is(cell(row), value)) return undefined;
  return { value };
}

function literal({ type }: LandedColumn, value: Cell): string {
  if (type === 'varchar') return value === null ? 'null::varchar' : `${text(value as string)}::varchar`;
  // From a text, since DuckDB reads a bare fraction as a decimal first.
  return `'${value ?? 'nan'}'::${type}`;
}

/** How the rows of a batch are laid out. */
export interface EventsLayout {
  /** Columns that are written. */
  readonly written: readonly LandedColumn[];
  /** All columns as the view selects them; batches are put together by their names. */
  readonly selected: readonly string[];
}

/** Lays out the columns of a batch. A batch without rows has all of them written. */
export function layOut(columns: readonly LandedColumn[], rows: readonly LandedRow[]): EventsLayout {
  const written: LandedColumn[] = [];
  const selected: string[] = [];
  for (const column of columns) {
    const constant = rows.length === 0 || column.name === 'no' ? undefined : constantOf(column, rows);
    if (constant !== undefined) selected.push(`${literal(column, constant.value)} as ${column.name}`);
    else if (column.sameAs !== undefined) selected.push(`${column.sameAs} as ${column.name}`);
    else {
      written.push(column);
      selected.push(column.name);
    }
  }
  return { written, selected };
}
