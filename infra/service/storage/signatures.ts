import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from './database.ts';
import type { Draws } from './draws.ts';
import type { Secrets } from './secrets.ts';

const SECRET_BYTES = 32;

interface Parts {
  readonly database: Database;
  readonly draws: Draws;
  readonly secrets: Secrets;
}

/** Signs texts that clients give back, so that they can neither change them nor make their own. */
export class Signatures {
  readonly #database: Database;
  readonly #draws: Draws;
  readonly #secrets: Secrets;

  constructor({ database, draws, secrets }: Parts) {
    this.#database = database;
    this.#draws = draws;
    this.#secrets = secrets;
  }

  /** Returns the signature of a text. Each purpose has its own secret, so a signature for one purpose is wrong for another. */
  of(purpose: string, text: string): string {
    return createHmac('sha256', this.#secretOf(purpose)).update(text).digest('base64url');
  }

  /** Returns whether a signature is the one that {@link Signatures.of} returns. */
  isRight(purpose: string, text: string, signature: string): boolean {
    const [given, right] = [Buffer.from(signature), Buffer.from(this.of(purpose, text))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  /** Draws the secret when it is first needed. It is read each time, because restoring a snapshot replaces it. */
  #secretOf(purpose: string): string {
    const place = `signing secret ${purpose}`;
    const known = this.#database.get<{ sealed: string }>('select sealed from signing_secrets where purpose = ?', purpose);
    if (known !== undefined) return this.#secrets.open(known.sealed, place);
    return this.#database.transaction(() => {
      const secret = this.#draws.bytes(`${purpose} secret`, SECRET_BYTES).toString('base64url');
      this.#database.run('insert into signing_secrets values (?, ?)', purpose, this.#secrets.seal(secret, place));
      return secret;
    });
  }
}
