// Copies a DuckDB file durably, each time a line arrives on standard input: node copy-file.ts FROM TO MODE GROUP. MODE is decimal; a
// GROUP of -1 changes nothing. Shares blocks if possible. Prints a line for each copy: its CRC-32 and the milliseconds of processor
// time, or the code of a failure, such as ENOSPC. Ends with standard input.
import { closeSync, constants, copyFileSync, fchmodSync, fchownSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
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

/** Returns the CRC-32 of the copy. */
function copy([from, to, mode, group]: readonly string[]): number {
  copyFileSync(from!, to!, constants.COPYFILE_FICLONE);
  const file = openSync(to!, 'r+');
  try {
    identify(file);
    fchownSync(file, -1, Number(group));
    fchmodSync(file, Number(mode));
    fsyncSync(file);
    return checksum(file);
  } finally {
    closeSync(file);
  }
}

// Ctrl-C and a service manager signal all processes of a run. The writer publishes again before it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

for await (const _ of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage();
  try {
    const sum = copy(process.argv.slice(2));
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(`${sum} ${(user + system) / 1000}\n`);
  } catch (error) {
    process.stdout.write(`${(error as NodeJS.ErrnoException).code}\n`);
  }
}
