// Copies a file durably: node copy-file.js FROM TO. Shares blocks if possible. Prints the code of a failure, such as ENOSPC.
import { chmodSync, closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
try {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
} catch (error) {
  process.stdout.write(String(error.code));
  process.exitCode = 1;
}
