import { FIRST_VERSION_SUFFIX, FIRST_VERSION_TIME, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { text } from './types.ts';

/*
 * Until format 4 a first version without `updated_at` had its time of receipt as version. These statements give such rows
 * and landed batches the version of `versionTime` in `@aorta/schemas`.
 */

/** `_loaded_at` of a rewritten row until a record of it has been merged again: no row was loaded in 1970. */
const NOT_CONFIRMED = 'make_timestamptz(0)';

const firstVersionTime = `make_timestamptz(${FIRST_VERSION_TIME})`;

/** Condition of first versions without `updated_at`; some tables have no such column. */
function isFirstVersion(table: TableDeclaration): string {
  const untimed = table.columns.some(({ name }) => name === 'updated_at') ? ['updated_at is null'] : [];
  return [...untimed, `ends_with(event_type, ${text(FIRST_VERSION_SUFFIX)})`].join(' and ');
}

/** Whether the table holds first versions without `updated_at`. Where it holds none, no row of it can be wrong. */
export const holdsFirstVersions = (table: TableDeclaration): string =>
  `select exists (from ${table.name} where ${isFirstVersion(table)})`;

/** Rewrites the versions of a table, and marks the rows until they are confirmed. */
export const rewriteRows = (table: TableDeclaration): string =>
  `update ${table.name} set _version_time = ${firstVersionTime}, _loaded_at = ${NOT_CONFIRMED} where ${isFirstVersion(table)}`;

/** The versions of a landed batch, as its view replaces them. */
export function rewrittenBatch(table: TableDeclaration): string {
  const untimed = table.columns.some(({ name }) => name === 'updated_at') ? ['isnan(c_updated_at)'] : [];
  const condition = [...untimed, `ends_with(c_event_type, ${text(FIRST_VERSION_SUFFIX)})`].join(' and ');
  return `case when ${condition} then ${FIRST_VERSION_TIME}::double else _version_time end as _version_time`;
}

/** Forgets how far streams were landed, so that they are landed from their beginning. */
export const forgetPositions = (streams: readonly StreamName[]): string =>
  `delete from aorta.positions where stream in (${streams.map(text).join(', ')})`;

/** Whether a row is no rewritten one that waits for its record: the last thing that two versions are compared by. */
export const isConfirmed = (alias: string): string => `${alias}._loaded_at > ${NOT_CONFIRMED}`;

/** Counts the rewritten rows of a table that no record has confirmed. */
export const countNotConfirmed = (table: TableDeclaration): string =>
  `select count(*) from ${table.name} where _loaded_at = ${NOT_CONFIRMED}`;
