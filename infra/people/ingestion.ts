import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { freshUuid, type Random, randomOf, stream } from './random.ts';

/** An event whose body is not built yet. */
export interface PlannedEvent {
  /** when the broker receives the event, in microseconds since 1970 */
  at: number;
  connection: ProviderConnection;
  eventType: string;
  deliveryId: string;
  /** builds the event's `data`. Every call returns the same value, so a redelivery does not need a stored copy */
  data: () => object;
  /** only for workout streams: builds the stream that the service's API returns */
  stream?: () => object;
}

/** The last part of an event type. An object's first version is `created`, and later versions are `updated`. */
export type Verb = 'created' | 'updated';

/**
 * One visit of the service to a provider, and its events. A delivery id is unique only within a user and an event type.
 * To reproduce this, the n-th event of each type in a visit has the same delivery id as the n-th event of every other type.
 */
export class Ingestion {
  readonly connection: ProviderConnection;
  /** time of the visit (ms), which is also the `updated_at` of its data */
  readonly instant: number;
  readonly events: PlannedEvent[] = [];
  readonly #random: Random;
  readonly #ordinals = new Map<string, number>();
  #clock: number;

  constructor(connection: ProviderConnection, instant: number) {
    this.connection = connection;
    this.instant = instant;
    this.#random = randomOf(connection.seed, stream.ingestion, instant);
    this.#clock = instant * 1000 + this.#random.whole(200_000, 6_000_000);
  }

  /** Adds and returns an event that arrives at `at` (ms). Default: less than a second after the previous event. */
  add(eventType: string, data: () => object, at?: number): PlannedEvent {
    const ordinal = this.#ordinals.get(eventType) ?? 0;
    this.#ordinals.set(eventType, ordinal + 1);
    this.#clock += this.#random.whole(3_000, 900_000);
    const { connection } = this;
    const event: PlannedEvent = {
      at: at === undefined ? this.#clock : at * 1000 + this.#random.whole(0, 999_999),
      connection,
      eventType,
      deliveryId: freshUuid(randomOf(connection.seed, stream.identifier, this.instant, ordinal)),
      data,
    };
    this.events.push(event);
    return event;
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

/** An event with data of one resource. Its body is not built yet. */
export interface DataEvent {
  /** when the service learns of the data, in ms since 1970. For past data: the end of the pulled range */
  readonly at: number;
  /** resource, as in event types: for example `heartrate` or `workout_stream` */
  readonly resource: string;
  readonly verb: Verb;
  /** builds the event's `data`. Every call returns the same value */
  readonly data: () => object;
  /** only for `workout_stream`: builds the stream that the service's API returns */
  readonly stream?: () => object;
}
