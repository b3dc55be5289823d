import type { Connection } from './connection.ts';
import { freshUuid } from './identifier.ts';
import { type Random, randomOf, stream } from './random.ts';

/** An event of the service, before it has a body. */
export interface PlannedEvent {
  /** microseconds since 1970: when the broker takes it */
  at: number;
  connection: Connection;
  eventType: string;
  deliveryId: string;
  /** makes the member `data`; gives the same value whenever it is called, so a repetition needs no copy */
  data: () => object;
}

/** The end of an event type for the first discovery and for a later change of the same thing. */
export type Verb = 'created' | 'updated';

/**
 * One visit of the service to a provider, and the events that it makes. A delivery id is unique only within a user and an event type, and
 * visits make use of that: the n-th events of every type carry the same id.
 */
export class Ingestion {
  readonly connection: Connection;
  /** ms; the `updated_at` of what this visit brings */
  readonly instant: number;
  readonly events: PlannedEvent[] = [];
  readonly #random: Random;
  readonly #ordinals = new Map<string, number>();
  #clock: number;

  constructor(connection: Connection, instant: number) {
    this.connection = connection;
    this.instant = instant;
    this.#random = randomOf(connection.seed, stream.ingestion, instant);
    this.#clock = instant * 1000 + this.#random.whole(200_000, 6_000_000);
  }

  /** Adds an event; without a time of its own (ms) it follows the one before within two seconds. */
  add(eventType: string, data: () => object, at?: number): void {
    const ordinal = this.#ordinals.get(eventType) ?? 0;
    this.#ordinals.set(eventType, ordinal + 1);
    this.#clock += this.#random.whole(3_000, 900_000);
    const { connection } = this;
    this.events.push({
      at: at === undefined ? this.#clock : at * 1000 + this.#random.whole(0, 999_999),
      connection,
      eventType,
      deliveryId: freshUuid(randomOf(connection.seed, stream.identifier, this.instant, ordinal)),
      data,
    });
  }
}
