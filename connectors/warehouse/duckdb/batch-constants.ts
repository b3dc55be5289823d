import type { Cell, LandedColumn, LandedRow } from './landed-row.ts';
import { text } from './sql/types.ts';

/**
 * Most columns of a batch of events say the same in every row: nothing at all, the provider, the event type. They are
 * not written row by row: the relation that merges read has them as literals beside the table of the other columns.
 */

/** A longer text is written row by row. */
const LONGEST = 1_000;

/** Cells of a column, a row each: numbers as DuckDB takes them, NaN for null. */
type Cells = (string | null)[] | Float64Array | Uint32Array | BigInt64Array;

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

/** Rows that are looked at column by column, before the next ones: so many stay in the processor's cache meanwhile. */
const TILE = 128;

/** A column while its rows are gone through: a constant until a row differs, cells from then on. */
class ColumnCells {
  readonly #column: LandedColumn;
  readonly #first: Cell;
  readonly #count: number;
  cells: Cells | undefined;
  /** Not the same in all rows that were looked at. */
  varies: boolean;

  /** `count` rows follow, the first of which is given; without one all are written. */
  constructor(column: LandedColumn, first: LandedRow | undefined, count: number) {
    this.#column = column;
    this.#count = count;
    this.#first = first === undefined ? null : column.cell(first);
    // A statement ends at its first NUL.
    const long = typeof this.#first === 'string' && (this.#first.length > LONGEST || this.#first.includes('\0'));
    this.varies = first === undefined || column.name === 'no' || long;
    if (this.varies) this.cells = emptyCells(column.type, count);
  }

  get value(): Cell {
    return this.#first;
  }

  take(rows: readonly LandedRow[], from: number, to: number): void {
    const { cell } = this.#column;
    let row = from;
    // What stands for it is written in its place.
    if (this.varies && this.#column.sameAs !== undefined) return;
    if (this.cells === undefined) {
      const value = this.#first;
      while (row < to && Object.is(cell(rows[row]!), value)) row++;
      if (row === to) return;
      this.varies = true;
      if (this.#column.sameAs !== undefined) return;
      this.cells = emptyCells(this.#column.type, this.#count);
      (this.cells as { fill(value: Cell, start: number, end: number): void }).fill(this.#present(value), 0, row);
    }
    const cells = this.cells as { [row: number]: Cell };
    for (; row < to; row++) cells[row] = this.#present(cell(rows[row]!));
  }

  #present(value: Cell): Cell {
    return value ?? (this.#column.type === 'double' ? Number.NaN : null);
  }
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
  const gathered = columns.map((column) => new ColumnCells(column, rows[0], rows.length));
  for (let from = 0; from < rows.length; from += TILE) {
    const to = Math.min(rows.length, from + TILE);
    for (const column of gathered) column.take(rows, from, to);
  }
  const written: WrittenColumn[] = [];
  const selected: string[] = [];
  for (const [index, column] of columns.entries()) {
    const { cells, value, varies } = gathered[index]!;
    if (!varies) selected.push(`${literal(column, value)} as ${column.name}`);
    else if (column.sameAs !== undefined) selected.push(`${column.sameAs} as ${column.name}`);
    else {
      written.push({ ...column, cells: cells! });
      selected.push(column.name);
    }
  }
  return { written, selected };
}
