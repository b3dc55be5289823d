import { resourcesKeyedByType, type TableDeclaration } from '@aorta/schemas';
import type { TableField } from '../tables/fields.ts';
import { absent, fromLanded } from './landed-values.ts';
import { column, type Dataset, dayOf, tableName, text } from './types.ts';

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
