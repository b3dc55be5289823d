import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Database } from './database.ts';
import { isEncrypted, Secrets } from './secrets.ts';
import { StateError } from './state-error.ts';

/** The command line takes the key from this variable. */
const VARIABLE = 'AORTA_SERVICE_SECRET_KEY';
const KEY_BYTES = 32;
/** Permissions of a file that only its owner can read. */
const OWNER_ONLY = 0o600;

/** Reads a key of 32 bytes in base64, such as `openssl rand -base64 32` prints. Throws a {@link StateError} for another text. */
function parseSecretKey(text: string, source: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new StateError(
      `${source} does not hold a key of ${KEY_BYTES} bytes in base64.`,
      '`openssl rand -base64 32` prints such a key.',
    );
  return key;
}

/**
 * Returns the key in a file. If there is no file, creates it with a random key, unless the state needs the key that is missing.
 * Throws a {@link StateError} if other users of the machine can read the file.
 */
function secretKeyOf(file: string, isNeeded: boolean): Buffer {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined && isNeeded)
    throw new StateError(
      `The secret key of the state is missing: there is no file ${file}.`,
      `Restore the file, or give the key in ${VARIABLE}. Without the key, delete the state to create a new one.`,
    );
  if (found === undefined)
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  else if ((found.mode & 0o077) !== 0)
    throw new StateError(`Other users can read the secret key in ${file}.`, `Run \`chmod 600 ${file}\`.`);
  return parseSecretKey(readFileSync(file, 'utf8'), file);
}

/**
 * Returns what encrypts secrets in a state: with a given key, with that of a file, or with a random one if the state is not kept.
 * Throws a {@link StateError} if the key is missing, or not that of the state.
 */
export function secretsOf(database: Database, file: string | undefined, given: string | undefined): Secrets {
  const key = () => (file === undefined ? randomBytes(KEY_BYTES) : secretKeyOf(file, isEncrypted(database)));
  const secrets = new Secrets(given === undefined ? key() : parseSecretKey(given, VARIABLE));
  secrets.check(database);
  return secrets;
}
