import { KEY_FACT, KEY_PREFIX } from './facts.ts';
import { column, type Dataset, tableName, text } from './types.ts';

/** The key as the suppression list itself has it: a merge then names one control table for it, and not two. */
const listedKey = (dataset: Dataset): string =>
  `(SELECT MIN(SUBSTR(user_hash, ${KEY_PREFIX.length + 1})) FROM ${tableName(dataset, 'aorta_suppressed')} WHERE STARTS_WITH(user_hash, ${text(KEY_PREFIX)}))`;

/** The key wherever it stands: a view may be made before a loader of this version has put it into the list. */
const anyKey = (dataset: Dataset): string =>
  `IFNULL(${listedKey(dataset)}, (SELECT MIN(value) FROM ${tableName(dataset, 'aorta_meta')} WHERE name = ${text(KEY_FACT)}))`;

const hashWith = (key: string, user: string): string => `TO_HEX(SHA256(CONCAT(${key}, ${user})))`;

/** The keyed hash of a user's id: what the suppression list holds. */
export const userHash = (dataset: Dataset, user: string): string => hashWith(listedKey(dataset), user);

/**
 * Condition of rows whose user was not erased. It stands in every merge, whether anybody was erased or not: a merge that
 * began before an erasure must not be told by what was known then.
 */
export function notSuppressed(dataset: Dataset, users: readonly string[], within: 'merge' | 'view' = 'merge'): string {
  const list = tableName(dataset, 'aorta_suppressed');
  const key = within === 'view' ? anyKey(dataset) : listedKey(dataset);
  // A row without a user is nobody's.
  return users
    .map((user) => `IFNULL(${hashWith(key, column(user))}, '') NOT IN (SELECT user_hash FROM ${list})`)
    .join('\n    AND ');
}
