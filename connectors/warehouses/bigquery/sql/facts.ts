import { type Dataset, tableName, text } from './types.ts';

/**
 * Format of what is kept beside the tables: raised where an older version could not safely go on with it. 2: a first
 * version without `updated_at` is older than every other one; an older program would let it win.
 */
export const FORMAT = 2;

/** Names of what `aorta_meta` says beside the suppression list's key. */
export const FACTS = {
  format: 'format',
  /** First versions without `updated_at` are in order; missing while an upgrade is not done. */
  firstVersions: 'first_versions',
  /** Every row that the upgrade has rewritten was confirmed by its record. */
  confirmed: 'first_versions_confirmed',
} as const;

const AGAIN = 'landed_again/';

/** Says that a stream is landed again from its beginning. */
export const landedAgainFact = (stream: string): string => `${AGAIN}${stream}`;

/** Writes a fact, unless there is one of that name, or of the name `unless`. */
export function factStatement(dataset: Dataset, name: string, value: string, unless: string = name): string {
  const facts = tableName(dataset, 'aorta_meta');
  return `INSERT INTO ${facts} (name, value)
SELECT ${text(name)}, ${text(value)} FROM UNNEST([1]) AS once
WHERE NOT EXISTS (SELECT 1 FROM ${facts} WHERE name = ${text(unless)})`;
}

/** Raises the format of a dataset. */
export const formatUpdate = (dataset: Dataset): string =>
  `UPDATE ${tableName(dataset, 'aorta_meta')} SET value = ${text(String(FORMAT))} WHERE name = ${text(FACTS.format)}`;

/** A fact of `aorta_meta`. Two workers may write one at once: the least value of a name counts. */
interface Fact {
  readonly name: string;
  readonly value: string;
}

export const KEY_FACT = 'suppression_key';
/** Which key stands in the suppression list, too. */
const LISTED_FACT = 'suppression_key_listed';

/** A row of the suppression list that holds its key: so merges name one table, and not two. */
export const KEY_PREFIX = 'key:';

/** What a warehouse says of itself. */
export interface Facts {
  /** Undefined where it was just made. */
  readonly format: number | undefined;
  readonly key: string | undefined;
  readonly isKeyListed: boolean;
  readonly isUpgraded: boolean;
  readonly isConfirmed: boolean;
  /** Streams that are landed again from their beginning. */
  readonly again: readonly string[];
}

/** Reads the rows of `aorta_meta`: names and values. */
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
 * Statements, one transaction, that make a warehouse ready for merges: undefined where it is. `key` is used where it has
 * none: 32 random bytes or more, in hexadecimal digits. They insert, and read nothing: so they are not billed.
 */
export function beginStatements(dataset: Dataset, facts: Facts, key: string): readonly string[] | undefined {
  if (!/^[0-9a-f]{64,}$/.test(key)) throw new Error('a key of hexadecimal digits');
  if (facts.format !== undefined && facts.isKeyListed) return undefined;
  const listed = facts.key ?? key;
  const added: Fact[] = [
    // A dataset that has no format yet is new, and has no row out of order.
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
