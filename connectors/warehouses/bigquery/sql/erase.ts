import type { StreamName, TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../../erasure.ts';
import type { TableField } from '../tables/fields.ts';
import { fenceStatement } from './control.ts';
import { userHash } from './suppression.ts';
import { column, type Dataset, tableName } from './types.ts';

/**
 * The user whom statements of an erasure name: a named parameter of type STRING. The id is in no statement's text, which
 * the service keeps in the history of jobs.
 */
export const USER_PARAMETER = 'user';
const user = `@${USER_PARAMETER}`;

/** A step of an erasure; in their order, and each to its end before the next. */
export interface EraseStep {
  /** Table whose rows it deletes; undefined of the list that keeps the user away. */
  readonly table: string | undefined;
  /** With the parameter {@link USER_PARAMETER}. May be sent again. */
  readonly sql: string;
}

/** A landing table that may hold the user. */
export interface LandedForErasure {
  readonly table: string;
  readonly stream: StreamName;
  readonly fields: readonly TableField[];
}

/** Rows of a user, and those whose data object repeats the user's id. */
const ofUser = (names: readonly string[]): string => names.map((name) => `${column(name)} = ${user}`).join(' OR ');

/** Puts the user's keyed hash on the list that every merge checks. First of all: what merges from then on leaves the user out. */
export function suppressStatement(dataset: Dataset): string {
  const hash = userHash(dataset, user);
  const list = tableName(dataset, 'aorta_suppressed');
  return `INSERT INTO ${list} (user_hash, suppressed_at)
SELECT ${hash}, CURRENT_TIMESTAMP() FROM UNNEST([1]) AS once
WHERE ${hash} NOT IN (SELECT user_hash FROM ${list})`;
}

/** Deletes the user's rows of a table, in a transaction with its fence: a merge that overlaps aborts, and begins again with the list. */
function deleteStep(dataset: Dataset, table: TableDeclaration): EraseStep {
  const script = [
    'BEGIN TRANSACTION',
    fenceStatement(dataset, table.name),
    `DELETE FROM ${tableName(dataset, table.name)}\nWHERE ${ofUser(userColumns(table))}`,
    'COMMIT TRANSACTION',
  ];
  return { table: table.name, sql: `${script.join(';\n\n')};\n` };
}

/** Deletes the user's rows of a landed batch. Its number of rows is checked when it is landed, and not after. */
function landedStep(dataset: Dataset, { table, fields }: LandedForErasure): EraseStep {
  const names = ['d_user_id', 'user_id', 'data_user_id'].filter((name) => fields.some((field) => field.name === name));
  return { table, sql: `DELETE FROM ${tableName(dataset, table)}\nWHERE ${ofUser(names)}` };
}

/**
 * Erases a user: onto the suppression list, then out of the landed batches, then out of every table. The service keeps
 * deleted rows for as long as the dataset's time travel says (two to seven days), and seven days more for emergencies.
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

/** Counts the user's rows of a table or a landing table, which are about to be deleted: the service need not say how many were. */
export function countStatement(dataset: Dataset, table: string, fields: readonly TableField[]): string {
  const names = ['d_user_id', 'user_id', 'data_user_id'].filter((name) => fields.some((field) => field.name === name));
  return `SELECT COUNT(*) AS found FROM ${tableName(dataset, table)} WHERE ${ofUser(names)}`;
}
