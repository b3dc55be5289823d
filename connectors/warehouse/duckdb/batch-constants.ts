import type { Cell, LandedColumn, LandedRow } from './landed-row.ts';
import { text } from './sql/types.ts';

/**
 * Most columns of a batch of events say the same in every row: nothing at all, the provider, the event type. They are
 * not written row by row: the relation that merges read has them as literals beside the table of the other columns.
 */

/** A longer text is written row by row. */
const LONGEST = 1_000;

/** Cells of a column, a row each: numbers as DuckDB takes them, NaN for null. */
export type Cells = (string | null)[] | Float64Array | Uint32Array | BigInt64Array;

/** A column that is written row by row. */
export interface WrittenColumn extends LandedColumn {
  readonly cells: Cells;
}

function emptyCells(type: LandedColumn['type'], count: number): Cells {
  switch (type) {
    case 'varchar':
      return new Array<string | null>(count);
    case 'double':
      return new Float64Array(count);
    case 'uinteger':
      return new Uint32Array(count);
    case 'bigint':
      return new BigInt64Array(count);
  }
}

/** How many rows from the first one on have its value, and can share it as a literal. */
function alike({ cell }: LandedColumn, rows: readonly LandedRow[]): number {
  const value = cell(rows[0]!);
  // A statement ends at its first NUL.
  if (typeof value === 'string' && (value.length > LONGEST || value.includes('\0'))) return 0;
  let count = 1;
  while (count < rows.length && Object.is(cell(rows[count]!), value)) count++;
  return count;
}

/** The cells of all rows, of which the first `same` are known to be alike. */
function cellsOf({ type, cell }: LandedColumn, rows: readonly LandedRow[], same: number): Cells {
  const cells = emptyCells(type, rows.length) as { [row: number]: Cell };
  const absent = type === 'double' ? Number.NaN : null;
  if (same > 0) {
    const value = cell(rows[0]!) ?? absent;
    for (let row = 0; row < same; row++) cells[row] = value;
  }
  for (let row = same; row < rows.length; row++) cells[row] = cell(rows[row]!) ?? absent;
  return cells as unknown as Cells;
}

function literal({ type }: LandedColumn, value: Cell): string {
  if (type === 'varchar') return value === null ? 'null::varchar' : `${text(value as string)}::varchar`;
  // From a text, since DuckDB reads a bare fraction as a decimal first.
  return `'${value ?? 'nan'}'::${type}`;
}

/** How the rows of a batch are laid out. */
export interface EventsLayout {
  readonly written: readonly WrittenColumn[];
  /** All columns as the view selects them; batches are put together by their names. */
  readonly selected: readonly string[];
}

/** Lays out the columns of a batch. A batch without rows has all of them written. */
export function layOut(columns: readonly LandedColumn[], rows: readonly LandedRow[]): EventsLayout {
  const written: WrittenColumn[] = [];
  const selected: string[] = [];
  for (const column of columns) {
    const same = rows.length === 0 || column.name === 'no' ? 0 : alike(column, rows);
    if (same > 0 && same === rows.length) selected.push(`${literal(column, column.cell(rows[0]!))} as ${column.name}`);
    else if (column.sameAs !== undefined) selected.push(`${column.sameAs} as ${column.name}`);
    else {
      written.push({ ...column, cells: cellsOf(column, rows, same) });
      selected.push(column.name);
    }
  }
  return { written, selected };
}
