import { type Column, type ColumnType, type ElementField, elementFields, type ValueType } from '@aorta/schemas';

/** DuckDB's names of the types. */
export const valueTypes: Readonly<Record<ValueType, string>> = {
  string: 'varchar',
  int64: 'bigint',
  float64: 'double',
  bool: 'boolean',
  timestamp: 'timestamptz',
  date: 'date',
  json: 'json',
};

function sqlType(type: ColumnType): string {
  if (typeof type === 'string') return valueTypes[type];
  const { list } = type;
  if (typeof list === 'string') return `${valueTypes[list]}[]`;
  return `struct(${list.map((field) => `${field.name} ${valueTypes[field.type]}`).join(', ')})[]`;
}

export interface DatabaseColumn {
  readonly name: string;
  /** DuckDB's name for the type. */
  readonly type: string;
  readonly nullable: boolean;
  /** Fields of the objects, if the column is a list of objects. */
  readonly fields?: readonly { readonly name: string; readonly type: string }[];
  /** Default, as an SQL expression, for rows without the column. */
  readonly default?: string;
}

export interface DatabaseTable {
  readonly name: string;
  readonly columns: readonly DatabaseColumn[];
}

export function databaseColumn(column: Column): DatabaseColumn {
  const landed = landedDefault(column);
  const fields = elementFields(column.type)?.map(({ name, type }) => ({ name, type: valueTypes[type] }));
  // The default of a list is the string '[]'. DuckDB 1.5.6 cannot replay its write-ahead log if an altered or described table has a
  // default that calls a function or needs the type json. Even the expression [] calls one.
  const empty = typeof column.type === 'object' ? text('[]') : undefined;
  const value = landed === undefined ? undefined : (empty ?? fromLanded(column, landed));
  return {
    name: column.name,
    type: sqlType(column.type),
    nullable: column.nullable,
    fields,
    default: value,
  };
}

export function columnDefinition({ name, type, nullable, default: fallback }: DatabaseColumn): string {
  return `${name} ${type}${nullable ? '' : ' not null'}${fallback === undefined ? '' : ` default (${fallback})`}`;
}

/**
 * Type in which a column is landed: text, or double with NaN for null. Filling a chunk through one typed array is four times as
 * fast as setting each value separately. Integers beyond 2^53 do not occur here. Lists are landed as JSON text, which the merge
 * casts.
 */
export function landedType({ type }: Pick<Column, 'type'>): 'varchar' | 'double' {
  return type === 'string' || type === 'json' || typeof type === 'object' ? 'varchar' : 'double';
}

/** Returns a column's default in landed form; undefined if the default is null. */
export function landedDefault(column: Column): string | undefined {
  if (column.default === undefined) return undefined;
  if (landedType(column) === 'double') return `${Number(column.default)}`;
  return text(typeof column.default === 'string' ? column.default : JSON.stringify(column.default));
}

/** Expression that casts a landed column to its declared type. */
export function fromLanded(column: Column, landed: string): string {
  const { type } = column;
  if (typeof type === 'object') return listFromLanded(type.list, landed);
  return landedType(column) === 'varchar' ? valueFrom(type, landed) : valueFrom(type, `nullif(${landed}, 'nan'::double)`);
}

/** Expression that casts a number or a text to a value: instants from microseconds, dates from days, booleans from 0 and 1. */
function valueFrom(type: ValueType, value: string): string {
  switch (type) {
    case 'string':
    case 'float64':
      return value;
    case 'json':
      return `${value}::json`;
    case 'int64':
      return `${value}::bigint`;
    case 'bool':
      return `${value} = 1`;
    case 'timestamp':
      return `make_timestamptz(${value}::bigint)`;
    case 'date':
      return `date '1970-01-01' + ${value}::integer`;
  }
}

/** JSON types of the elements of a landed list. */
const landedElement: Readonly<Record<ValueType, string>> = {
  string: 'VARCHAR',
  json: 'VARCHAR',
  int64: 'BIGINT',
  float64: 'DOUBLE',
  bool: 'BIGINT',
  timestamp: 'BIGINT',
  date: 'INTEGER',
};

/** The cast is strict, so that an unreadable element stops the merge instead of silently becoming NULL. */
function listFromLanded(list: ValueType | readonly ElementField[], landed: string): string {
  if (typeof list === 'string')
    return `[${valueFrom(list, 'v')} for v in from_json_strict(${landed}, '["${landedElement[list]}"]')]`;
  const structure = list.map((field) => `"${field.name}":"${landedElement[field.type]}"`).join(',');
  const fields = list.map((field) => `${field.name}: ${valueFrom(field.type, `v.${field.name}`)}`).join(', ');
  return `[{${fields}} for v in from_json_strict(${landed}, '[{${structure}}]')]`;
}

/**
 * Expression that computes `_day` for an instant in microseconds. Dates outside 2010-01-01…2036-12-31 are clamped to the first or
 * last date.
 */
export function dayOf(micros: string): string {
  return `greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(${micros}::bigint)::date))`;
}

export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Returns a list of date literals from days since 1970. */
export function dates(days: readonly number[]): string {
  return days.map((day) => `date '${new Date(day * 86_400_000).toISOString().slice(0, 10)}'`).join(', ');
}

/** Condition that compares two lists of expressions in order, and is true if `a` is greater than `b`. */
export function outranks(a: readonly string[], b: readonly string[]): string {
  const tuple = (list: readonly string[]): string => (list.length === 1 ? list[0]! : `(${list.join(', ')})`);
  return `${tuple(a)} > ${tuple(b)}`;
}

/** Condition that row `a` is newer than row `b`. It compares their version columns in order. */
export function newer(a: string, b: string): string {
  const version = (alias: string) => ['_received_at', '_origin', '_offset', '_reader'].map((name) => `${alias}.${name}`);
  return outranks(version(a), version(b));
}
