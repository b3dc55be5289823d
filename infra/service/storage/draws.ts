import { createHash, randomBytes } from 'node:crypto';
import { contradiction, type Database } from './database.ts';
import type { Secrets } from './secrets.ts';

/** Length of a random seed, which is stored in hexadecimal. It is longer than any whole number. */
const RANDOM_BYTES = 16;

/** Draws bytes and ids from a seed. The same seed and the same draws give the same values. */
export class Draws {
  /** Returns a text that no earlier draw had. */
  readonly #next: (purpose: string) => string;

  constructor(next: (purpose: string) => string) {
    this.#next = next;
  }

  /** Draws `length` bytes. Draws for one purpose do not change those for another, such as `user` and `team`. */
  bytes(purpose: string, length: number): Buffer {
    return createHash('shake256', { outputLength: length }).update(this.#next(purpose)).digest();
  }

  /** Draws a UUID of version 4. */
  uuid(purpose: string): string {
    const bytes = this.bytes(purpose, 16);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}

/** Returns draws that begin with the seed, each time that they are made. */
export function drawsOf(seed: string): Draws {
  const drawn = new Map<string, number>();
  return new Draws((purpose) => {
    const number = drawn.get(purpose) ?? 0;
    drawn.set(purpose, number + 1);
    return textOf(seed, purpose, number);
  });
}

const PLACE = 'seed';

/**
 * Returns draws that the database remembers. A new database takes the seed, or else a random one. Throws a {@link StateError} if
 * the database has a different seed. The seed is encrypted, because all keys and secrets follow from it.
 */
export function storedDraws(database: Database, secrets: Secrets, seed?: number): Draws {
  let opened = { sealed: '', seed: '' };
  /** Reads the seed each time, because restoring a snapshot replaces it. */
  const stored = (): string | undefined => {
    const row = database.get<{ sealed: string }>('select sealed from seed');
    if (row !== undefined && row.sealed !== opened.sealed) opened = { sealed: row.sealed, seed: secrets.open(row.sealed, PLACE) };
    return row === undefined ? undefined : opened.seed;
  };
  const first = stored();
  if (first === undefined) {
    const made = seed === undefined ? randomBytes(RANDOM_BYTES).toString('hex') : String(seed);
    database.run('insert into seed values (?)', secrets.seal(made, PLACE));
  } else if (seed !== undefined && first !== String(seed))
    throw contradiction('seed', `The state was created with ${seedText(first)}, not with seed ${seed}.`);
  return new Draws((purpose) => {
    const { drawn } = database.get<{ drawn: number }>(
      'insert into draws values (?, 1) on conflict do update set drawn = drawn + 1 returning drawn',
      purpose,
    )!;
    return textOf(stored()!, purpose, drawn - 1);
  });
}

const seedText = (stored: string): string => (stored.length === RANDOM_BYTES * 2 ? 'a random seed' : `seed ${stored}`);

const textOf = (seed: string, purpose: string, number: number): string => JSON.stringify([seed, purpose, number]);
