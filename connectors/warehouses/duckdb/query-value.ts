import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { QueryValue } from '../../warehouse.ts';

const SECOND = 1_000_000n;

function floorDivide(value: bigint, by: bigint): bigint {
  return value >= 0n ? value / by : -((-value + by - 1n) / by);
}

/** Formats an instant or a wall-clock time as ISO 8601. The fraction is left out if it is zero. */
function isoOf(micros: bigint, suffix: string): string {
  const seconds = floorDivide(micros, SECOND);
  const fraction = micros - seconds * SECOND;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  return `${whole}${fraction === 0n ? '' : `.${String(fraction).padStart(6, '0')}`}${suffix}`;
}

/**
 * Converts a DuckDB value for JSON output. Instants become RFC 3339 strings in UTC, 64-bit integers become bigints, and values of
 * unsupported types become text.
 */
export function queryValue(value: DuckDBValue): QueryValue {
  if (value === null || typeof value !== 'object') {
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  }
  if (value instanceof DuckDBTimestampTZValue) return isoOf(value.micros, 'Z');
  if (value instanceof DuckDBTimestampValue) return isoOf(value.micros, '');
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(queryValue);
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, queryValue(entry)]));
  }
  if (value instanceof DuckDBMapValue)
    return value.entries.map(({ key, value: entry }) => ({ key: queryValue(key), value: queryValue(entry) }));
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  return String(value);
}
