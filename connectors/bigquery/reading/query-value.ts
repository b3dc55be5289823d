import { Decimal, type QueryValue } from '../../query-values.ts';
import type { TableField } from '../tables/fields.ts';

const SECOND = 1_000_000n;

/** Formats microseconds since 1970 as RFC 3339 in UTC. The fraction is left out if it is zero. */
function isoOf(micros: bigint): string {
  const seconds = micros >= 0n ? micros / SECOND : -((-micros + SECOND - 1n) / SECOND);
  const fraction = micros - seconds * SECOND;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  return `${whole}${fraction === 0n ? '' : `.${String(fraction).padStart(6, '0')}`}Z`;
}

/** Parses a timestamp from BigQuery into microseconds. It may be a whole number of microseconds, seconds with a fraction, or RFC 3339. */
function microsOf(text: string): bigint {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  if (/^-?[\d.]+(?:[eE][+-]?\d+)?$/.test(text)) return BigInt(Math.round(Number(text) * 1e6));
  const [, whole, fraction = ''] = /^(.*?)(?:\.(\d+))?(?:Z| UTC|\+00(?::?00)?)?$/.exec(text)!;
  return BigInt(Date.parse(`${whole!.replace(' ', 'T')}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6) || '0');
}

export const millisecondsOf = (text: string): number => Number(microsOf(text) / 1000n);

/** Converts a value of the REST API for JSON output: instants as RFC 3339, 64-bit integers as bigint, NUMERIC and BIGNUMERIC as decimals. */
export function queryValue(field: TableField, value: unknown): QueryValue {
  if (value === null || value === undefined) return null;
  if (field.mode === 'REPEATED')
    return (value as readonly { readonly v: unknown }[]).map(({ v }) => queryValue({ ...field, mode: 'NULLABLE' }, v));
  switch (field.type) {
    case 'RECORD':
    case 'STRUCT': {
      const { f } = value as { readonly f: readonly { readonly v: unknown }[] };
      return Object.fromEntries((field.fields ?? []).map((one, index) => [one.name, queryValue(one, f[index]?.v)]));
    }
    case 'INTEGER':
    case 'INT64':
      return BigInt(String(value));
    case 'FLOAT':
    case 'FLOAT64': {
      const number = Number(value);
      return Number.isFinite(number) ? number : String(value);
    }
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return new Decimal(String(value));
    case 'BOOLEAN':
    case 'BOOL':
      return String(value) === 'true';
    case 'TIMESTAMP':
      return isoOf(microsOf(String(value)));
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}
