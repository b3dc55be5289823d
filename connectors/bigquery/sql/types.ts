import { FIRST_DAY, LAST_DAY } from '../../warehouses/merging/landed-dates.ts';
import type { TableField } from '../tables/fields.ts';

/** Quotes a string as a literal. No character in it can end the literal or the line. */
export function text(value: string): string {
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `'${escaped}'`;
}

/** Quotes a name. Throws if it has a backtick, a backslash or a line break, which no table or column name may have. */
export function quoted(name: string): string {
  if (/[`\\\n\r]/.test(name)) throw new Error('a name must not have a backtick, a backslash or a line break');
  return `\`${name}\``;
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const reserved = new Set(
  `all and any array as asc assert_rows_modified at between by case cast collate contains create cross cube current default define
desc distinct else end enum escape except exclude exists extract false fetch following for from full group grouping groups hash having
if ignore in inner intersect interval into is join lateral left like limit lookup merge natural new no not null nulls of on or order
outer over partition preceding proto qualify range recursive respect right rollup rows select set some struct tablesample then to treat
true unbounded union unnest using when where window with within`.split(/\s+/),
);

/** Returns a column's name for a statement, quoted if necessary. */
export function column(name: string): string {
  return plainName.test(name) && !reserved.has(name.toLowerCase()) ? name : quoted(name);
}

/** Location of the tables. Their names are always fully qualified, so the default dataset of a session does not matter. */
export interface Dataset {
  readonly project: string;
  readonly dataset: string;
}

export function tableName({ project, dataset }: Dataset, table: string): string {
  return quoted(`${project}.${dataset}.${table}`);
}

const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Returns a list of date literals from days since 1970. */
export function dates(days: readonly number[]): string {
  return days.map((day) => `DATE '${isoDay(day)}'`).join(', ');
}

/** Expression for an instant's `_day`. Dates outside 2010-01-01…2036-12-31 are clamped to the first or last date. */
export function dayOf(instant: string): string {
  return `GREATEST(DATE '${isoDay(FIRST_DAY)}', LEAST(DATE '${isoDay(LAST_DAY)}', DATE(${instant})))`;
}

/** Condition that row `a` is newer than row `b`, comparing the columns in order. GoogleSQL cannot compare tuples. */
export function newer(a: string, b: string, columns: readonly string[]): string {
  const [first, ...others] = columns as readonly [string, ...string[]];
  const greater = `${a}.${column(first)} > ${b}.${column(first)}`;
  if (others.length === 0) return greater;
  return `(${greater} OR (${a}.${column(first)} = ${b}.${column(first)} AND ${newer(a, b, others)}))`;
}

const standardNames: Readonly<Record<string, string>> = { INTEGER: 'INT64', FLOAT: 'FLOAT64', BOOLEAN: 'BOOL' };

/** Returns the type of a field as used in statements, such as `ARRAY<STRUCT<a STRING>>`. */
export function sqlType(field: TableField): string {
  const { type, mode, fields } = field;
  const element =
    type === 'RECORD' || type === 'STRUCT'
      ? `STRUCT<${(fields ?? []).map((one) => `${column(one.name)} ${sqlType(one)}`).join(', ')}>`
      : (standardNames[type] ?? type);
  return mode === 'REPEATED' ? `ARRAY<${element}>` : element;
}
