import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { FILE_MODE } from '@aorta/runtime';
import { type Database, StateError } from './database.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CHECK = 'secret check';

/**
 * Encrypts what nobody may read in the database, such as the secrets of webhooks (AES-256-GCM). Each text belongs to a place,
 * such as a column of a row, and cannot be opened at another one.
 */
export class Secrets {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Returns the encrypted text, in base64. Equal texts give different results. */
  seal(text: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Returns what {@link Secrets.seal} encrypted. Throws if the key or the place is another one, or the text was changed. */
  open(sealed: string, place: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  /** Returns a key for another purpose, from which nobody can compute this one. */
  keyFor(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', purpose, 32));
  }

  /** Notes the key in a new state. Throws a {@link StateError} if the state was encrypted with another key. */
  check(database: Database): void {
    const sealed = noted(database);
    if (sealed === undefined) {
      database.run('insert into secret_check values (?)', this.seal(CHECK, CHECK));
      return;
    }
    try {
      this.open(sealed, CHECK);
    } catch {
      throw new StateError(
        'The secret key is not the one with which the state was encrypted.',
        'Give the key of this state, or delete the state to create a new one.',
      );
    }
  }
}

const noted = (database: Database): string | undefined =>
  database.get<{ sealed: string }>('select sealed from secret_check')?.sealed;

/** Returns whether a state has been encrypted with some key. */
const isEncrypted = (database: Database): boolean => noted(database) !== undefined;

/** The command line takes the key from this variable. */
const VARIABLE = 'AORTA_SERVICE_SECRET_KEY';
const KEY_BYTES = 32;

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
  if (found === undefined) writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: FILE_MODE, flag: 'wx' });
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
