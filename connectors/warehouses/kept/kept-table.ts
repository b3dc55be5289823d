import type { PrivacyClass, ValueType } from '@aorta/schemas';
import type { View, ViewDialect } from '../views/dialect.ts';

/** A column of a computed table or view. */
export interface ComputedColumn {
  readonly name: string;
  /** `datetime` is a local time without a zone. */
  readonly type: ValueType | 'datetime';
  readonly doc: string;
  /** UCUM unit, or the name of the column that contains the unit. */
  readonly unit?: string;
  readonly class: PrivacyClass;
}

/**
 * A table whose rows are computed from other tables. The rows do not depend on the current time, so a recomputation
 * of the same data gives the same rows.
 */
export interface KeptTable {
  readonly name: string;
  readonly doc: string;
  readonly columns: readonly ComputedColumn[];
  /** Columns that identify a row. The first is `user_id`. */
  readonly key: readonly string[];
  /** The rows that are recomputed together: all rows of a user, or the rows of one local date of a user. */
  readonly scope: KeptScope;
  /**
   * Returns the query for the rows, with the columns in the declared order. It reads each input as `from(name)`: the whole table
   * or view, or only the part of it that belongs to the recomputed scope.
   */
  query(dialect: ViewDialect, from: From): string;
  /**
   * Queries whose results `query` and later steps read by name. Each is computed once, before the next, so that a recomputation
   * of many rows needs less memory. With steps, `query` must not begin with WITH.
   */
  steps?(dialect: ViewDialect, from: From): readonly KeptStep[];
}

/** Returns the text that represents a table or view in a FROM clause. */
export type From = (name: string) => string;

export interface KeptStep {
  readonly name: string;
  readonly query: string;
}

/** The steps and the query of a table as one query. */
export function wholeQuery(table: KeptTable, dialect: ViewDialect, from: From): string {
  const steps = (table.steps?.(dialect, from) ?? []).map(({ name, query }) => `${name} as (\n${query}\n)`);
  return `${steps.length === 0 ? '' : `with ${steps.join(',\n')}\n`}${table.query(dialect, from)}`;
}

type KeptScope =
  | { readonly of: 'user' }
  /**
   * `date` names the column with the local date, which is part of the key. A row depends only on its user's input rows of
   * its date or the day before. With `daysBefore`, it also depends on the rows of this many days before its date.
   */
  | { readonly of: 'day'; readonly date: string; readonly daysBefore?: number };

/** The table as a view that computes all rows each time it is read. */
export function asView(table: KeptTable, dialect: ViewDialect): View {
  const { name, doc, columns } = table;
  return { name, doc, columns, query: wholeQuery(table, dialect, dialect.table) };
}

/** The table as a view that shows the stored rows. If the warehouse does not store them, the view computes all rows. */
export function keptView(table: KeptTable, dialect: ViewDialect): View {
  if (dialect.kept === undefined) return asView(table, dialect);
  const { name, doc, columns } = table;
  const names = columns.map((column) => dialect.name(column.name));
  return { name, doc, columns, query: `select ${names.join(', ')}\nfrom ${dialect.kept(name)}` };
}
