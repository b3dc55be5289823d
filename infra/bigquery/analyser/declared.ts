/** A column as BigQuery's REST API writes it in a table's schema. */
export interface DeclaredColumn {
  readonly name: string;
  /** In either spelling: INTEGER or INT64, FLOAT or FLOAT64, BOOLEAN or BOOL, RECORD or STRUCT. */
  readonly type: string;
  /** Default NULLABLE. */
  readonly mode?: string;
  /** Of a RECORD. */
  readonly fields?: readonly DeclaredColumn[];
}

/** A table, or a view, that a statement may name. */
export interface DeclaredTable {
  /** As statements write it, without backticks: `table`, `dataset.table` or `project.dataset.table`. */
  readonly name: string;
  readonly columns: readonly DeclaredColumn[];
}
