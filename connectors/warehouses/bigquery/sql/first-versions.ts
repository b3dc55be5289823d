import { FIRST_VERSION_SUFFIX, FIRST_VERSION_TIME, type TableDeclaration } from '@aorta/schemas';
import type { TableField } from '../tables/fields.ts';
import { fenceStatement } from './control.ts';
import { column, type Dataset, tableName, text } from './types.ts';

/*
 * Before format 2, a first version without `updated_at` was ordered by its time of receipt. These statements give such rows and
 * landed batches the version that `versionTime` of `@aorta/schemas` computes. It is safe to repeat each statement.
 */

/** Value of `_loaded_at` that marks a rewritten row until one of its records has been merged again. No real row was loaded in 1970. */
const NOT_CONFIRMED = 'TIMESTAMP_MICROS(0)';

const firstVersionTime = `TIMESTAMP_MICROS(${FIRST_VERSION_TIME})`;

/** Condition for first versions without `updated_at`. Some tables have no such column. */
function isFirstVersion(columns: readonly { readonly name: string }[]): string {
  const untimed = columns.some(({ name }) => name === 'updated_at') ? ['updated_at IS NULL'] : [];
  return [...untimed, `ENDS_WITH(event_type, ${text(FIRST_VERSION_SUFFIX)})`].join(' AND ');
}

const union = (selects: readonly string[]): string => selects.join('\nUNION ALL\n');

/**
 * Counts the first versions without `updated_at` in each table, and returns the count with the name of the table's stream. A
 * table with a count of 0 needs no upgrade.
 */
export function countFirstVersions(dataset: Dataset, tables: readonly TableDeclaration[]): string {
  return union(
    tables.map(
      ({ name, stream, columns }) =>
        `SELECT ${text(stream)} AS stream, COUNT(*) AS found FROM ${tableName(dataset, name)} WHERE ${isFirstVersion(columns)}`,
    ),
  );
}

export function rewriteBatch(dataset: Dataset, batch: string, fields: readonly TableField[]): string {
  return `UPDATE ${tableName(dataset, batch)}
SET _version_time = ${firstVersionTime}
WHERE _version_time > ${firstVersionTime} AND ${isFirstVersion(fields)}`;
}

/** Rewrites the versions in a table and marks these rows. Also updates the fence, because a merge may run at the same time. */
export function rewriteRows(dataset: Dataset, { name, columns }: TableDeclaration): string {
  const update = `UPDATE ${tableName(dataset, name)}
SET _version_time = ${firstVersionTime}, _loaded_at = ${NOT_CONFIRMED}
WHERE _version_time > ${firstVersionTime} AND ${isFirstVersion(columns)}`;
  return `${['BEGIN TRANSACTION', fenceStatement(dataset, name), update, 'COMMIT TRANSACTION'].join(';\n\n')};\n`;
}

/** Condition that row `t` was rewritten and row `s` has exactly the same version, so that merging `s` updates `t`. */
export function confirms(s: string, t: string, order: readonly string[]): string {
  const same = order.map((name) => `${s}.${column(name)} = ${t}.${column(name)}`);
  return [`${t}._loaded_at = ${NOT_CONFIRMED}`, ...same].join(' AND ');
}

/** Counts, for each table, the rewritten rows whose records have not been merged again. */
export function countNotConfirmed(dataset: Dataset, tables: readonly TableDeclaration[]): string {
  return union(
    tables.map(
      ({ name }) =>
        `SELECT ${text(name)} AS name, COUNT(*) AS found FROM ${tableName(dataset, name)} WHERE _loaded_at = ${NOT_CONFIRMED}`,
    ),
  );
}
