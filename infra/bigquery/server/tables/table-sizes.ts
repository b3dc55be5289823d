import type { Json, Upstream } from '../upstream.ts';

export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
  /** Number of rows by day (`YYYY-MM-DD`) of the partition column; empty if there is no such column. */
  readonly partitions: ReadonlyMap<string, number>;
}

const SAMPLE = 200;
const NOTHING: TableSize = { rows: 0, bytes: 0, partitions: new Map() };

/** The name of a table within the project. */
export interface TableName {
  readonly dataset: string;
  readonly table: string;
}

/**
 * The sizes of tables. The server counts the rows when a size is first needed after a change. To estimate the size in bytes, it
 * multiplies the number of rows by the mean length of a sample of rows, written as JSON. The real service gives similar results,
 * because it counts 8 bytes for each number, and the length plus 2 bytes for each string.
 */
export class TableSizes {
  readonly #upstream: Upstream;
  readonly #project: string;
  readonly #known = new Map<string, TableSize>();
  /** The mean size of a row in bytes, by table, and the table's number of rows when the mean was measured. */
  readonly #means = new Map<string, { readonly rows: number; readonly bytes: number }>();

  constructor(upstream: Upstream, project: string) {
    this.#upstream = upstream;
    this.#project = project;
  }

  changed({ dataset, table }: TableName): void {
    this.#known.delete(`${dataset}.${table}`);
  }

  forget(name: TableName): void {
    this.changed(name);
    this.#means.delete(this.#path(name));
  }

  /** Marks a new table as empty, so that its rows need not be counted. */
  made({ dataset, table }: TableName): void {
    this.#known.set(`${dataset}.${table}`, NOTHING);
  }

  /** Adds loaded rows to the known size of a table. A table with a partition column must be counted again. */
  loaded(name: TableName, kept: Json, rows: number, bytes: number): void {
    const key = `${name.dataset}.${name.table}`;
    const before = this.#known.get(key);
    if (before === undefined || kept.timePartitioning?.field !== undefined) this.changed(name);
    else this.#known.set(key, { rows: before.rows + rows, bytes: before.bytes + bytes, partitions: new Map() });
  }

  #path({ dataset, table }: TableName): string {
    return `\`${this.#project}.${dataset}.${table}\``;
  }

  async of({ dataset, table }: TableName, kept: Json): Promise<TableSize> {
    const key = `${dataset}.${table}`;
    const known = this.#known.get(key) ?? (await this.#counted(this.#path({ dataset, table }), kept));
    this.#known.set(key, known);
    return known;
  }

  async #counted(path: string, kept: Json): Promise<TableSize> {
    if ((kept.schema?.fields ?? []).length === 0) return NOTHING;
    const { field } = kept.timePartitioning ?? {};
    const rows =
      field === undefined
        ? [[null, (await this.#upstream.rows(`SELECT COUNT(*) FROM ${path}`))[0]![0]!]]
        : await this.#upstream.rows(`SELECT CAST(DATE(\`${field}\`) AS STRING), COUNT(*) FROM ${path} GROUP BY 1`);
    const partitions = new Map(rows.map(([day, count]) => [day ?? '', Number(count)]));
    const count = [...partitions.values()].reduce((sum, one) => sum + one, 0);
    if (count === 0) return NOTHING;
    const bytes = Math.round((await this.#mean(path, count)) * count);
    return { rows: count, bytes, partitions: field === undefined ? new Map() : partitions };
  }

  /** Returns the mean size of a row, in bytes. Measures it again when the number of rows has doubled or decreased. */
  async #mean(path: string, rows: number): Promise<number> {
    const known = this.#means.get(path);
    if (known !== undefined && rows >= known.rows && rows < 2 * known.rows) return known.bytes;
    const [row] = await this.#upstream.rows(
      `SELECT AVG(LENGTH(TO_JSON_STRING(t))) FROM (SELECT * FROM ${path} LIMIT ${SAMPLE}) t`,
    );
    const bytes = Number(row?.[0] ?? 0);
    this.#means.set(path, { rows, bytes });
    return bytes;
  }
}
