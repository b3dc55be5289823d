import type { Column, ColumnType } from '@aorta/schemas';

/** Names of DuckDB for the dialect-free types. */
const names: Readonly<Record<ColumnType, string>> = {
  string: 'varchar',
  int64: 'bigint',
  float64: 'double',
  bool: 'boolean',
  timestamp: 'timestamptz',
  date: 'date',
  json: 'json',
};

function sqlType(column: Column): string {
  return names[column.type];
}

/** Column of a created table. */
export function columnDefinition(column: Column): string {
  return `${column.name} ${sqlType(column)}${column.nullable ? '' : ' not null'}`;
}

/**
 * Columns are landed as text or as doubles, NaN for null: a chunk's numbers are then filled through one typed array,
 * four times as fast as value by value, and 64-bit integers beyond 2^53 never come this far. The merge casts them.
 */
export function landedType(column: Column): 'varchar' | 'double' {
  return column.type === 'string' || column.type === 'json' ? 'varchar' : 'double';
}

/** Expression that turns a landed column into its declared type. */
export function fromLanded(column: Column, landed: string): string {
  const number = `nullif(${landed}, 'nan'::double)`;
  switch (column.type) {
    case 'string':
      return landed;
    case 'json':
      return `${landed}::json`;
    case 'int64':
      return `${number}::bigint`;
    case 'float64':
      return number;
    case 'bool':
      return `${number} = 1`;
    case 'timestamp':
      return `make_timestamptz(${number}::bigint)`;
    case 'date':
      return `date '1970-01-01' + ${number}::integer`;
  }
}

/** `_day` of an instant in microseconds: dates outside 2010-01-01…2036-12-31 share the partitions at the ends. */
export function dayOf(micros: string): string {
  return `greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(${micros}::bigint)::date))`;
}

export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A literal list of dates, from days since 1970. */
export function dates(days: readonly number[]): string {
  return days.map((day) => `date '${new Date(day * 86_400_000).toISOString().slice(0, 10)}'`).join(', ');
}

const version = ['_received_at', '_origin', '_offset', '_reader'];

/** Whether row `a` is newer than row `b`: the version's columns compared in order. */
export function newer(a: string, b: string, columns: readonly string[] = version): string {
  const tuple = (alias: string): string => `(${columns.map((column) => `${alias}.${column}`).join(', ')})`;
  return columns.length === 1 ? `${a}.${columns[0]} > ${b}.${columns[0]}` : `${tuple(a)} > ${tuple(b)}`;
}
