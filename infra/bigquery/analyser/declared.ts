/** A column, in the format of a table's schema in BigQuery's REST API. */
export interface DeclaredColumn {
  readonly name: string;
  /** The type, under either of its names: INTEGER or INT64, FLOAT or FLOAT64, BOOLEAN or BOOL, RECORD or STRUCT. */
  readonly type: string;
  /** The default is NULLABLE. */
  readonly mode?: string;
  /** The fields of a RECORD. */
  readonly fields?: readonly DeclaredColumn[];
}

/** A table or view that statements may use. */
export interface DeclaredTable {
  /** The name as statements write it, without backticks: `table`, `dataset.table` or `project.dataset.table`. */
  readonly name: string;
  readonly columns: readonly DeclaredColumn[];
}
