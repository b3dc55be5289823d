import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { State } from '../state.ts';
import type { Draws } from '../storage/draws.ts';

/** A key with which programs call the data and lab API for a team. */
export interface TeamKey {
  readonly key_id: string;
  readonly team_id: string;
  readonly label: string;
  /** The key with its middle hidden. */
  readonly hint: string;
  /** Milliseconds since 1970. */
  readonly created_at: number;
}

/** People recognize a key by its last characters. */
const SHOWN = 4;

const columns = 'number, key_id, team_id, label, hint, created_at';

/** The columns that hold a key of a team or of an organization. The key itself is not stored. */
export interface HashedKey {
  readonly lookup: string;
  readonly key_hash: string;
}

/** By this many characters of its hash, a key is found. The rest is compared in constant time. */
const LOOKUP_LENGTH = 16;

export function hashedKey(key: string): HashedKey {
  const key_hash = createHash('sha256').update(key).digest('hex');
  return { lookup: key_hash.slice(0, LOOKUP_LENGTH), key_hash };
}

/** Returns the row of a key. `find` returns the rows with a lookup. */
export function rowOfKey<Row extends HashedKey>(key: string, find: (lookup: string) => readonly Row[]): Row | undefined {
  const { lookup, key_hash } = hashedKey(key);
  return find(lookup).find((row) => timingSafeEqual(Buffer.from(row.key_hash), Buffer.from(key_hash)));
}

/** The keys of all teams. The database holds only their hashes. */
export class TeamKeys {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Creates a key, whose text comes from `draws`. It is shown only now. Earlier keys stay valid. */
  create(
    { team_id, region }: { readonly team_id: string; readonly region: string },
    label: string,
    draws: Draws = this.#state.draws,
  ): TeamKey & { readonly key: string } {
    const prefix = `sk_${region}_`;
    const key = `${prefix}${draws.bytes('team key', 24).toString('base64url')}`;
    const key_id = draws.uuid('team key id');
    const { lookup, key_hash } = hashedKey(key);
    this.#state.database.run(
      `insert into team_api_keys (key_id, lookup, key_hash, team_id, label, hint, created_at) values (?, ?, ?, ?, ?, ?, ?)`,
      ...[key_id, lookup, key_hash, team_id, label, `${prefix}***${key.slice(-SHOWN)}`, this.#state.clock.now()],
    );
    return { ...this.find(key_id)!, key };
  }

  find(id: string): TeamKey | undefined {
    return this.#state.database.get(`select ${columns} from team_api_keys where key_id = ?`, id);
  }

  /** Returns the keys of some teams after the key with this number, the oldest first. */
  page(teams: readonly string[], after: number, limit: number): (TeamKey & { readonly number: number })[] {
    return this.#state.database.all(
      `select ${columns} from team_api_keys
       where team_id in (select value from json_each(?)) and number > ? order by number limit ?`,
      JSON.stringify(teams),
      after,
      limit,
    );
  }

  delete(id: string): void {
    this.#state.database.run('delete from team_api_keys where key_id = ?', id);
  }

  /** Returns the id of the team that has a key. */
  teamOf(key: string): string | undefined {
    return rowOfKey(key, (lookup) =>
      this.#state.database.all<HashedKey & { readonly team_id: string }>('select * from team_api_keys where lookup = ?', lookup),
    )?.team_id;
  }
}

/** A token is valid for this long, in seconds. */
export const TOKEN_SECONDS = 600;

/** Tokens that stand for the key of a team for some minutes. They are signed, and not stored. */
export class AccessTokens {
  readonly #state: State;
  readonly #key: Buffer;

  constructor(state: State) {
    this.#state = state;
    this.#key = state.secrets.keyFor('access tokens');
  }

  create(team: string): string {
    const payload = `${team}.${this.#state.clock.now() + TOKEN_SECONDS * 1000}`;
    return `${payload}.${this.#sign(payload).toString('base64url')}`;
  }

  /** Returns the team id of a valid token. The team may have been deleted since. */
  teamOf(token: string): string | undefined {
    const [, payload, team, end, signature] = /^(([0-9a-f-]{36})\.(\d{1,16}))\.([\w-]+)$/.exec(token) ?? [];
    if (payload === undefined) return undefined;
    const [given, right] = [Buffer.from(signature!, 'base64url'), this.#sign(payload)];
    const isSigned = given.length === right.length && timingSafeEqual(given, right);
    return isSigned && Number(end) > this.#state.clock.now() ? team : undefined;
  }

  #sign(payload: string): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest();
  }
}
