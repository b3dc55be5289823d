// Copies a file durably: node copy-file.js FROM TO. Blocks are shared where the file system can. A failure is told by its
// code, such as ENOSPC, on standard output.
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
