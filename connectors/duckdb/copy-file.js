// Copies a DuckDB file durably: node copy-file.js FROM TO MODE GROUP. MODE is decimal; a GROUP of -1 changes nothing. Shares
// blocks if possible. Prints the CRC-32 of the copy, or the code of a failure, such as ENOSPC.
import { randomBytes } from 'node:crypto';
import { closeSync, constants, copyFileSync, fchmodSync, fchownSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * Gives the copy an identifier of its own. DuckDB stores the identifier of a database in the write-ahead log, and refuses a log of
 * another database. Without this, a log that a program left beside an earlier copy could be replayed into this one.
 *
 * The main header is a block of 4 KiB. Its first 8 bytes are the checksum, which is the XOR of the products of all words with
 * {@link FACTOR}. The identifier has the bytes 124 to 139, so the word at 128 lies within it.
 */
function renewIdentifier(file) {
  const header = Buffer.alloc(136);
  readSync(file, header, 0, header.length, 0);
  const before = header.readBigUInt64LE(128);
  const after = randomBytes(8).readBigUInt64LE();
  header.writeBigUInt64LE(after, 128);
  header.writeBigUInt64LE(header.readBigUInt64LE(0) ^ product(before) ^ product(after), 0);
  writeSync(file, header, 0, header.length, 0);
}

const FACTOR = 0xbf58476d1ce4e5b9n;
const product = (word) => BigInt.asUintN(64, word * FACTOR);

function checksum(file) {
  const part = Buffer.allocUnsafe(1 << 20);
  let sum = 0;
  for (let at = 0; ; ) {
    const length = readSync(file, part, 0, part.length, at);
    if (length === 0) return sum;
    sum = crc32(part.subarray(0, length), sum);
    at += length;
  }
}

const [from, to, mode, group] = process.argv.slice(2);
try {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  renewIdentifier(file);
  fchownSync(file, -1, Number(group));
  fchmodSync(file, Number(mode));
  fsyncSync(file);
  process.stdout.write(String(checksum(file)));
  closeSync(file);
} catch (error) {
  process.stdout.write(String(error.code));
  process.exitCode = 1;
}
