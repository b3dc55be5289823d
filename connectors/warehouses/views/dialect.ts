/**
 * What views say differently in each language. A view is written once, in what both languages share, and asks this for the
 * rest. Columns and relations are given as names, unquoted; values and conditions as expressions.
 */
export interface ViewDialect {
  /** A table or a view of the warehouse, where a `from` names it. */
  table(name: string): string;
  /** A name as it may stand in a statement: quoted where it has to be. */
  name(name: string): string;
  text(value: string): string;
  /** The date of an instant in UTC. */
  date(instant: string): string;
  addSeconds(instant: string, seconds: string): string;
  /** Seconds from one instant to another. */
  secondsBetween(from: string, to: string): string;
  /** A part of a text with dots, from 1; NULL where there is none, or an empty one. */
  part(text: string, number: number): string;
  /** Aggregate: the value of the row with the highest `order` (a number from 1), of rows that meet `when` and have a value. */
  latest(value: string, order: string, when?: string): string;
  length(list: string): string;
  /** An element of a list, from 1; NULL beyond its end. */
  element(list: string, ordinal: string): string;
  /** Query of a row for each element of a list: the columns, `ordinal` from 1, and `element`. */
  elements(relation: string, columns: readonly string[], list: string): string;
  /** Query of rows numbered by `ordinal`, from 1 to a count each: the columns, and it. */
  numbered(from: string, columns: readonly string[], count: string): string;
  /** Query of a row for each member of a JSON object: the columns, `member_name`, and `member` as JSON. */
  members(relation: string, columns: readonly string[], json: string): string;
  /** Query of the rows of a JSON object of lists, one a column: the columns, `ordinal` from 1, and `object` as JSON. */
  objects(relation: string, columns: readonly string[], json: string): string;
  /** Of a JSON value what stands at a path (`a.b`): as a number, NULL where it is none; as text; as JSON. */
  jsonNumber(json: string, path: string): string;
  jsonText(json: string, path: string): string;
  jsonPart(json: string, path: string): string;
}

/** A view as it ought to be. */
export interface View {
  readonly name: string;
  /** What it selects; undefined where there shall be no such view, since what it shows is not landed. */
  readonly query: string | undefined;
}
