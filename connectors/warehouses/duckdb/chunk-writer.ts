import type { Column } from '@aorta/schemas';
import { BIGINT, DOUBLE, type DuckDBAppender, DuckDBDataChunk, type DuckDBType, UINTEGER, VARCHAR } from '@duckdb/node-api';
import { CHUNK, type WrittenColumn } from './batch-constants.ts';
import type { LandedColumn } from './landed-columns.ts';

const types: Readonly<Record<LandedColumn['type'], DuckDBType>> = {
  varchar: VARCHAR,
  double: DOUBLE,
  bigint: BIGINT,
  uinteger: UINTEGER,
};

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
export class SampleWriter {
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
