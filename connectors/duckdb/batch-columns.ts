import type { Column, StreamRecords, TimeseriesStream } from '@aorta/schemas';
import { BIGINT, DOUBLE, type DuckDBAppender, DuckDBDataChunk, type DuckDBType, UINTEGER, VARCHAR } from '@duckdb/node-api';
import { eventsView, type LandedBatch, rowsTable, samplesTable } from './batches.ts';
import type { Database } from './database.ts';
import type { Cell, LandedColumn, LandedRow } from './landed-rows.ts';
import { text } from './sql/types.ts';

/**
 * Most columns of a batch of events have the same value in every row: null, the provider, the event type. Merges read a view
 * that contains these values as literals. Only the other columns are stored in a table. If two columns have the same cells
 * (such as the user in the envelope and in the data), one of them is stored and selected under both names.
 */

/** Maximum length of a literal. A longer string is written row by row. */
const LONGEST = 1_000;

/** Number of rows in a DuckDB data chunk. */
export const CHUNK = 2048;

/**
 * Each column processes this many rows before the next column does, so that the rows stay in the CPU cache. {@link CHUNK} is a
 * multiple of this number.
 */
const TILE = 128;

/** Cells of a column, one per row. Typed arrays contain numbers in the form in which DuckDB stores them, with NaN for null. */
type Cells = (string | null)[] | Float64Array | Uint32Array | BigInt64Array;

/** A column written row by row, in chunks of {@link CHUNK} rows. */
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

/**
 * A column of a batch whose rows are still arriving. It is a constant until a row has a different value. From then on, it
 * either refers to an earlier column with the same cells or has its own cells.
 */
class ColumnCells {
  readonly #column: LandedColumn;
  /** Columns that come before this one. Each of them processes a row before this column does. */
  readonly #earlier: readonly ColumnCells[];
  readonly #first: Cell;
  readonly #chunks: Cells[] = [];
  readonly #nothing: Cell;
  /** Index of the first row whose value differs from the value of row 0. */
  #since = 0;
  /** An earlier written column that has had the same cells so far. */
  #same: ColumnCells | undefined;
  /** Whether the rows so far have different values. */
  varies: boolean;

  /** `first` is the first row of the batch; undefined if the batch has no rows. */
  constructor(column: LandedColumn, first: LandedRow | undefined, earlier: readonly ColumnCells[]) {
    this.#column = column;
    this.#earlier = earlier;
    this.#nothing = column.type === 'double' ? Number.NaN : null;
    this.#first = first === undefined ? null : column.cell(first);
    // A string with a NUL cannot be a literal, because the statement would end at the NUL.
    const long = typeof this.#first === 'string' && (this.#first.length > LONGEST || this.#first.includes('\0'));
    this.varies = first === undefined || column.name === 'no' || long;
  }

  get name(): string {
    return this.#column.name;
  }

  get value(): Cell {
    return this.#first;
  }

  /** If this column varies, the name of the equal column selected in its place. Undefined if this column itself is written. */
  get sameAs(): string | undefined {
    const { sameAs } = this.#column;
    return sameAs === undefined && this.#same !== undefined ? this.#same.name : sameAs;
  }

  cells(count: number): readonly Cells[] {
    const last = this.#chunks.at(-1);
    const rest = count % CHUNK;
    if (last === undefined || rest === 0) return this.#chunks;
    return [...this.#chunks.slice(0, -1), last.slice(0, rest)];
  }

  /** Adds rows that follow the first `before` rows. The new rows must not extend beyond the current chunk. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: once for each sample or record: one pass without calls
  take(rows: readonly LandedRow[], before: number): void {
    const { cell, sameAs } = this.#column;
    // The equal column is written instead.
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

  /** Whether the other column is written and had the same cells until this column varied. */
  #beginsLike(other: ColumnCells): boolean {
    return (
      other.varies &&
      other.sameAs === undefined &&
      other.#column.type === this.#column.type &&
      other.#since === this.#since &&
      Object.is(other.#first, this.#first)
    );
  }

  /** Fills `count` rows with the value that all rows have had so far. */
  #fill(count: number): void {
    const value = this.#first ?? this.#nothing;
    for (let from = 0; from < count; from += CHUNK)
      (this.#chunkOf(from) as { fill(value: Cell, start: number, end: number): void }).fill(
        value,
        0,
        Math.min(CHUNK, count - from),
      );
  }

  /** Copies `count` cells of the other column into chunks of this one. */
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
  // The value is quoted, because DuckDB would first parse an unquoted fraction as a decimal.
  return `'${value ?? 'nan'}'::${type}`;
}

export interface EventsLayout {
  readonly written: readonly WrittenColumn[];
  /** Select list of the view, with every column under its declared name. Merges match columns of different batches by name. */
  readonly selected: readonly string[];
}

/** Lays out the columns of a batch while its rows arrive. For a batch without rows, all columns are written. */
export class BatchLayout {
  readonly #columns: readonly LandedColumn[];
  #gathered: ColumnCells[] | undefined;
  #count = 0;

  constructor(columns: readonly LandedColumn[]) {
    this.#columns = columns;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds rows. Only their cells are kept. */
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

  /** Creates and fills the batch's table of rows, and creates its view with all columns, within the caller's transaction. */
  async write(database: Database, batch: LandedBatch): Promise<void> {
    const { written, selected } = this.finish();
    const definitions = written.map(({ name, type }) => `${name} ${type}`);
    await database.run('landing', `create table ${rowsTable(batch)} (${definitions.join(', ')})`);
    await database.run('landing', `create view ${eventsView(batch)} as select ${selected.join(', ')} from ${rowsTable(batch)}`);
    const appender = await appenderOf(database, rowsTable(batch));
    appendRows(appender, written, this.#count);
    appender.closeSync();
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
      // The column to which this one is declared equal may itself be equal to a third column.
      let stands = one;
      while (stands.sameAs !== undefined) stands = gathered.get(stands.sameAs)!;
      if (stands === one) written.push({ ...column, cells: one.cells(this.#count) });
      selected.push(stands === one ? column.name : `${stands.name} as ${column.name}`);
    }
    return { written, selected };
  }
}

const types: Readonly<Record<LandedColumn['type'], DuckDBType>> = {
  varchar: VARCHAR,
  double: DOUBLE,
  bigint: BIGINT,
  uinteger: UINTEGER,
};

const appenderOf = (database: Database, table: string): Promise<DuckDBAppender> =>
  database.connection.createAppender(table.slice('landed.'.length), 'landed');

/** A vector of numbers. The client's typings declare only the base class of all vectors. */
interface NumberVector {
  readonly items: Float64Array | Uint32Array | BigInt64Array;
}

/** Appends rows column by column. Numbers are copied as typed arrays, strings one by one. */
export function appendRows(appender: DuckDBAppender, columns: readonly WrittenColumn[], rows: number): void {
  const chunkTypes = columns.map((column) => types[column.type]);
  for (let at = 0; at * CHUNK < rows; at++) {
    const count = Math.min(CHUNK, rows - at * CHUNK);
    const chunk = DuckDBDataChunk.create(chunkTypes, count);
    for (let index = 0; index < columns.length; index++) {
      const cells = columns[index]!.cells[at]!;
      const vector = chunk.getColumnVector(index);
      if (Array.isArray(cells)) for (let row = 0; row < count; row++) vector.setItem(row, cells[row]!);
      else (vector as unknown as NumberVector).items.set(cells as never);
      vector.flush();
    }
    appender.appendDataChunk(chunk);
  }
}

/** Writes the samples of a batch into chunks, in the order of the events. Each sample has a row number and numeric columns. */
class SampleWriter {
  readonly #appender: DuckDBAppender;
  readonly #types: DuckDBType[];
  readonly #no = new Uint32Array(CHUNK);
  readonly #columns: Float64Array[];
  #count = 0;

  constructor(appender: DuckDBAppender, columns: readonly Column[]) {
    this.#appender = appender;
    this.#types = [UINTEGER, ...columns.map(() => DOUBLE)];
    this.#columns = columns.map(() => new Float64Array(CHUNK));
  }

  /**
   * Adds the samples of an event. `values` has one array per column, as in the stream. The array is empty, or it has one value
   * for all samples, or one value per sample. `rowOfSample` maps each sample to a row of the event. The event's first row has
   * the number `no`.
   */
  add(no: number, samples: number, values: readonly (readonly (number | null)[])[], rowOfSample: Uint32Array | undefined): void {
    let done = 0;
    while (done < samples) {
      const room = Math.min(samples - done, CHUNK - this.#count);
      const at = this.#count;
      if (rowOfSample === undefined) this.#no.fill(no, at, at + room);
      else for (let index = 0; index < room; index++) this.#no[at + index] = no + rowOfSample[done + index]!;
      for (let column = 0; column < values.length; column++) {
        const source = values[column]!;
        const target = this.#columns[column]!;
        if (source.length <= 1) target.fill(source[0] ?? Number.NaN, at, at + room);
        else for (let index = 0; index < room; index++) target[at + index] = source[done + index] ?? Number.NaN;
      }
      this.#count += room;
      done += room;
      if (this.#count === CHUNK) this.flush();
    }
  }

  /** Appends the last, incomplete chunk. */
  flush(): void {
    if (this.#count === 0) return;
    const chunk = DuckDBDataChunk.create(this.#types, this.#count);
    const arrays = [this.#no, ...this.#columns];
    for (let index = 0; index < arrays.length; index++) {
      const vector = chunk.getColumnVector(index);
      const items = (vector as unknown as NumberVector).items as Float64Array | Uint32Array;
      items.set(this.#count === CHUNK ? arrays[index]! : arrays[index]!.subarray(0, this.#count));
      vector.flush();
    }
    this.#appender.appendDataChunk(chunk);
    this.#count = 0;
  }
}

/** The samples of an event. `rowOfSample` maps each sample to a row of the event; undefined if there is only one row. */
export interface SampleSpan {
  /** Number of the event's first row. */
  readonly no: number;
  readonly record: StreamRecords[TimeseriesStream];
  readonly rowOfSample: Uint32Array | undefined;
}

/** Creates and fills the batch's table of samples, within the caller's transaction. */
export async function writeSamples(
  database: Database,
  batch: LandedBatch,
  columns: readonly Column[],
  spans: readonly SampleSpan[],
): Promise<void> {
  const numbers = ['no uinteger', ...columns.map(({ name }) => `${name} double`)];
  await database.run('landing', `create table ${samplesTable(batch)} (${numbers.join(', ')})`);
  const appender = await appenderOf(database, samplesTable(batch));
  const writer = new SampleWriter(appender, columns);
  for (const { no, record, rowOfSample } of spans) {
    const values = columns.map(({ name }) => (record as unknown as Record<string, (number | null)[]>)[name]!);
    writer.add(no, record.start_at.length, values, rowOfSample);
  }
  writer.flush();
  appender.closeSync();
}
