import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';

export interface Team {
  readonly team_id: string;
  readonly name: string;
}

/** The teams, and the keys with which they call the API. The database holds only hashes of keys. */
export class Teams {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor({ database, clock }: State, newId: () => string = randomUUID) {
    this.#database = database;
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Creates a team with a first key. */
  create(name: string): Team & { readonly api_key: string } {
    return this.#database.transaction(() => {
      const team_id = this.#newId();
      this.#database.run('insert into teams values (?, ?, ?)', team_id, name, this.#clock.now());
      return { team_id, name, api_key: this.addKey(team_id) };
    });
  }

  /** Creates a key of a team. It is shown only now. */
  addKey(team: string): string {
    const key = `sk_us_${randomBytes(24).toString('base64url')}`;
    this.#database.run('insert into team_api_keys values (?, ?)', hashOf(key), team);
    return key;
  }

  /** Returns the team of a key. */
  ofKey(key: string): Team | undefined {
    return this.#database.get(
      'select team_id, name from teams join team_api_keys using (team_id) where key_hash = ?',
      hashOf(key),
    );
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');
