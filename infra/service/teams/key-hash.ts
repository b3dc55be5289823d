import { createHash, timingSafeEqual } from 'node:crypto';

/** The columns that hold a key of a team or of an organization. The key itself is not stored. */
export interface HashedKey {
  readonly lookup: string;
  readonly key_hash: string;
}

/** By this many characters of its hash, a key is found. The rest is compared in constant time. */
const LOOKUP_LENGTH = 16;

export function hashedKey(key: string): HashedKey {
  const key_hash = createHash('sha256').update(key).digest('hex');
  return { lookup: key_hash.slice(0, LOOKUP_LENGTH), key_hash };
}

/** Returns the row of a key. `find` returns the rows with a lookup. */
export function rowOfKey<Row extends HashedKey>(key: string, find: (lookup: string) => readonly Row[]): Row | undefined {
  const { lookup, key_hash } = hashedKey(key);
  return find(lookup).find((row) => timingSafeEqual(Buffer.from(row.key_hash), Buffer.from(key_hash)));
}
