import { createInterface } from 'node:readline';
import { lockFolder } from '@aorta/runtime';
import { isAortaError } from '../../infra/runtime/errors/aorta-error.ts';

/**
 * Reads folder paths from standard input, one per line, and tries to lock each folder. Prints `won`, or the error's code and the
 * pid in the error. Keeps its locks until it ends.
 */
process.stdout.write('ready\n');
for await (const folder of createInterface({ input: process.stdin })) {
  try {
    await lockFolder(folder);
    process.stdout.write('won\n');
  } catch (error) {
    process.stdout.write(isAortaError(error) ? `${error.code} ${error.details.pid}\n` : 'another error\n');
  }
}
