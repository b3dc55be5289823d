import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import type { Outbox } from '../events/outbox.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';
import type { User } from '../users/users.ts';
import { type Provider, providerOf } from './providers.ts';

export interface NewConnection {
  /** A provider of the catalogue. */
  readonly provider: string;
  readonly isDemo: boolean;
  /** Name or e-mail address at the provider. */
  readonly externalUserId?: string | null;
  /** Whether the provider has generated data. Default: true. */
  readonly isGenerated?: boolean;
  /** Resources that the user's permission does not cover. Default: none. */
  readonly unavailable?: readonly string[];
}

/** A user's connection to a provider, as stored. Times are in milliseconds since 1970. */
export interface Connection {
  readonly user_id: string;
  readonly provider: string;
  readonly created_on: number;
  /** When the provider was last connected: the same as {@link created_on}, or later after a break. */
  readonly since: number;
  readonly external_user_id: string | null;
  readonly error_type: string | null;
  readonly error_message: string | null;
  readonly errored_at: number | null;
  readonly is_demo: number;
  /** 1 if the provider has generated data. Otherwise, data comes only through the control port. */
  readonly is_generated: number;
  /** JSON: resources that the user's permission does not cover. */
  readonly unavailable: string;
}

/** Returns the resources of a connection's provider that the user's permission covers. */
export function availableResources({ provider, unavailable }: Connection): readonly string[] {
  const refused = new Set(JSON.parse(unavailable) as string[]);
  return providerOf(provider)!.resources.filter((resource) => !refused.has(resource));
}

/** Is told about connections, within the transaction of the change. */
export interface ConnectionListener {
  /** A provider was connected, or connected again. */
  made?(user: User, connection: Connection): void;
  broken?(user: User, connection: Connection): void;
  /** `connection` no longer exists. */
  removed?(connection: Connection): void;
}

export interface Break {
  readonly error_type: string;
  readonly error_message: string;
}

/** Why a connection was not made. `duplicate`: another user of the team has the account, and the team rejects that. */
export type Refused = 'real and demo' | 'duplicate';

const providerSchema = z.object({ name: z.string(), slug: z.string(), logo: z.string() }).meta({ id: 'Provider' });

export const connectedSourceSchema = z
  .object({ created_on: instantSchema, source: providerSchema, provider: providerSchema })
  .meta({ id: 'ConnectedSource' });

const availabilitySchema = z.object({
  status: z.enum(['available', 'unavailable']),
  scope_requirements: z.null(),
});

export const errorTypes = [
  'token_refresh_failed',
  'webhook_registration_failed',
  'user_not_found',
  'deregistered_per_provider',
  'required_scopes_not_granted',
  'provider_credential_error',
  'provider_password_expired',
  'unknown',
] as const;

export const connectionSchema = z
  .object({
    ...providerSchema.shape,
    created_on: instantSchema,
    status: z.enum(['connected', 'error']),
    external_user_id: z.string().nullable(),
    error_details: z.object({ error_type: z.enum(errorTypes), error_message: z.string(), errored_at: instantSchema }).nullable(),
    resource_availability: z.record(z.string(), availabilitySchema),
  })
  .meta({ id: 'Connection' });

export function providerForm({ name, slug }: Provider): z.input<typeof providerSchema> {
  return { name, slug, logo: `https://images.example.com/${slug}.png` };
}

function resourceAvailability(connection: Connection): Record<string, z.input<typeof availabilitySchema>> {
  const { resources } = providerOf(connection.provider)!;
  const available = new Set(availableResources(connection));
  return Object.fromEntries(
    resources.map((resource) => [
      resource,
      { status: available.has(resource) ? 'available' : 'unavailable', scope_requirements: null },
    ]),
  );
}

export function connectedSourceForm({ provider, created_on }: Connection): z.input<typeof connectedSourceSchema> {
  const form = providerForm(providerOf(provider)!);
  return { created_on: instant(created_on), source: form, provider: form };
}

export function connectionForm(connection: Connection): z.input<typeof connectionSchema> {
  const { created_on, external_user_id, error_type, error_message, errored_at } = connection;
  const provider = providerOf(connection.provider)!;
  return {
    ...providerForm(provider),
    created_on: instant(created_on),
    status: error_type === null ? 'connected' : 'error',
    external_user_id,
    error_details:
      error_type === null
        ? null
        : {
            error_type: error_type as (typeof errorTypes)[number],
            error_message: error_message!,
            errored_at: instant(errored_at!),
          },
    resource_availability: resourceAvailability(connection),
  };
}

/** The connections of all users. */
export class Connections {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #outbox: Outbox;
  readonly #listeners: ConnectionListener[] = [];

  constructor({ database, clock }: State, outbox: Outbox) {
    this.#database = database;
    this.#clock = clock;
    this.#outbox = outbox;
  }

  listen(listener: ConnectionListener): void {
    this.#listeners.push(listener);
  }

  /** Connects a provider, or connects it again. A user has either demo connections or real ones. */
  connect(user: User, given: NewConnection): Connection | Refused {
    const { provider, isDemo, externalUserId = null, isGenerated = true, unavailable = [] } = given;
    const known = providerOf(provider);
    if (known === undefined) throw new RangeError('the catalogue has no provider with this slug');
    return this.#database.transaction(() => {
      const now = this.#clock.now();
      if (this.of(user.user_id).some(({ is_demo }) => (is_demo === 1) !== isDemo)) return 'real and demo';
      if (this.#isDuplicate(user, provider, externalUserId)) return 'duplicate';
      this.#database.run(
        `insert into connections
           (user_id, provider, created_on, since, external_user_id, is_demo, is_generated, unavailable)
         values (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7)
         on conflict do update set
           since = excluded.since, external_user_id = excluded.external_user_id, is_generated = excluded.is_generated,
           unavailable = excluded.unavailable, error_type = null, error_message = null, errored_at = null`,
        user.user_id,
        provider,
        now,
        externalUserId,
        isDemo ? 1 : 0,
        isGenerated ? 1 : 0,
        JSON.stringify(unavailable),
      );
      const connection = this.find(user.user_id, provider)!;
      this.#outbox.add(user, 'provider.connection.created', {
        user_id: user.user_id,
        source: providerForm(known),
        provider: providerForm(known),
        external_user_id: externalUserId,
        resource_availability: resourceAvailability(connection),
      });
      for (const listener of this.#listeners) listener.made?.(user, connection);
      return connection;
    });
  }

  /** Returns whether another user of a team that rejects duplicates has the same account at a provider. */
  #isDuplicate({ user_id, team_id }: User, provider: string, externalUserId: string | null): boolean {
    const found = this.#database.get(
      `select 1 from connections c join users u using (user_id) join teams t using (team_id)
       where team_id = ? and user_id <> ? and provider = ? and external_user_id = ?
       and t.environment ->> 'reject_duplicate_connection' = 1`,
      ...[team_id, user_id, provider, externalUserId],
    );
    return found !== undefined;
  }

  /** Ends the access to a provider until the user connects it again. Returns whether the connection existed and worked. */
  break(user: User, provider: string, { error_type, error_message }: Break): boolean {
    return this.#database.transaction(() => {
      const changed = this.#database.run(
        `update connections set error_type = ?, error_message = ?, errored_at = ?
         where user_id = ? and provider = ? and error_type is null`,
        error_type,
        error_message,
        this.#clock.now(),
        user.user_id,
        provider,
      );
      if (changed === 0) return false;
      this.#outbox.add(user, 'provider.connection.error', {
        user_id: user.user_id,
        provider,
        error_type,
        error_details: error_message,
        message: error_message,
      });
      const connection = this.find(user.user_id, provider)!;
      for (const listener of this.#listeners) listener.broken?.(user, connection);
      return true;
    });
  }

  /** Takes a resource out of the user's permission, until the user connects again. The connection exists. */
  revoke(user: string, provider: string, resource: string): void {
    const { unavailable } = this.find(user, provider)!;
    const all = new Set([...(JSON.parse(unavailable) as string[]), resource]);
    this.#database.run(
      'update connections set unavailable = ? where user_id = ? and provider = ?',
      JSON.stringify([...all]),
      user,
      provider,
    );
  }

  /** Removes a connection. The service sends no event for it. Returns whether it existed. */
  deregister(user: string, provider: string): boolean {
    return this.#database.transaction(() => {
      const connection = this.find(user, provider);
      if (connection === undefined) return false;
      this.#database.run('delete from connections where user_id = ? and provider = ?', user, provider);
      for (const listener of this.#listeners) listener.removed?.(connection);
      return true;
    });
  }

  /** Removes all connections of a user. */
  deregisterAll(user: string): void {
    for (const { provider } of this.of(user)) this.deregister(user, provider);
  }

  find(user: string, provider: string): Connection | undefined {
    return this.#database.get('select * from connections where user_id = ? and provider = ?', user, provider);
  }

  /** Returns the connections of a user, the oldest first. */
  of(user: string): Connection[] {
    return this.#database.all('select * from connections where user_id = ? order by number', user);
  }

  /** Returns when each connection of a team was made, and whether it is broken. */
  ofTeam(team: string): Pick<Connection, 'created_on' | 'error_type'>[] {
    return this.#database.all(
      `select c.created_on, c.error_type from connections c join users u using (user_id)
       where u.team_id = ? and u.deleted_at is null order by c.number`,
      team,
    );
  }
}
