import { createHash } from 'node:crypto';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Draws } from '../storage/draws.ts';
import type { Clock } from '../time/clock.ts';
import type { Generation } from './generation.ts';

export interface TeamSettings {
  /** Form of the source object in events and answers. */
  readonly generation: Generation;
  /** Largest body of an event, in bytes. Larger batches of samples are split. */
  readonly payload_limit: number;
  /** Whether the team gets events about partial results of orders. */
  readonly partial_webhooks_enabled: boolean;
}

export interface Team extends TeamSettings {
  readonly team_id: string;
  readonly name: string;
}

type Row = Omit<Team, 'partial_webhooks_enabled'> & { readonly partial_webhooks_enabled: number };

const usual: TeamSettings = { generation: 'both', payload_limit: 256 * 1024, partial_webhooks_enabled: false };
const columns = 'team_id, name, generation, payload_limit, partial_webhooks_enabled';

/** The teams, and the keys with which they call the API. The database holds only hashes of keys. */
export class Teams {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #draws: Draws;

  constructor({ database, clock, draws }: State) {
    this.#database = database;
    this.#clock = clock;
    this.#draws = draws;
  }

  /** Creates a team with a first key. Its ids and keys come from `draws`. */
  create(name: string, given: Partial<TeamSettings> = {}, draws: Draws = this.#draws): Team & { readonly api_key: string } {
    const { generation, payload_limit, partial_webhooks_enabled } = { ...usual, ...given };
    return this.#database.transaction(() => {
      const team_id = draws.uuid('team');
      this.#database.run(
        `insert into teams (team_id, name, created_at, generation, payload_limit, partial_webhooks_enabled)
         values (?, ?, ?, ?, ?, ?)`,
        team_id,
        name,
        this.#clock.now(),
        generation,
        payload_limit,
        partial_webhooks_enabled ? 1 : 0,
      );
      return { ...this.find(team_id)!, api_key: this.addKey(team_id, draws) };
    });
  }

  find(team: string): Team | undefined {
    return teamOf(this.#database.get(`select ${columns} from teams where team_id = ?`, team));
  }

  /** Returns all teams, the oldest first. */
  list(): Team[] {
    return this.#database.all<Row>(`select ${columns} from teams order by rowid`).map((row) => teamOf(row)!);
  }

  /** Creates a key of a team. It is shown only now. Earlier keys stay valid. */
  addKey(team: string, draws: Draws = this.#draws): string {
    const key = `sk_us_${draws.bytes('team key', 24).toString('base64url')}`;
    this.#database.run('insert into team_api_keys values (?, ?)', hashOf(key), team);
    return key;
  }

  /** Returns the team of a key. */
  ofKey(key: string): Team | undefined {
    const sql = `select ${columns} from teams join team_api_keys using (team_id) where key_hash = ?`;
    return teamOf(this.#database.get(sql, hashOf(key)));
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

function teamOf(row: Row | undefined): Team | undefined {
  return row === undefined ? undefined : { ...row, partial_webhooks_enabled: row.partial_webhooks_enabled === 1 };
}
