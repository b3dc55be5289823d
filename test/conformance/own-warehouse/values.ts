import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { QueryValue } from '@aorta/connectors';
import type { TableElement, TableValue } from '@aorta/connectors/warehouses';
import type { ColumnType, ValueType } from '@aorta/schemas';

/** Column types. SQLite stores instants, dates and lists as text. Readers convert the text to the declared type. */
const types: Readonly<Record<ValueType, string>> = {
  string: 'TEXT',
  int64: 'INTEGER',
  float64: 'REAL',
  bool: 'BOOLEAN INTEGER',
  timestamp: 'TIMESTAMP TEXT',
  date: 'DATE TEXT',
  json: 'JSON TEXT',
};

export const sqlType = (type: ColumnType): string => (typeof type === 'string' ? types[type] : 'LIST TEXT');

/** Converts a value to a statement parameter. */
export function boundValue(type: ColumnType, value: TableValue | undefined): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (typeof type === 'object') return listText(type, value as readonly TableElement[]);
  const bound = scalar(type, value as TableElement | bigint);
  return typeof bound === 'boolean' ? Number(bound) : bound;
}

/** Instants always have six fractional digits, so that they sort chronologically as text. */
function scalar(type: ValueType, value: unknown): string | number | bigint | boolean | null {
  if (value === null || value === undefined) return null;
  if (type === 'timestamp') return instantText(value as number);
  if (type === 'date') return new Date((value as number) * 86_400_000).toISOString().slice(0, 10);
  return type === 'int64' ? BigInt(value as number | bigint) : (value as string | number | boolean);
}

function instantText(micros: number): string {
  const fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const second = new Date((micros - fraction) / 1000).toISOString().slice(0, -'.000Z'.length);
  return `${second}.${String(fraction).padStart(6, '0')}Z`;
}

function listText({ list }: Exclude<ColumnType, string>, elements: readonly TableElement[]): string {
  const inJson = (type: ValueType, value: unknown) => {
    const found = scalar(type, value);
    return typeof found === 'bigint' ? Number(found) : type === 'timestamp' ? shown(found as string | null) : found;
  };
  if (typeof list === 'string') return JSON.stringify(elements.map((element) => inJson(list, element)));
  const objects = elements as readonly Readonly<Record<string, unknown>>[];
  return JSON.stringify(
    objects.map((element) => Object.fromEntries(list.map(({ name, type }) => [name, inJson(type, element[name])]))),
  );
}

/** Removes a zero fraction from an instant. All readers show instants in this way. */
const shown = (instant: string | null): string | null => instant?.replace('.000000Z', 'Z') ?? null;

/** Converts a value from a query result. `type` is the declared type of its column, or null for a computed value. */
export function queryValue(type: string | null, value: SQLOutputValue): QueryValue {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value === 'bigint') return type === types.bool ? value === 1n : value;
  if (typeof value !== 'string') return value;
  if (type === types.timestamp) return shown(value);
  return type === 'LIST TEXT' ? (JSON.parse(value) as QueryValue) : value;
}
