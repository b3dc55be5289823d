import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import type { Resource } from './provider.ts';
import { type Random, randomOf, stream } from './random.ts';

/** The last part of an event type. An object's first version is `created`, and later versions are `updated`. */
export type Verb = 'created' | 'updated';

/** The contents of one event. Its body is not built yet. */
export interface EventContents {
  /** builds the event's `data`. Every call returns the same value */
  readonly data: () => object;
  /** only for `workout_stream`: builds the stream that the service's API returns */
  readonly stream?: () => object;
}

/** An event with data of one resource. */
export interface DataEvent extends EventContents {
  /** when the service learns of the data, in ms since 1970. For past data: the end of the pulled range */
  readonly at: number;
  /** resource, as in event types: for example `heartrate` or `workout_stream` */
  readonly resource: string;
  readonly verb: Verb;
}

/** One visit of the service to a provider, and its events. */
export class Visit {
  readonly connection: ProviderConnection;
  /** time of the visit (ms) */
  readonly instant: number;
  readonly events: DataEvent[] = [];
  readonly #random: Random;
  /** microseconds since 1970 */
  #clock: number;

  constructor(connection: ProviderConnection, instant: number) {
    this.connection = connection;
    this.instant = instant;
    this.#random = randomOf(connection.seed, stream.visit, instant);
    this.#clock = instant * 1000 + this.#random.whole(200_000, 6_000_000);
  }

  /** Adds an event that arrives less than a second after the previous one. */
  add(resource: Resource, verb: Verb, contents: EventContents): void {
    this.#clock += this.#random.whole(3_000, 900_000);
    this.events.push({ at: Math.floor(this.#clock / 1000), resource, verb, ...contents });
  }
}

/** Returns the instants (ms, ascending) of a day's visits, from soon after waking until bedtime. */
export function syncTimes(connection: ProviderConnection, day: number): number[] {
  const { wake, bed } = dayRhythm(connection.person, day);
  const random = randomOf(connection.seed, stream.syncs, day);
  const count = Math.max(1, connection.provider.syncs + random.whole(-1, 1));
  const times = [wake + random.whole(4 * minuteMs, 35 * minuteMs)];
  const share = (bed - wake - 60 * minuteMs) / count;
  for (let i = 1; i < count; i++) times.push(Math.round(wake + 45 * minuteMs + share * (i + random.between(-0.45, 0.45))));
  return times.sort((a, b) => a - b);
}

/** A visit to a provider that the service polls. Instants are in ms. */
export interface Poll {
  readonly visit: Visit;
  /** the local day for which the visit was planned. The last visits of a day may take place after midnight */
  readonly day: number;
  readonly firstOfDay: boolean;
  /** the previous visit. For the first visit: the beginning of the connection */
  readonly since: number;
  /** the visit before the previous one. For the first two visits: the beginning of the connection */
  readonly before: number;
}

/** Returns the visits that take place during a local day. */
export function polls(connection: ProviderConnection, day: number): Poll[] {
  const { person, connectedAt } = connection;
  // A visit after midnight belongs to the day before, and needs the two visits before it.
  const planned = [day - 2, day - 1, day].flatMap((of) =>
    syncTimes(connection, of).map((instant, number) => ({ instant, day: of, firstOfDay: number === 0 })),
  );
  const visits = planned.filter(({ instant }) => instant >= connectedAt);
  return visits.flatMap(({ instant, ...poll }, i) => {
    if (person.zone.localDay(instant) !== day) return [];
    const since = visits[i - 1]?.instant ?? connectedAt;
    const before = visits[i - 2]?.instant ?? connectedAt;
    return [{ ...poll, visit: new Visit(connection, instant), since, before }];
  });
}
