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
import { Decimal, jsonOf, type QueryValue } from '../query-values.ts';

const DAYS_IN_400_YEARS = 146_097;
const SECOND = 1_000_000n;

/** Microseconds since 1970 at the start of the years 1 and 10000. RFC 3339 has no times outside of these years. */
const RFC_3339_START = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 1000n;

const RFC_3339_END = BigInt(Date.parse('+010000-01-01T00:00:00Z')) * 1000n;

/** DuckDB stores infinite dates and timestamps as the greatest number of their type, and as its negative. */
const INFINITE_DAYS = 2 ** 31 - 1;

const INFINITE = 2n ** 63n - 1n;

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

function floorDivide(value: bigint, by: bigint): bigint {
  return value >= 0n ? value / by : -((-value + by - 1n) / by);
}

/**
 * Formats an instant or a wall-clock time as ISO 8601. Times that RFC 3339 cannot express are formatted as DuckDB formats
 * them.
 */
function isoText(micros: bigint, zone: 'Z' | ''): string {
  if (micros < RFC_3339_START || micros >= RFC_3339_END)
    return `${timestampText(micros, 6)}${zone === '' || isInfinite(micros) ? '' : '+00'}`;
  const seconds = floorDivide(micros, SECOND);
  const fraction = micros - seconds * SECOND;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  return `${whole}${fraction === 0n ? '' : `.${String(fraction).padStart(6, '0')}`}${zone}`;
}

/** Formats days since 1970 as DuckDB does, for example `0044-03-15 (BC)`, `10000-01-01` or `infinity`. */
function dateText(days: number): string {
  if (Math.abs(days) === INFINITE_DAYS) return days > 0 ? 'infinity' : '-infinity';
  // The calendar repeats after 400 years. A JavaScript date covers fewer years than a DuckDB date.
  const periods = Math.floor(days / DAYS_IN_400_YEARS);
  const date = new Date((days - periods * DAYS_IN_400_YEARS) * 86_400_000);
  const year = date.getUTCFullYear() + periods * 400;
  const shown = String(year > 0 ? year : 1 - year).padStart(4, '0');
  return `${shown}${date.toISOString().slice(4, 10)}${year > 0 ? '' : ' (BC)'}`;
}

/** Formats a timestamp as DuckDB does. `count` is in seconds since 1970, shifted by `digits` decimal digits. */
function timestampText(count: bigint, digits: 0 | 3 | 6 | 9): string {
  if (isInfinite(count)) return count > 0n ? 'infinity' : '-infinity';
  const second = 10n ** BigInt(digits);
  const seconds = floorDivide(count, second);
  const days = floorDivide(seconds, 86_400n);
  const time = new Date(Number(seconds - days * 86_400n) * 1000).toISOString().slice(11, 19);
  const fraction = String(count - seconds * second)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return `${dateText(Number(days))} ${time}${fraction === '' ? '' : `.${fraction}`}`;
}

function isInfinite(count: bigint): boolean {
  return count === INFINITE || count === -INFINITE;
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

/** The JSON type of a column must not depend on its values, so values in a column of mixed types are always text. */
function textOf(value: QueryValue): string | null {
  return value === null || typeof value === 'string' ? value : jsonOf(value);
}
