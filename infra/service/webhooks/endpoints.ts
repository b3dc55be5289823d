import { isOperational } from '../events/operational.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Draws } from '../storage/draws.ts';
import type { Clock } from '../time/clock.ts';
import type { Failing } from './failing.ts';

/** After a rotation, the old secret signs beside the new one for this time, in milliseconds. */
const OVERLAP_MS = 24 * 3_600_000;

interface Secret {
  readonly key: string;
  /** Milliseconds since 1970; null if it has no end. */
  readonly until: number | null;
}

/** An address to which a team has its events delivered. */
export interface Endpoint {
  readonly endpoint_id: string;
  readonly team_id: string;
  readonly url: string;
  readonly secrets: readonly Secret[];
  /** Event types that it gets; empty for all. */
  readonly filter_types: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly is_disabled: boolean;
  /** Null if the last attempt succeeded. */
  readonly failing: Failing | null;
  readonly description: string;
  readonly created_at: number;
  readonly updated_at: number;
}

interface Row extends Omit<Endpoint, 'secrets' | 'filter_types' | 'headers' | 'is_disabled' | 'failing'> {
  readonly secrets: string;
  readonly filter_types: string;
  readonly headers: string;
  readonly is_disabled: number;
  readonly failing: string | null;
}

export interface NewEndpoint {
  readonly url: string;
  readonly filterTypes?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly description?: string | undefined;
  /** The key that signs, `whsec_` and base64. Default: a new one. */
  readonly secret?: string | undefined;
}

/** What can change without a new secret. A missing member keeps its value. */
export interface EndpointChange {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly filter_types?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The webhook endpoints of all teams. */
export class Endpoints {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #draws: Draws;

  constructor({ database, clock, draws }: State) {
    this.#database = database;
    this.#clock = clock;
    this.#draws = draws;
  }

  create(team: string, given: NewEndpoint): Endpoint {
    const { url, filterTypes = [], headers = {}, description = '', secret = this.#newSecret() } = given;
    const id = `ep_${this.#draws.bytes('endpoint', 16).toString('hex')}`;
    const secrets: Secret[] = [{ key: secret, until: null }];
    const now = this.#clock.now();
    this.#database.run(
      'insert into webhook_endpoints values (?, ?, ?, ?, ?, ?, 0, null, ?, ?, ?)',
      id,
      team,
      url,
      JSON.stringify(secrets),
      JSON.stringify(filterTypes),
      JSON.stringify(headers),
      description,
      now,
      now,
    );
    return this.find(id)!;
  }

  find(id: string): Endpoint | undefined {
    const row = this.#database.get<Row>('select * from webhook_endpoints where endpoint_id = ?', id);
    return row === undefined ? undefined : endpointOf(row);
  }

  /** Returns the endpoints of a team, or of all teams, the oldest first. */
  list(team?: string): Endpoint[] {
    return this.#database
      .all<Row>('select * from webhook_endpoints where team_id = coalesce(?, team_id) order by created_at, rowid', team ?? null)
      .map(endpointOf);
  }

  /** Changes an endpoint. Undefined if it does not exist. */
  change(id: string, given: EndpointChange): Endpoint | undefined {
    const found = this.find(id);
    if (found === undefined) return undefined;
    const { url = found.url, description = found.description } = given;
    const { filter_types = found.filter_types, headers = found.headers } = given;
    this.#database.run(
      'update webhook_endpoints set url = ?, description = ?, filter_types = ?, headers = ?, updated_at = ? where endpoint_id = ?',
      url,
      description,
      JSON.stringify(filter_types),
      JSON.stringify(headers),
      this.#clock.now(),
      id,
    );
    return this.find(id);
  }

  /** Returns the ids of all endpoints. */
  ids(): string[] {
    return this.#database
      .all<{ endpoint_id: string }>('select endpoint_id from webhook_endpoints order by endpoint_id')
      .map(({ endpoint_id }) => endpoint_id);
  }

  /** Removes an endpoint and its deliveries. Returns whether it existed. */
  delete(id: string): boolean {
    return this.#database.transaction(() => {
      this.#database.run('delete from deliveries where destination = ?', id);
      return this.#database.run('delete from webhook_endpoints where endpoint_id = ?', id) > 0;
    });
  }

  /** Returns the endpoints that ask for events of a type, disabled ones too. Operational events must be asked for by name. */
  listeningTo(team: string, eventType: string): Endpoint[] {
    return this.#database
      .all<Row>('select * from webhook_endpoints where team_id = ? order by endpoint_id', team)
      .map(endpointOf)
      .filter(({ filter_types }) => (filter_types.length === 0 ? !isOperational(eventType) : filter_types.includes(eventType)));
  }

  /** Returns the keys that sign at a time (ms since 1970), the newest first. */
  signingKeys(endpoint: Endpoint, at: number): string[] {
    return signing(endpoint, at).map(({ key }) => key);
  }

  /** Gives the endpoint a new secret. The old one signs too, for 24 hours. */
  rotateSecret(id: string, key = this.#newSecret()): string {
    const now = this.#clock.now();
    const end = now + OVERLAP_MS;
    const old = signing(this.find(id)!, now).map(({ key: one, until }) => ({ key: one, until: Math.min(until ?? end, end) }));
    this.#database.run(
      'update webhook_endpoints set secrets = ? where endpoint_id = ?',
      JSON.stringify([{ key, until: null }, ...old]),
      id,
    );
    return key;
  }

  #newSecret(): string {
    return `whsec_${this.#draws.bytes('endpoint secret', 24).toString('base64')}`;
  }

  setDisabled(id: string, isDisabled: boolean): void {
    this.#database.run(
      'update webhook_endpoints set is_disabled = ?, failing = null where endpoint_id = ?',
      isDisabled ? 1 : 0,
      id,
    );
  }

  /** Stores the failures of an endpoint. Null clears them after a success. */
  setFailing(id: string, failing: Failing | null): void {
    const text = failing === null ? null : JSON.stringify(failing);
    // Nearly all attempts succeed. The last condition avoids a write that changes nothing.
    this.#database.run('update webhook_endpoints set failing = ? where endpoint_id = ? and failing is not ?', text, id, text);
  }
}

const signing = ({ secrets }: Endpoint, at: number): Secret[] => secrets.filter(({ until }) => until === null || until > at);

function endpointOf(row: Row): Endpoint {
  return {
    ...row,
    secrets: JSON.parse(row.secrets) as Secret[],
    filter_types: JSON.parse(row.filter_types) as string[],
    headers: JSON.parse(row.headers) as Record<string, string>,
    is_disabled: row.is_disabled === 1,
    failing: row.failing === null ? null : (JSON.parse(row.failing) as Failing),
  };
}
