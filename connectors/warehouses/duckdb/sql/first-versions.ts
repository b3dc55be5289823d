import { FIRST_VERSION_SUFFIX, FIRST_VERSION_TIME, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { text } from './types.ts';

/*
 * Before format 4, a first version without `updated_at` was ordered by its time of receipt. These statements give such rows and
 * landed batches the version that `versionTime` of `@aorta/schemas` computes.
 */

/**
 * Value of `_loaded_at` that marks a rewritten row until one of its records has been merged again. No other row has this value,
 * because nothing was loaded in 1970.
 */
const NOT_CONFIRMED = 'make_timestamptz(0)';

const firstVersionTime = `make_timestamptz(${FIRST_VERSION_TIME})`;

/** Condition for first versions without `updated_at`. Some tables have no such column. */
function isFirstVersion(table: TableDeclaration): string {
  const untimed = table.columns.some(({ name }) => name === 'updated_at') ? ['updated_at is null'] : [];
  return [...untimed, `ends_with(event_type, ${text(FIRST_VERSION_SUFFIX)})`].join(' and ');
}

/** Query that returns whether the table has first versions without `updated_at`. If not, no row needs the upgrade. */
export const holdsFirstVersions = (table: TableDeclaration): string =>
  `select exists (from ${table.name} where ${isFirstVersion(table)})`;

export const rewriteRows = (table: TableDeclaration): string =>
  `update ${table.name} set _version_time = ${firstVersionTime}, _loaded_at = ${NOT_CONFIRMED} where ${isFirstVersion(table)}`;

/** Returns the expression that replaces the version column in the view of a landed batch. */
export function rewrittenBatch(table: TableDeclaration): string {
  const untimed = table.columns.some(({ name }) => name === 'updated_at') ? ['isnan(c_updated_at)'] : [];
  const condition = [...untimed, `ends_with(c_event_type, ${text(FIRST_VERSION_SUFFIX)})`].join(' and ');
  return `case when ${condition} then ${FIRST_VERSION_TIME}::double else _version_time end as _version_time`;
}

/** Deletes the landed positions of streams, so that the streams are landed again from the beginning. */
export const forgetPositions = (streams: readonly StreamName[]): string =>
  `delete from control.positions where stream in (${streams.map(text).join(', ')})`;

/** Condition that a row is not marked as rewritten. If two versions are equal, the unmarked row replaces the marked one. */
export const isConfirmed = (alias: string): string => `${alias}._loaded_at > ${NOT_CONFIRMED}`;

/** Counts the table's unconfirmed rows: an upgrade rewrote them, and their records have not been merged again. */
export const countNotConfirmed = (table: TableDeclaration): string =>
  `select count(*) from ${table.name} where _loaded_at = ${NOT_CONFIRMED}`;
