/**
 * The expressions that differ between the SQL dialects. A view is written once in the SQL that the dialects share, and takes
 * all other expressions from this interface. Columns and relations are passed as unquoted names, and values and conditions are
 * passed as expressions.
 */
export interface ViewDialect {
  /** A table or a view of the warehouse, as written in a FROM clause. */
  table(name: string): string;
  /** A name, quoted if necessary. */
  name(name: string): string;
  text(value: string): string;
  date(instant: string): string;
  addSeconds(instant: string, seconds: string): string;
  secondsBetween(from: string, to: string): string;
  /** One part of a string whose parts are separated by dots, counted from 1; NULL if the part is missing or empty. */
  part(text: string, number: number): string;
  /**
   * Aggregate function: the value of the row with the highest `order`, which starts at 1. Ignores rows without a value and
   * rows that do not satisfy `when`.
   */
  latest(value: string, order: string, when?: string): string;
  length(list: string): string;
  /** An element of a list, counted from 1; NULL beyond its end. */
  element(list: string, ordinal: string): string;
  /** Query with one row per element of a list. Each row has the given columns, `ordinal` (from 1) and `element`. */
  elements(relation: string, columns: readonly string[], list: string): string;
  /** Query that repeats each row `count` times. Each copy has the given columns and `ordinal` (from 1). */
  numbered(from: string, columns: readonly string[], count: string): string;
  /** Query with one row per member of a JSON object. Each row has the given columns, `member_name`, and `member` as JSON. */
  members(relation: string, columns: readonly string[], json: string): string;
  /**
   * Query for a JSON object whose members are lists. It combines the elements at the same position into one row, with the given
   * columns, `ordinal` (from 1), and `object` as JSON.
   */
  objects(relation: string, columns: readonly string[], json: string): string;
  /** The value at a path (`a.b`) of a JSON value: as a number (NULL if it is not one), as text, or as JSON. */
  jsonNumber(json: string, path: string): string;
  jsonText(json: string, path: string): string;
  jsonPart(json: string, path: string): string;
}

export interface View {
  readonly name: string;
  /** The query; undefined if the view must not exist because its data is not landed. */
  readonly query: string | undefined;
}
