import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import { StateError } from './state-error.ts';

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
export const isEncrypted = (database: Database): boolean => noted(database) !== undefined;
