import type { TableField } from '../tables/fields.ts';
import { column, sqlType, text } from './types.ts';

/**
 * Returns an expression that parses landed JSON text. It rounds numbers that BigQuery's JSON cannot hold exactly. Text that
 * BigQuery cannot parse (nested deeper than 500 levels) is kept as a JSON string, so that no data is lost.
 */
function jsonFrom(value: string): string {
  return `IF(${value} IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(${value}, wide_number_mode => 'round'), TO_JSON(${value})))`;
}

/** Returns an expression for a field that is missing from the batch: its default, null or an empty list. */
export function absent(field: TableField, fallback?: unknown): string {
  if (field.mode === 'REPEATED') return `CAST([] AS ${sqlType(field)})`;
  if (fallback === undefined || fallback === null) return `CAST(NULL AS ${sqlType(field)})`;
  if (typeof fallback === 'string' && field.type === 'STRING') return text(fallback);
  if (typeof fallback === 'number' || typeof fallback === 'boolean') return String(fallback).toUpperCase();
  throw new Error(`${field.name}: defaults of this type are not supported`);
}

function valueFrom(field: TableField, landed: TableField, value: string): string {
  if (field.type === 'RECORD') {
    const known = new Map((landed.fields ?? []).map((one) => [one.name, one]));
    const members = (field.fields ?? []).map((one) => {
      const there = known.get(one.name);
      return `${there === undefined ? absent(one) : fromLanded(one, there, `${value}.${column(one.name)}`)} AS ${column(one.name)}`;
    });
    return `STRUCT(${members.join(', ')})`;
  }
  return field.type === 'JSON' && landed.type !== 'JSON' ? jsonFrom(value) : value;
}

const sameNames = (a: readonly TableField[] = [], b: readonly TableField[] = []): boolean =>
  a.length === b.length && a.every((one, index) => one.name === b[index]!.name);

/** Whether the landed value needs no conversion. */
function asItIs(field: TableField, landed: TableField): boolean {
  if (field.type === 'RECORD')
    return sameNames(field.fields, landed.fields) && field.fields!.every((one, index) => asItIs(one, landed.fields![index]!));
  return field.type !== 'JSON' || landed.type === 'JSON';
}

/** Expression that converts a landed field to the type of the table's field. */
export function fromLanded(field: TableField, landed: TableField, value: string): string {
  if (asItIs(field, landed)) return value;
  if (field.mode !== 'REPEATED') return valueFrom(field, landed, value);
  const element = valueFrom(field, landed, 'element');
  return `ARRAY(SELECT ${element} FROM UNNEST(${value}) AS element WITH OFFSET AS place ORDER BY place)`;
}
