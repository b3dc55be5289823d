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
import type { Connection } from '../connections/connection.ts';
import type { PastRange } from '../pulls/past-data.ts';
import type { User } from '../users/user.ts';
import type { Arrival, Json } from './arrival.ts';
import type { LiveData } from './live-feed.ts';

const DAY_MS = 86_400_000;
/** A device that sends nothing for this many days has no next arrival. It is asked again after them. */
const LONGEST_SILENCE_DAYS = 7;
/** The ids of users come from the seed of the service, so people need no other one. */
const SEED = 1;
/** Days of events that are kept in memory. */
const KEPT = 512;

/** The generated data of all users: each user wears one person's devices. It depends on the ids, and on the user's fallback birth date. */
export class Wearers implements LiveData {
  readonly #days = new Map<string, readonly DataEvent[]>();

  between(user: User, connection: Connection, after: number, until: number): readonly Arrival[] {
    const worn = this.#worn(user, connection);
    const arrivals: Arrival[] = [];
    for (let day = localDayOf(worn.person, after) - 1; day <= localDayOf(worn.person, until); day += 1) {
      for (const event of this.#eventsOf(worn, connection, day))
        if (event.at > after && event.at <= until) arrivals.push(arrivalOf(event));
    }
    return arrivals;
  }

  next(user: User, connection: Connection, after: number): number {
    const worn = this.#worn(user, connection);
    const first = localDayOf(worn.person, after);
    for (let day = first - 1; day <= first + LONGEST_SILENCE_DAYS; day += 1) {
      const next = this.#eventsOf(worn, connection, day).find(({ at }) => at > after);
      if (next !== undefined) return next.at;
    }
    return after + LONGEST_SILENCE_DAYS * DAY_MS;
  }

  /** Returns what a provider has of a resource from before the connection, the newest first. */
  past(user: User, connection: Connection, resource: string, range: PastRange): readonly Arrival[] {
    if (connection.is_generated === 0) return [];
    return pastEvents(this.#worn(user, connection), resource, range).map(arrivalOf);
  }

  #worn({ user_id, client_user_id, team_id, fallback_birth_date }: User, { provider, since }: Connection): ProviderConnection {
    const person: Person = wearerOf({ seed: SEED, userId: user_id, clientUserId: client_user_id, teamId: team_id });
    return wear(person, { slug: provider, connectedAt: since, fallbackBirthDate: fallback_birth_date ?? undefined });
  }

  #eventsOf(worn: ProviderConnection, { user_id, provider, since }: Connection, day: number): readonly DataEvent[] {
    const key = `${user_id} ${provider} ${since} ${worn.fallbackBirthDate} ${day}`;
    let events = this.#days.get(key);
    if (events === undefined) {
      events = liveEvents(worn, day);
      if (this.#days.size >= KEPT) this.#days.delete(this.#days.keys().next().value!);
      this.#days.set(key, events);
    }
    return events;
  }
}

function arrivalOf({ resource, data, stream }: DataEvent): Arrival {
  return { resource, data: data() as Json, ...(stream === undefined ? {} : { stream: stream() as Json }) };
}
