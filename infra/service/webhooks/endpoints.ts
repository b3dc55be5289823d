import { z } from 'zod';
import { InvalidInput } from '../api/errors.ts';
import { eventTypes, isOperational } from '../events/outbox.ts';
import type { State } from '../state.ts';
import { hasLinkLocalHost, LINK_LOCAL } from './link-local.ts';

/** After a rotation, the old secret signs beside the new one for this time, in milliseconds. */
const OVERLAP_MS = 24 * 3_600_000;

interface Secret {
  readonly key: string;
  /** Milliseconds since 1970; null if it has no end. */
  readonly until: number | null;
}

const HOUR_MS = 3_600_000;
/** Two failures within one day that are at least this far apart start the clock of an endpoint. */
const APART_MS = 12 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
/** Milliseconds after the clock has started from which a failure disables the endpoint. */
const DISABLED_AFTER_MS = 5 * DAY_MS;

/** The failures of an endpoint since its last success. Times are in milliseconds since 1970. */
export interface Failing {
  readonly since: number;
  /** The failure with which a later one is compared. Until the clock starts, it is at most a day before the last failure. */
  readonly first: number;
  readonly last: number;
  /** A failure at or after this time disables the endpoint. Null until the clock starts. */
  readonly disableAt: number | null;
}

/** Adds a failure that happened now. */
export function afterFailure(before: Failing | null, now: number): Failing {
  if (before === null) return { since: now, first: now, last: now, disableAt: null };
  const { since, last } = before;
  if (before.disableAt !== null) return { ...before, last: now };
  // Until the clock starts, `first` and `last` are less than 12 hours apart, so the failures between them need not be kept.
  const first = [before.first, last].find((time) => now - time <= DAY_MS) ?? now;
  return { since, first, last: now, disableAt: now - first >= APART_MS ? now + DISABLED_AFTER_MS : null };
}

/** Returns whether the last failure disables the endpoint. */
export function isDisabling({ last, disableAt }: Failing): boolean {
  return disableAt !== null && last >= disableAt;
}

/** An address to which a team has its events delivered. */
export interface Endpoint {
  /** Counts the endpoints of all teams in the order of their creation. */
  readonly number: number;
  readonly endpoint_id: string;
  readonly team_id: string;
  readonly url: string;
  readonly secrets: readonly Secret[];
  /** Event types that it gets; empty for all. */
  readonly filter_types: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Most attempts in a second; null for no limit. */
  readonly rate_limit: number | null;
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
  readonly rateLimit?: number | null | undefined;
  readonly isDisabled?: boolean | undefined;
  /** The key that signs, `whsec_` and base64. Default: a new one. */
  readonly secret?: string | undefined;
}

/** What can change without a new secret. A missing member keeps its value. */
export interface EndpointChange {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly filter_types?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly rate_limit?: number | null | undefined;
  readonly is_disabled?: boolean | undefined;
}

/** The webhook endpoints of all teams. The database holds their secrets and headers encrypted. */
export class Endpoints {
  readonly #state: State;
  readonly #allowLinkLocal: boolean;
  /** Ids of the endpoints whose name led to a link-local address at the last attempt. */
  readonly #refused = new Set<string>();

  constructor(state: State, { allowLinkLocal = false }: { readonly allowLinkLocal?: boolean | undefined } = {}) {
    this.#state = state;
    this.#allowLinkLocal = allowLinkLocal;
  }

  /** Notes whether the sender refused the address of an endpoint at its last attempt. */
  checked(id: string, isRefused: boolean): void {
    if (isRefused) this.#refused.add(id);
    else this.#refused.delete(id);
  }

  /** Says why an endpoint gets nothing, if its address was refused at the last attempt. */
  refusal(id: string): string | undefined {
    return this.#refused.has(id) ? LINK_LOCAL : undefined;
  }

  /** Throws an {@link InvalidInput} if the address of an endpoint is link-local, and that is not allowed. */
  #checkUrl(url: string): void {
    if (!this.#allowLinkLocal && hasLinkLocalHost(url))
      throw new InvalidInput(['body', 'url'], 'a link-local address, which needs a service with --allow-link-local');
  }

  create(team: string, given: NewEndpoint): Endpoint {
    const { database, clock, draws } = this.#state;
    const { url, filterTypes = [], headers = {}, rateLimit = null, isDisabled = false, description = '' } = given;
    this.#checkUrl(url);
    const { secret = this.#newSecret() } = given;
    const id = `ep_${draws.bytes('endpoint', 16).toString('hex')}`;
    const now = clock.now();
    database.run(
      `insert into webhook_endpoints (endpoint_id, team_id, url, secrets, filter_types, headers, rate_limit, is_disabled,
         description, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, team, url, this.#sealedSecrets(id, [{ key: secret, until: null }]), JSON.stringify(filterTypes)],
      ...[this.#sealedHeaders(id, headers), rateLimit, isDisabled ? 1 : 0, description, now, now],
    );
    return this.find(id)!;
  }

  find(id: string): Endpoint | undefined {
    const row = this.#state.database.get<Row>('select * from webhook_endpoints where endpoint_id = ?', id);
    return row === undefined ? undefined : this.#endpointOf(row);
  }

  /** Returns the endpoints of a team, or of all teams, the oldest first. */
  list(team?: string): Endpoint[] {
    return this.#state.database
      .all<Row>('select * from webhook_endpoints where team_id = coalesce(?, team_id) order by number', team ?? null)
      .map((row) => this.#endpointOf(row));
  }

  /** Returns endpoints of a team after the one with this number, the oldest first. */
  page(team: string, after: number, limit: number): Endpoint[] {
    return this.#state.database
      .all<Row>('select * from webhook_endpoints where team_id = ? and number > ? order by number limit ?', team, after, limit)
      .map((row) => this.#endpointOf(row));
  }

  /** Changes an endpoint. Undefined if it does not exist. */
  change(id: string, given: EndpointChange): Endpoint | undefined {
    const { database, clock, jobs } = this.#state;
    const found = this.find(id);
    if (found === undefined) return undefined;
    if (given.url !== undefined) this.#checkUrl(given.url);
    const { url = found.url, description = found.description, rate_limit = found.rate_limit } = given;
    const { filter_types = found.filter_types, headers = found.headers, is_disabled } = given;
    database.transaction(() => {
      database.run(
        `update webhook_endpoints set url = ?, description = ?, filter_types = ?, headers = ?, rate_limit = ?, updated_at = ?
         where endpoint_id = ?`,
        ...[url, description, JSON.stringify(filter_types), this.#sealedHeaders(id, headers), rate_limit, clock.now(), id],
      );
      if (is_disabled !== undefined) this.setDisabled(id, is_disabled);
    });
    // With a higher rate limit, messages that wait are due earlier.
    jobs.wake();
    return this.find(id);
  }

  /** Returns the ids of all endpoints. */
  ids(): string[] {
    return this.#state.database
      .all<{ endpoint_id: string }>('select endpoint_id from webhook_endpoints order by endpoint_id')
      .map(({ endpoint_id }) => endpoint_id);
  }

  /** Removes an endpoint and its deliveries. Returns whether it existed. */
  delete(id: string): boolean {
    return this.#state.database.transaction(() => {
      this.#state.database.run('delete from deliveries where destination = ?', id);
      return this.#state.database.run('delete from webhook_endpoints where endpoint_id = ?', id) > 0;
    });
  }

  /** Returns the endpoints that ask for events of a type, disabled ones too. Operational events must be asked for by name. */
  listeningTo(team: string, eventType: string): Endpoint[] {
    return this.#state.database
      .all<Row>('select * from webhook_endpoints where team_id = ? order by endpoint_id', team)
      .map((row) => this.#endpointOf(row))
      .filter(({ filter_types }) => (filter_types.length === 0 ? !isOperational(eventType) : filter_types.includes(eventType)));
  }

  /** Returns the keys that sign at a time (ms since 1970), the newest first. */
  signingKeys(endpoint: Endpoint, at: number): string[] {
    return signing(endpoint, at).map(({ key }) => key);
  }

  /** Gives the endpoint a new secret. The old one signs too, for 24 hours. */
  rotateSecret(id: string, key = this.#newSecret()): string {
    const now = this.#state.clock.now();
    const end = now + OVERLAP_MS;
    const old = signing(this.find(id)!, now).map(({ key: one, until }) => ({ key: one, until: Math.min(until ?? end, end) }));
    this.#state.database.run(
      'update webhook_endpoints set secrets = ? where endpoint_id = ?',
      this.#sealedSecrets(id, [{ key, until: null }, ...old]),
      id,
    );
    return key;
  }

  #newSecret(): string {
    return `whsec_${this.#state.draws.bytes('endpoint secret', 24).toString('base64')}`;
  }

  setDisabled(id: string, isDisabled: boolean): void {
    this.#state.database.run(
      'update webhook_endpoints set is_disabled = ?, failing = null where endpoint_id = ?',
      isDisabled ? 1 : 0,
      id,
    );
  }

  /** Stores the failures of an endpoint. Null clears them after a success. */
  setFailing(id: string, failing: Failing | null): void {
    const text = failing === null ? null : JSON.stringify(failing);
    // Nearly all attempts succeed. The last condition avoids a write that changes nothing.
    this.#state.database.run(
      'update webhook_endpoints set failing = ? where endpoint_id = ? and failing is not ?',
      text,
      id,
      text,
    );
  }

  #sealedSecrets(id: string, secrets: readonly Secret[]): string {
    return this.#state.secrets.seal(JSON.stringify(secrets), secretsPlace(id));
  }

  #sealedHeaders(id: string, headers: Readonly<Record<string, string>>): string {
    return this.#state.secrets.seal(JSON.stringify(headers), headersPlace(id));
  }

  /** Secrets and headers are decrypted when they are first read, because every event reads the endpoints of its team. */
  #endpointOf(row: Row): Endpoint {
    const { secrets: sealed } = this.#state;
    const opened = <Value>(text: string, place: string) => once(() => JSON.parse(sealed.open(text, place)) as Value);
    const secrets = opened<Secret[]>(row.secrets, secretsPlace(row.endpoint_id));
    const headers = opened<Record<string, string>>(row.headers, headersPlace(row.endpoint_id));
    return {
      ...row,
      get secrets() {
        return secrets();
      },
      filter_types: JSON.parse(row.filter_types) as string[],
      get headers() {
        return headers();
      },
      is_disabled: row.is_disabled === 1,
      failing: row.failing === null ? null : (JSON.parse(row.failing) as Failing),
    };
  }
}

const signing = ({ secrets }: Endpoint, at: number): Secret[] => secrets.filter(({ until }) => until === null || until > at);

const secretsPlace = (id: string): string => `webhook secrets ${id}`;
const headersPlace = (id: string): string => `webhook headers ${id}`;

/** Returns a function that calls `of` once and keeps its result. */
function once<Value>(of: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: of() };
    return known.value;
  };
}

/* The forms of the members of endpoints, on the control port and in the management API. */

export const urlSchema = z.url({ protocol: /^https?$/ });

const known = new Set(eventTypes);
/** Svix refuses the names of event types that it does not know. A webhook with such a name would never get an event. */
export const eventTypesSchema = z.array(z.string().refine((type) => known.has(type), 'not an event type of the service'));

export const secretSchema = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'not whsec_ and base64');

/** The service itself sets these. */
const ownHeader = /^(svix-.*|content-(type|length)|transfer-encoding|connection|host)$/;
export const headersSchema = z.record(
  z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/, 'not the name of a header')
    .refine((name) => !ownHeader.test(name), 'a header that the service sets'),
  z.string().regex(/^[\x20-\x7e]*$/, 'not the value of a header'),
);
