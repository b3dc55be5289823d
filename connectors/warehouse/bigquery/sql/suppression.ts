import { meta } from './control.ts';
import { column, type Dataset, tableName } from './types.ts';

/** The keyed hash of a user's id: what the suppression list holds. */
export function userHash(dataset: Dataset, user: string): string {
  return `TO_HEX(SHA256(CONCAT(${meta(dataset, 'suppression_key')}, ${user})))`;
}

/**
 * Condition of rows whose user was not erased. It stands in every merge, whether anybody was erased or not: a merge that
 * began before an erasure must not be told by what was known then.
 */
export function notSuppressed(dataset: Dataset, users: readonly string[]): string {
  const list = tableName(dataset, 'aorta_suppressed');
  // A row without a user is nobody's.
  return users
    .map((user) => `IFNULL(${userHash(dataset, column(user))}, '') NOT IN (SELECT user_hash FROM ${list})`)
    .join('\n    AND ');
}
