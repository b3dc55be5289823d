import type { Cell, LandedColumn } from './landed-columns.ts';
import type { LandedRow } from './landed-row.ts';
import { text } from './sql/types.ts';

/**
 * Most columns of a batch of events say the same in every row: nothing at all, the provider, the event type. They are
 * not written row by row: the relation that merges read has them as literals beside the table of the other columns. A
 * column that has the cells of another one (the user of the envelope and that of the data) is that one by a second name.
 */

/** A longer text is written row by row. */
const LONGEST = 1_000;

/** Rows of one of DuckDB's data chunks. */
export const CHUNK = 2048;

/** Cells of a column, a row each: numbers as DuckDB takes them, NaN for null. */
type Cells = (string | null)[] | Float64Array | Uint32Array | BigInt64Array;

/** A column that is written row by row, a chunk of {@link CHUNK} rows after another. */
export interface WrittenColumn extends LandedColumn {
  readonly cells: readonly Cells[];
}

function emptyCells(type: LandedColumn['type']): Cells {
  switch (type) {
    case 'varchar':
      return new Array<string | null>(CHUNK);
    case 'double':
      return new Float64Array(CHUNK);
    case 'uinteger':
      return new Uint32Array(CHUNK);
    case 'bigint':
      return new BigInt64Array(CHUNK);
  }
}

/** Rows that are looked at column by column, before the next ones: so many stay in the processor's cache meanwhile. A chunk is a whole number of them. */
const TILE = 128;

/** A column while its rows come in: a constant until a row differs, from then on the same as another one or cells. */
class ColumnCells {
  readonly #column: LandedColumn;
  /** The columns before it, which take the same rows first. */
  readonly #earlier: readonly ColumnCells[];
  readonly #first: Cell;
  readonly #chunks: Cells[] = [];
  /** What stands for null. */
  readonly #nothing: Cell;
  /** Number of the row that first differed. */
  #since = 0;
  /** An earlier one that is written and had the same cells in all rows until now. */
  #same: ColumnCells | undefined;
  /** Not the same in all rows that were looked at. */
  varies: boolean;

  /** Rows follow, the first of which is given; without one there are none. */
  constructor(column: LandedColumn, first: LandedRow | undefined, earlier: readonly ColumnCells[]) {
    this.#column = column;
    this.#earlier = earlier;
    this.#nothing = column.type === 'double' ? Number.NaN : null;
    this.#first = first === undefined ? null : column.cell(first);
    // A statement ends at its first NUL.
    const long = typeof this.#first === 'string' && (this.#first.length > LONGEST || this.#first.includes('\0'));
    this.varies = first === undefined || column.name === 'no' || long;
  }

  get name(): string {
    return this.#column.name;
  }

  get value(): Cell {
    return this.#first;
  }

  /** Name of the column that stands for it where it varies; undefined where it is written. */
  get sameAs(): string | undefined {
    const { sameAs } = this.#column;
    return sameAs === undefined && this.#same !== undefined ? this.#same.name : sameAs;
  }

  /** The cells of so many rows. */
  cells(count: number): readonly Cells[] {
    const last = this.#chunks.at(-1);
    const rest = count % CHUNK;
    if (last === undefined || rest === 0) return this.#chunks;
    return [...this.#chunks.slice(0, -1), last.slice(0, rest)];
  }

  /** Takes the next rows, before which there were `before`. They end in the chunk that they begin in. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: once for each sample or record: one pass without calls
  take(rows: readonly LandedRow[], before: number): void {
    const { cell, sameAs } = this.#column;
    // What stands for it is written in its place.
    if (this.varies && sameAs !== undefined) return;
    let row = 0;
    if (!this.varies) {
      while (row < rows.length && Object.is(cell(rows[row]!), this.#first)) row++;
      if (row === rows.length) return;
      this.varies = true;
      if (sameAs !== undefined) return;
      this.#since = before + row;
      this.#same = this.#earlier.find((other) => this.#beginsLike(other));
      if (this.#same === undefined) this.#fill(before + row);
    }
    const nothing = this.#nothing;
    let at = (before % CHUNK) + row;
    if (this.#same !== undefined) {
      const same = this.#same.#chunkOf(before);
      while (row < rows.length && Object.is(cell(rows[row]!) ?? nothing, same[at])) {
        row++;
        at++;
      }
      if (row === rows.length) return;
      this.#copy(this.#same, before + row);
      this.#same = undefined;
    }
    const chunk = this.#chunkOf(before) as { [row: number]: Cell };
    for (; row < rows.length; row++, at++) chunk[at] = cell(rows[row]!) ?? nothing;
  }

  /** Whether the other is written, and had the same cells until this one varied. */
  #beginsLike(other: ColumnCells): boolean {
    return (
      other.varies &&
      other.sameAs === undefined &&
      other.#column.type === this.#column.type &&
      other.#since === this.#since &&
      Object.is(other.#first, this.#first)
    );
  }

  /** Gives so many rows the value that all had until now. */
  #fill(count: number): void {
    const value = this.#first ?? this.#nothing;
    for (let from = 0; from < count; from += CHUNK)
      (this.#chunkOf(from) as { fill(value: Cell, start: number, end: number): void }).fill(
        value,
        0,
        Math.min(CHUNK, count - from),
      );
  }

  /** Gives so many rows the cells of the other, in chunks of its own. */
  #copy(other: ColumnCells, count: number): void {
    for (let from = 0; from < count; from += CHUNK) this.#chunks.push(other.#chunkOf(from).slice());
  }

  #chunkOf(row: number): Cells {
    const index = Math.floor(row / CHUNK);
    let chunk = this.#chunks[index];
    if (chunk === undefined) {
      chunk = emptyCells(this.#column.type);
      this.#chunks.push(chunk);
    }
    return chunk;
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

/** Lays out the columns of a batch while its rows come in. A batch without rows has all of them written. */
export class BatchLayout {
  readonly #columns: readonly LandedColumn[];
  #gathered: ColumnCells[] | undefined;
  #count = 0;

  constructor(columns: readonly LandedColumn[]) {
    this.#columns = columns;
  }

  /** Rows that were added. */
  get count(): number {
    return this.#count;
  }

  /** Adds rows, of which nothing is held but their cells. */
  add(rows: readonly LandedRow[]): void {
    if (rows.length === 0) return;
    this.#gathered ??= this.#cells(rows[0]);
    for (let from = 0; from < rows.length; ) {
      const to = Math.min(rows.length, from + TILE - (this.#count % TILE));
      const tile = rows.slice(from, to);
      for (const column of this.#gathered) column.take(tile, this.#count);
      this.#count += tile.length;
      from = to;
    }
  }

  #cells(first: LandedRow | undefined): ColumnCells[] {
    const cells: ColumnCells[] = [];
    for (const column of this.#columns) cells.push(new ColumnCells(column, first, [...cells]));
    return cells;
  }

  finish(): EventsLayout {
    const gathered = new Map((this.#gathered ?? this.#cells(undefined)).map((one) => [one.name, one]));
    const written: WrittenColumn[] = [];
    const selected: string[] = [];
    for (const column of this.#columns) {
      const one = gathered.get(column.name)!;
      if (!one.varies) {
        selected.push(`${literal(column, one.value)} as ${column.name}`);
        continue;
      }
      // What stands for a column by its declaration may itself happen to be another one.
      let stands = one;
      while (stands.sameAs !== undefined) stands = gathered.get(stands.sameAs)!;
      if (stands === one) written.push({ ...column, cells: one.cells(this.#count) });
      selected.push(stands === one ? column.name : `${stands.name} as ${column.name}`);
    }
    return { written, selected };
  }
}
