import { randomBytes } from 'node:crypto';

/** Number of bytes at the start of a DuckDB file that {@link renewIdentifier} reads and changes. */
export const IDENTIFIED = 136;

const FACTOR = 0xbf58476d1ce4e5b9n;
const product = (word: bigint): bigint => BigInt.asUintN(64, word * FACTOR);

/**
 * Gives a copied file an identifier of its own. DuckDB stores the identifier of a database in the write-ahead log, and refuses a log
 * of another database. Without this, a log that a program left beside an earlier file could be replayed into this one.
 *
 * The main header is a block of 4 KiB. Its first 8 bytes are the checksum, which is the XOR of the products of all words with
 * {@link FACTOR}. The identifier has the bytes 124 to 139, so the word at 128 lies within it.
 */
export function renewIdentifier(header: Buffer): void {
  const before = header.readBigUInt64LE(128);
  const after = randomBytes(8).readBigUInt64LE();
  header.writeBigUInt64LE(after, 128);
  header.writeBigUInt64LE(header.readBigUInt64LE(0) ^ product(before) ^ product(after), 0);
}
