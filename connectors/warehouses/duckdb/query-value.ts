import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBGeometryValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue,
} from '@duckdb/node-api';
import { Decimal, jsonOf, type QueryValue } from '../../query-values.ts';
import { dateText, isoText, timestampText } from './time-text.ts';

/**
 * Converts a DuckDB value for JSON output. Instants become RFC 3339 strings in UTC, integers of 64 and more bits become bigints,
 * and bytes become base64. Values of the types UNION and VARIANT, and of types that JSON does not have, become text.
 */
export function queryValue(value: DuckDBValue): QueryValue {
  if (value === null || typeof value !== 'object') {
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  }
  return nestedValue(value) ?? singleValue(value);
}

/** Converts lists, structs and maps. Returns undefined for other values. */
function nestedValue(value: object): QueryValue | undefined {
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(queryValue);
  if (value instanceof DuckDBMapValue)
    return value.entries.map(({ key, value: entry }) => ({ key: queryValue(key), value: queryValue(entry) }));
  if (!(value instanceof DuckDBStructValue)) return undefined;
  return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, queryValue(entry)]));
}

function singleValue(value: object): QueryValue {
  if (value instanceof DuckDBTimestampTZValue) return isoText(value.micros, 'Z');
  if (value instanceof DuckDBDateValue) return dateText(value.days);
  if (value instanceof DuckDBTimestampValue) return isoText(value.micros, '');
  if (value instanceof DuckDBDecimalValue) return new Decimal(value.toString());
  if (value instanceof DuckDBTimestampSecondsValue) return timestampText(value.seconds, 0);
  if (value instanceof DuckDBTimestampMillisecondsValue) return timestampText(value.millis, 3);
  if (value instanceof DuckDBTimestampNanosecondsValue) return timestampText(value.nanos, 9);
  if (value instanceof DuckDBBlobValue || value instanceof DuckDBGeometryValue)
    return Buffer.from(value.bytes).toString('base64');
  if (value instanceof DuckDBUnionValue || value instanceof DuckDBVariantValue) return textOf(queryValue(value.value));
  return String(value);
}

/** The JSON type of a column must not depend on its values, so a value of a column of mixed types is always text. */
function textOf(value: QueryValue): string | null {
  return value === null || typeof value === 'string' ? value : jsonOf(value);
}
