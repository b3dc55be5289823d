import { resourcesKeyedByType, type TableDeclaration } from '@aorta/schemas';
import type { TableField } from '../tables/fields.ts';
import { column, type Dataset, dayOf, sqlType, tableName, text } from './types.ts';

/** The source of landed rows: one landing table, or several through a wildcard. */
export interface LandedRelation {
  readonly table: string;
  /** The actual columns. A batch written by another version of Aorta may have fewer or more columns. */
  readonly fields: readonly TableField[];
}

/** Columns that the merge computes. */
export const computed = new Set(['_day', 'local_date', '_loaded_at']);

export const samplesOf = (fields: readonly TableField[]): readonly TableField[] =>
  fields.find(({ name }) => name === '_samples')?.fields ?? [];

/**
 * Returns the columns of a landing table that a merge may read. Leaves out columns whose privacy class was switched off after the
 * batch was landed.
 */
export function landedFields(fields: readonly TableField[], { withheld = [] }: TableDeclaration): readonly TableField[] {
  if (withheld.length === 0) return fields;
  const names = new Set(withheld);
  const among = (some: readonly TableField[], prefix: string): TableField[] =>
    some.flatMap((field): TableField[] => {
      if (names.has(`${prefix}${field.name}`)) return [];
      if (field.fields === undefined) return [field];
      // Samples are landed as a list, but their fields are columns of the table.
      return [{ ...field, fields: among(field.fields, field.name === '_samples' ? '' : `${field.name}[].`) }];
    });
  return among(fields, '');
}

export const indent = (lines: readonly string[], by: string): string => lines.join(`,\n${by}`);

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

/** Expression for a column of the landing table, whose alias is `l`. */
function landedColumn(table: TableDeclaration, field: TableField, batch: LandedRelation): string {
  const landed = batch.fields.find(({ name }) => name === field.name);
  const declared = table.columns.find(({ name }) => name === field.name);
  return landed === undefined ? absent(field, declared?.default) : fromLanded(field, landed, `l.${column(field.name)}`);
}

/** Query that returns landed rows with the columns of their summary or event table. */
export function landedRows(
  dataset: Dataset,
  target: TableDeclaration,
  fields: readonly TableField[],
  batch: LandedRelation,
): string {
  const expressions = fields
    .filter(({ name }) => !computed.has(name))
    .map((field) => `${landedColumn(target, field, batch)} AS ${column(field.name)}`);
  return `    SELECT ${indent(expressions, '      ')}\n    FROM ${tableName(dataset, batch.table)} AS l`;
}

const keyedByType = resourcesKeyedByType.map(text);

/** Columns that are part of a sample's key only for some resources. For other resources, the key contains `''` instead. */
export const partialKeys: Readonly<Record<string, (row: string) => string>> = {
  sample_type: (row) => `IF(${row}resource IN (${keyedByType.join(', ')}), ${row}sample_type, '')`,
  source_workout_id: (row) => `IF(STARTS_WITH(${row}resource, 'workout_'), ${row}source_workout_id, '')`,
};

export const sampleKey = (name: string, row: string): string => partialKeys[name]?.(row) ?? `${row}${column(name)}`;

/**
 * Query that returns landed samples with the columns of a timeseries table. It also returns `_day`, and the index of each sample
 * in its event as `_place`.
 */
export function landedSamples(
  dataset: Dataset,
  target: TableDeclaration,
  fields: readonly TableField[],
  batch: LandedRelation,
): string {
  const samples = new Map(samplesOf(batch.fields).map((field) => [field.name, field]));
  const expressions = fields
    .filter(({ name }) => !computed.has(name))
    .map((field) => {
      const sample = samples.get(field.name);
      const value =
        sample === undefined ? landedColumn(target, field, batch) : fromLanded(field, sample, `s.${column(field.name)}`);
      // Key columns are never null, so a missing sample type becomes an empty string.
      return `${field.name in partialKeys ? `IFNULL(${value}, '')` : value} AS ${column(field.name)}`;
    });
  return `    SELECT ${indent([...expressions, `${dayOf('s.start_at')} AS _day`, 'place AS _place'], '      ')}
    FROM ${tableName(dataset, batch.table)} AS l, UNNEST(l._samples) AS s WITH OFFSET AS place`;
}

/** Date of a sample in the user's time zone; NULL if it is out of range. */
export const localDate = `IF(time_basis = 'floating', DATE(start_at),
      DATE(SAFE.TIMESTAMP_ADD(start_at, INTERVAL timezone_offset_s SECOND)))`;
