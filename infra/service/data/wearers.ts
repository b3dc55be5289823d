import {
  type DataEvent,
  liveEvents,
  localDayOf,
  type Person,
  type ProviderConnection,
  pastEvents,
  wear,
  wearerOf,
} from '@aorta/people';
import type { Connection } from '../connections/connections.ts';
import type { PastRange } from '../pulls/pull.ts';
import type { User } from '../users/users.ts';
import type { Arrival, Json } from './arrival.ts';
import type { LiveData } from './live-feed.ts';

const DAY_MS = 86_400_000;
/** A device that sends nothing for this many days has no next arrival. It is asked again after them. */
const LONGEST_SILENCE_DAYS = 7;
/** The ids of users come from the seed of the service, so people need no other one. */
const SEED = 1;
/** How many connections keep their generated data in memory. Each takes about 100 KB. */
const KEPT_CONNECTIONS = 256;
/** Days of events that are kept for each of them. One visit needs up to four. */
const KEPT_DAYS = 4;

/** A connection to the devices that a person wears, with the events of its last days. */
interface Worn {
  readonly connection: ProviderConnection;
  readonly days: Map<number, readonly DataEvent[]>;
}

/** The generated data of all users: each user wears one person's devices. It depends on the ids, and on the user's fallback birth date. */
export class Wearers implements LiveData {
  readonly #kept = new Map<string, Worn>();

  between(user: User, connection: Connection, after: number, until: number): readonly Arrival[] {
    const worn = this.#worn(user, connection);
    const arrivals: Arrival[] = [];
    const { person } = worn.connection;
    for (let day = localDayOf(person, after) - 1; day <= localDayOf(person, until); day += 1) {
      for (const event of eventsOf(worn, day)) if (event.at > after && event.at <= until) arrivals.push(arrivalOf(event));
    }
    return arrivals;
  }

  next(user: User, connection: Connection, after: number): number {
    const worn = this.#worn(user, connection);
    const first = localDayOf(worn.connection.person, after);
    for (let day = first - 1; day <= first + LONGEST_SILENCE_DAYS; day += 1) {
      const next = eventsOf(worn, day).find(({ at }) => at > after);
      if (next !== undefined) return next.at;
    }
    return after + LONGEST_SILENCE_DAYS * DAY_MS;
  }

  /** Returns what a provider has of a resource from before the connection, the newest first. */
  past(user: User, connection: Connection, resource: string, range: PastRange): readonly Arrival[] {
    if (connection.is_generated === 0) return [];
    return pastEvents(this.#worn(user, connection).connection, resource, range).map(arrivalOf);
  }

  /** Returns what a user wears. The connections that were needed last are kept, because people remember their last days, too. */
  #worn(user: User, { provider, since }: Connection): Worn {
    const { user_id, client_user_id, team_id, fallback_birth_date } = user;
    const key = JSON.stringify([user_id, client_user_id, team_id, fallback_birth_date, provider, since]);
    const worn = this.#kept.get(key) ?? { connection: connectionOf(user, provider, since), days: new Map() };
    // A map keeps the order of insertion, so the first key is the one that was needed longest ago.
    this.#kept.delete(key);
    this.#kept.set(key, worn);
    if (this.#kept.size > KEPT_CONNECTIONS) this.#kept.delete(this.#kept.keys().next().value!);
    return worn;
  }
}

function personOf({ user_id, client_user_id, team_id }: User): Person {
  return wearerOf({ seed: SEED, userId: user_id, clientUserId: client_user_id, teamId: team_id });
}

/** Returns the home time zone of the synthetic person behind a user. */
export const homeZoneOf = (user: User): string => personOf(user).zone.name;

function connectionOf(user: User, provider: string, since: number): ProviderConnection {
  const { fallback_birth_date } = user;
  return wear(personOf(user), { slug: provider, connectedAt: since, fallbackBirthDate: fallback_birth_date ?? undefined });
}

function eventsOf({ connection, days }: Worn, day: number): readonly DataEvent[] {
  let events = days.get(day);
  if (events === undefined) {
    events = liveEvents(connection, day);
    if (days.size >= KEPT_DAYS) days.delete(days.keys().next().value!);
    days.set(day, events);
  }
  return events;
}

function arrivalOf({ resource, data, stream }: DataEvent): Arrival {
  return { resource, data: data() as Json, ...(stream === undefined ? {} : { stream: stream() as Json }) };
}
