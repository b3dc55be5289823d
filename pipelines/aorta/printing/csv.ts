import { Decimal, jsonOf, type QueryValue } from '@aorta/connectors';

/**
 * Formats one line according to RFC 4180. NULL becomes an empty field, an empty string becomes a quoted field, and lists
 * and objects become JSON.
 */
export function csvLine(values: readonly QueryValue[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

function field(value: QueryValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value === '' || /[",\r\n]|^\s|\s$/.test(value) ? quoted(value) : value;
  if (typeof value === 'object' && !(value instanceof Decimal)) return quoted(jsonOf(value));
  return String(value);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
