import { type Dataset, tableName, text } from './types.ts';

/**
 * Format of the control tables. Raise it if older releases of Aorta can no longer use the warehouse safely. In format 2, a
 * record's first version without `updated_at` is older than every other version. Older releases would replace newer data with it.
 */
export const FORMAT = 2;

/** Names of the entries in `aorta_meta`, except the suppression key. */
export const FACTS = {
  format: 'format',
  /** Written when all first versions without `updated_at` have been reordered before the other versions. */
  firstVersions: 'first_versions',
  /** Written when a record of every rewritten row has been merged again. */
  confirmed: 'first_versions_confirmed',
} as const;

const AGAIN = 'landed_again/';

/** Name of the fact which records that a stream is being landed again from its beginning. */
export const landedAgainFact = (stream: string): string => `${AGAIN}${stream}`;

/** Writes a fact unless there is already a fact named `unless`, which defaults to the same name. */
export function factStatement(dataset: Dataset, name: string, value: string, unless: string = name): string {
  const facts = tableName(dataset, 'aorta_meta');
  return `INSERT INTO ${facts} (name, value)
SELECT ${text(name)}, ${text(value)} FROM UNNEST([1]) AS once
WHERE NOT EXISTS (SELECT 1 FROM ${facts} WHERE name = ${text(unless)})`;
}

export const formatUpdate = (dataset: Dataset): string =>
  `UPDATE ${tableName(dataset, 'aorta_meta')} SET value = ${text(String(FORMAT))} WHERE name = ${text(FACTS.format)}`;

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
  readonly isUpgraded: boolean;
  readonly isConfirmed: boolean;
  /** Streams that are being landed again from their beginning. */
  readonly again: readonly string[];
}

export function factsOf(rows: readonly (readonly unknown[])[]): Facts {
  const valuesOf = (name: string): string[] => rows.filter(([found]) => found === name).map(([, value]) => String(value));
  const format = valuesOf(FACTS.format).map(Number);
  const [key] = valuesOf(KEY_FACT).sort();
  return {
    format: format.length === 0 ? undefined : Math.min(...format),
    key,
    isKeyListed: key !== undefined && valuesOf(LISTED_FACT).includes(key),
    isUpgraded: valuesOf(FACTS.firstVersions).length > 0,
    isConfirmed: valuesOf(FACTS.confirmed).length > 0,
    again: [...new Set(rows.map(([name]) => String(name)))].flatMap((name) =>
      name.startsWith(AGAIN) ? name.slice(AGAIN.length) : [],
    ),
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
    // A dataset without a recorded format is new, so no row needs the upgrade.
    ...(facts.format === undefined
      ? [
          { name: FACTS.format, value: String(FORMAT) },
          { name: FACTS.firstVersions, value: 'ordered' },
        ]
      : []),
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
