import type { StreamName, TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../warehouse.ts';
import type { TableField } from '../tables/fields.ts';
import { fenceStatement } from './control.ts';
import { KEY_FACT, KEY_PREFIX } from './facts.ts';
import { column, type Dataset, tableName, text } from './types.ts';

/** STRING parameter for the user's id. The id must not be part of a statement, because BigQuery keeps statements in the job history. */
export const USER_PARAMETER = 'user';
const user = `@${USER_PARAMETER}`;

/** One step of an erasure. Steps run in order, and each ends before the next begins. */
export interface EraseStep {
  /** Table whose rows the step deletes; undefined for the step that updates the suppression list. */
  readonly table: string | undefined;
  /** Uses the parameter {@link USER_PARAMETER}. Safe to repeat. */
  readonly sql: string;
}

export interface LandedForErasure {
  readonly table: string;
  readonly stream: StreamName;
  readonly fields: readonly TableField[];
}

/** Condition for rows of the user, including those that repeat the user's id in the data object. */
const ofUser = (names: readonly string[]): string => names.map((name) => `${column(name)} = ${user}`).join(' OR ');

/** Reads the hash key from the suppression list itself, so that a merge uses one control table instead of two. */
const listedKey = (dataset: Dataset): string =>
  `(SELECT MIN(SUBSTR(user_hash, ${KEY_PREFIX.length + 1})) FROM ${tableName(dataset, 'aorta_suppressed')} WHERE STARTS_WITH(user_hash, ${text(KEY_PREFIX)}))`;

/**
 * Reads the hash key from the suppression list or, if the list does not contain it yet, from `aorta_meta`. A view may be
 * created before a worker that runs this version has added the key to the list.
 */
const anyKey = (dataset: Dataset): string =>
  `IFNULL(${listedKey(dataset)}, (SELECT MIN(value) FROM ${tableName(dataset, 'aorta_meta')} WHERE name = ${text(KEY_FACT)}))`;

const hashWith = (key: string, user: string): string => `TO_HEX(SHA256(CONCAT(${key}, ${user})))`;

const userHash = (dataset: Dataset, user: string): string => hashWith(listedKey(dataset), user);

/** Returns a condition that excludes erased users. Every merge includes it, because an erasure may start during the merge. */
export function notSuppressed(dataset: Dataset, users: readonly string[], within: 'merge' | 'view' = 'merge'): string {
  const list = tableName(dataset, 'aorta_suppressed');
  const key = within === 'view' ? anyKey(dataset) : listedKey(dataset);
  // Rows without a user are never suppressed.
  return users
    .map((user) => `IFNULL(${hashWith(key, column(user))}, '') NOT IN (SELECT user_hash FROM ${list})`)
    .join('\n    AND ');
}

/** Adds the user's keyed hash to the suppression list. This step comes first, so that all later merges skip the user's rows. */
export function suppressStatement(dataset: Dataset): string {
  const hash = userHash(dataset, user);
  const list = tableName(dataset, 'aorta_suppressed');
  return `INSERT INTO ${list} (user_hash, suppressed_at)
SELECT ${hash}, CURRENT_TIMESTAMP() FROM UNNEST([1]) AS once
WHERE ${hash} NOT IN (SELECT user_hash FROM ${list})`;
}

/** Deletes the user's rows from a table and updates its fence. An overlapping merge aborts and retries with the new suppression list. */
function deleteStep(dataset: Dataset, table: TableDeclaration): EraseStep {
  const script = [
    'BEGIN TRANSACTION',
    fenceStatement(dataset, table.name),
    `DELETE FROM ${tableName(dataset, table.name)}\nWHERE ${ofUser(userColumns(table))}`,
    'COMMIT TRANSACTION',
  ];
  return { table: table.name, sql: `${script.join(';\n\n')};\n` };
}

/**
 * Deletes the user's rows from a landed batch. The batch does not count as incomplete afterwards, because its row count is
 * checked only while it is being landed.
 */
function landedStep(dataset: Dataset, { table, fields }: LandedForErasure): EraseStep {
  const names = ['d_user_id', 'user_id', 'data_user_id'].filter((name) => fields.some((field) => field.name === name));
  return { table, sql: `DELETE FROM ${tableName(dataset, table)}\nWHERE ${ofUser(names)}` };
}

/**
 * Returns the steps of an erasure: the suppression list first, then the landed batches, then every table. BigQuery keeps deleted
 * rows during the dataset's time travel window (two to seven days) and for seven more days in its fail-safe storage.
 */
export function eraseSteps(
  dataset: Dataset,
  tables: readonly TableDeclaration[],
  landed: readonly LandedForErasure[],
): EraseStep[] {
  return [
    { table: undefined, sql: suppressStatement(dataset) },
    ...landed.map((batch) => landedStep(dataset, batch)),
    ...tables.map((table) => deleteStep(dataset, table)),
  ];
}

/** Counts the user's rows in a table before they are deleted, because BigQuery may not report how many it deleted. */
export function countStatement(dataset: Dataset, table: string, fields: readonly TableField[]): string {
  const names = ['d_user_id', 'user_id', 'data_user_id'].filter((name) => fields.some((field) => field.name === name));
  return `SELECT COUNT(*) AS found FROM ${tableName(dataset, table)} WHERE ${ofUser(names)}`;
}
