import { type Dataset, tableName, text } from './types.ts';

/**
 * Format of the control tables. Raise it if older releases of Aorta can no longer use the warehouse safely. Datasets with a lower
 * format are refused: no released version has written them.
 */
export const FORMAT = 2;

/** Name of the entry in `aorta_meta` that holds the format. */
const FORMAT_FACT = 'format';

/** A row of `aorta_meta`. Two workers may write the same name concurrently. The smallest value counts. */
interface Fact {
  readonly name: string;
  readonly value: string;
}

export const KEY_FACT = 'suppression_key';
/** Name of the fact that is written when the suppression list contains the key. Its value is the key. */
const LISTED_FACT = 'suppression_key_listed';

/** Prefix of the row that holds the key in the suppression list. The key is in the list so that a merge names only one control table. */
export const KEY_PREFIX = 'key:';

export interface Facts {
  /** Undefined in a new warehouse. */
  readonly format: number | undefined;
  readonly key: string | undefined;
  readonly isKeyListed: boolean;
}

export function factsOf(rows: readonly (readonly unknown[])[]): Facts {
  const valuesOf = (name: string): string[] => rows.filter(([found]) => found === name).map(([, value]) => String(value));
  const format = valuesOf(FORMAT_FACT).map(Number);
  const [key] = valuesOf(KEY_FACT).sort();
  return {
    format: format.length === 0 ? undefined : Math.min(...format),
    key,
    isKeyListed: key !== undefined && valuesOf(LISTED_FACT).includes(key),
  };
}

/**
 * Returns the statements of a transaction that prepares a warehouse for merges; undefined if it is ready. `key` (at least 32
 * random bytes in hexadecimal) is used if the warehouse has no key. The statements only insert, so they are not billed.
 */
export function beginStatements(dataset: Dataset, facts: Facts, key: string): readonly string[] | undefined {
  if (!/^[0-9a-f]{64,}$/.test(key)) throw new Error('the key must have at least 64 hexadecimal digits');
  if (facts.format !== undefined && facts.isKeyListed) return undefined;
  const listed = facts.key ?? key;
  const added: Fact[] = [
    ...(facts.format === undefined ? [{ name: FORMAT_FACT, value: String(FORMAT) }] : []),
    ...(facts.key === undefined ? [{ name: KEY_FACT, value: key }] : []),
    { name: LISTED_FACT, value: listed },
  ];
  return [
    'BEGIN TRANSACTION',
    `INSERT INTO ${tableName(dataset, 'aorta_suppressed')} (user_hash, suppressed_at)
VALUES (${text(`${KEY_PREFIX}${listed}`)}, CURRENT_TIMESTAMP())`,
    `INSERT INTO ${tableName(dataset, 'aorta_meta')} (name, value)
VALUES ${added.map(({ name, value }) => `(${text(name)}, ${text(value)})`).join(',\n  ')}`,
    'COMMIT TRANSACTION',
  ];
}
