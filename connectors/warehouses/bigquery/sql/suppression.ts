import { KEY_FACT, KEY_PREFIX } from './facts.ts';
import { column, type Dataset, tableName, text } from './types.ts';

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

export const userHash = (dataset: Dataset, user: string): string => hashWith(listedKey(dataset), user);

/** Returns a condition that excludes erased users. Every merge includes it, because an erasure may start during the merge. */
export function notSuppressed(dataset: Dataset, users: readonly string[], within: 'merge' | 'view' = 'merge'): string {
  const list = tableName(dataset, 'aorta_suppressed');
  const key = within === 'view' ? anyKey(dataset) : listedKey(dataset);
  // Rows without a user are never suppressed.
  return users
    .map((user) => `IFNULL(${hashWith(key, column(user))}, '') NOT IN (SELECT user_hash FROM ${list})`)
    .join('\n    AND ');
}
