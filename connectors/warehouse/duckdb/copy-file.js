// Copies a file durably: node copy-file.js FROM TO. Blocks are shared where the file system can.
import { chmodSync, closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
copyFileSync(from, to, constants.COPYFILE_FICLONE);
chmodSync(to, 0o600);
const file = openSync(to, 'r+');
fsyncSync(file);
closeSync(file);
