// Copies a DuckDB file durably: node copy-file.ts FROM TO MODE GROUP. MODE is decimal; a GROUP of -1 changes nothing. Shares
// blocks if possible. Waits for a byte on standard input before it begins, and does nothing if standard input ends without one.
// Prints the CRC-32 of the copy, or the code of a failure, such as ENOSPC.
import { closeSync, constants, copyFileSync, fchmodSync, fchownSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { IDENTIFIED, renewIdentifier } from './database-identifier.ts';

function identify(file: number): void {
  const header = Buffer.alloc(IDENTIFIED);
  readSync(file, header, 0, header.length, 0);
  renewIdentifier(header);
  writeSync(file, header, 0, header.length, 0);
}

function checksum(file: number): number {
  const part = Buffer.allocUnsafe(1 << 20);
  let sum = 0;
  for (let at = 0; ; ) {
    const length = readSync(file, part, 0, part.length, at);
    if (length === 0) return sum;
    sum = crc32(part.subarray(0, length), sum);
    at += length;
  }
}

function copy([from, to, mode, group]: readonly string[]): void {
  copyFileSync(from!, to!, constants.COPYFILE_FICLONE);
  const file = openSync(to!, 'r+');
  identify(file);
  fchownSync(file, -1, Number(group));
  fchmodSync(file, Number(mode));
  fsyncSync(file);
  process.stdout.write(String(checksum(file)));
  closeSync(file);
}

try {
  if (readSync(0, Buffer.alloc(1)) === 1) copy(process.argv.slice(2));
} catch (error) {
  process.stdout.write(String((error as NodeJS.ErrnoException).code));
  process.exitCode = 1;
}
