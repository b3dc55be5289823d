import type { ColumnType } from '@aorta/schemas';

/**
 * The expressions that differ between the SQL dialects. A view is written once in the SQL that the dialects share, and takes
 * all other expressions from this interface. Columns and relations are passed as unquoted names, and values and conditions are
 * passed as expressions.
 */
export interface ViewDialect {
  /** A table or a view of the warehouse, as written in a FROM clause. */
  table(name: string): string;
  /** The stored rows of a kept table. Absent if the warehouse does not store them. */
  kept?(name: string): string;
  /** Relation with the days of users that have changed, as `user_id`, `local_date` and `changed_at`. */
  readonly changedDays: string;
  /** A name, quoted if necessary. */
  name(name: string): string;
  text(value: string): string;
  date(instant: string): string;
  addSeconds(instant: string, seconds: string): string;
  /** The date a number of days after a date. */
  addDays(date: string, days: string): string;
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
  /** A constant instant, such as `2026-01-01T00:00:00Z`. */
  instant(value: string): string;
  /** The instant at 00:00 UTC of a date. */
  startOfDay(date: string): string;
  /** The local time (without a zone) at an instant, for an offset in seconds; NULL if the offset is NULL. */
  localTime(instant: string, offset: string): string;
  /** The instant of a local time that is marked as UTC, for an offset in seconds; NULL if the offset is NULL. */
  instantOfLocal(local: string, offset: string): string;
  /** The instant in the middle of two instants, rounded down to a microsecond. */
  midpoint(from: string, to: string): string;
  /**
   * Aggregate function: a JSON list of a value, or of objects with these members, in the order of these expressions. Ignores
   * NULL values.
   */
  jsonList(element: string | Readonly<Record<string, string>>, order: readonly string[]): string;
  /**
   * Window function: a JSON list of the rows that follow in a window (`partition by … order by …`), as objects with these
   * members. Undefined if no row follows.
   */
  jsonListOfFollowing(members: Readonly<Record<string, string>>, window: string): string;
  /** Aggregate function: the distinct texts, sorted and joined with ', '; NULL if there are none. */
  joined(text: string): string;
  /**
   * Window function: a list of the row and the rows before it in a window (`partition by … order by …`), in this order. The
   * elements are structs with these members.
   */
  listUpTo(members: Readonly<Record<string, string>>, window: string): string;
  /**
   * The first struct of a list that satisfies a condition; NULL if there is none. The condition reads the struct as `other`, and
   * qualifies all columns.
   */
  firstOf(list: string, condition: string): string;
  /** An empty JSON list. */
  readonly emptyList: string;
  /** Whether a text contains a match of a regular expression (RE2). */
  matches(text: string, pattern: string): string;
  float(number: string): string;
  /** Microseconds from 1970-01-01T00:00Z to an instant. */
  micros(instant: string): string;
  /** A value that identifies a combination of texts within one query. The texts must not be NULL. */
  groupKey(texts: readonly string[]): string;
  /** Number of days from 1970-01-01 to a date. */
  dayNumber(date: string): string;
  /** A hash of a text, as 32 lower-case hexadecimal digits (MD5). */
  hash(text: string): string;
  /** The number, rounded down to an integer. */
  floor(number: string): string;
  /** Query for the given rows. */
  rows(columns: readonly LiteralColumn[], rows: readonly (readonly (string | number | null)[])[]): string;
}

export interface LiteralColumn {
  readonly name: string;
  readonly type: 'string' | 'float64';
}

export interface ViewColumn {
  readonly name: string;
  /** Meaning of the value, and when it is NULL. */
  readonly doc: string;
  /** Unit, or the name of the column that contains the unit. */
  readonly unit?: string;
  /** Type of the values. `datetime` is a local time without a zone. */
  readonly type: ColumnType | 'datetime';
}

/** The groups into which `aorta schema` divides tables and views, in the order in which an analyst needs them. */
export const groups = ['days', 'samples', 'summaries', 'labs', 'operations'] as const;

export type Group = (typeof groups)[number];

export interface ShownView {
  readonly name: string;
  /** Says what a row is. */
  readonly doc: string;
  /** The columns with their descriptions, in the order of the query. */
  readonly columns: readonly ViewColumn[];
  readonly query: string;
}

/** A view that must not exist, because its data is not landed. */
interface DroppedView {
  readonly name: string;
  readonly query: undefined;
}

export type View = ShownView | DroppedView;

export const isShown = <V extends View>(view: V): view is V & ShownView => view.query !== undefined;
