import type { DeliveryQueue } from '../delivery/queue.ts';
import type { EventFacts, Recipient } from '../events/outbox.ts';
import type { State } from '../state.ts';
import type { Endpoints } from './endpoints.ts';
import { messageId } from './message-id.ts';

/** A message to an endpoint. Times are in milliseconds since 1970. */
export interface Delivery {
  readonly message_id: string;
  readonly endpoint_id: string;
  readonly event_type: string;
  /** When the event happened. */
  readonly created_at: number;
  readonly state: 'pending' | 'succeeded' | 'failed';
  readonly attempts: number;
  /** 0 if there was no answer; null without an attempt. */
  readonly last_status: number | null;
  readonly last_attempt_at: number | null;
}

const deliveries = `select delivery_id, message_id, destination as endpoint_id, event_type, created_at, state, attempts,
  last_status, last_attempt_at from deliveries join events using (event_id) where destination = ?`;

/** The messages to webhook endpoints. Each is delivered at least once, as Svix does. */
export class Deliveries {
  readonly #state: State;
  readonly #endpoints: Endpoints;
  readonly #queue: DeliveryQueue;

  constructor(state: State, endpoints: Endpoints, queue: DeliveryQueue) {
    this.#state = state;
    this.#endpoints = endpoints;
    this.#queue = queue;
  }

  /**
   * Returns the endpoints that get an event. A message to a disabled endpoint counts as failed, so it can be recovered.
   * Webhooks carry no historical data.
   */
  recipientsOf({ team_id, event_type, isHistorical }: EventFacts): Recipient[] {
    if (isHistorical) return [];
    return this.#endpoints.listeningTo(team_id, event_type).map(({ endpoint_id: destination, is_disabled }) => ({
      isActive: !is_disabled,
      plan: ({ event_id, event_name, created_at, body }) =>
        this.#queue.add({
          destination,
          event_id,
          // The body is part of the id: after a restored snapshot, another event can have the same name.
          message_id: messageId(created_at, `${event_name} ${body}`),
          due_at: is_disabled ? null : created_at,
        }),
    }));
  }

  find(message: string, endpoint: string): Delivery | undefined {
    return this.#row(message, endpoint);
  }

  /** Returns the deliveries to an endpoint, the oldest first. */
  to(endpoint: string): Delivery[] {
    return this.#state.database.all(`${deliveries} order by delivery_id`, endpoint);
  }

  /**
   * Returns deliveries to an endpoint, the oldest first, at most `limit`: from the beginning, or after a message. Undefined if
   * there is no such message.
   */
  page(
    endpoint: string,
    { after, limit }: { readonly after: string | undefined; readonly limit: number },
  ): Delivery[] | undefined {
    const last = after === undefined ? { delivery_id: 0 } : this.#row(after, endpoint);
    if (last === undefined) return undefined;
    return this.#state.database.all(
      `${deliveries} and delivery_id > ? order by delivery_id limit ?`,
      endpoint,
      last.delivery_id,
      limit,
    );
  }

  /** Delivers a message again, with the same id. Returns whether the endpoint had got this message. */
  resend(message: string, endpoint: string): boolean {
    const { database, clock, jobs } = this.#state;
    const found = this.#row(message, endpoint);
    if (found === undefined) return false;
    database.transaction(() => this.#queue.restart(found.delivery_id, clock.now()));
    jobs.wake();
    return true;
  }

  /**
   * Delivers all failed messages again that were created since a time, also those from while the endpoint was disabled. Returns
   * their number.
   */
  recover(endpoint: string, since: number): number {
    const { database, clock, jobs } = this.#state;
    const count = database.transaction(() => {
      const failed = database.all<{ delivery_id: number }>(
        `${deliveries} and state = 'failed' and created_at >= ? order by event_id`,
        endpoint,
        since,
      );
      for (const { delivery_id } of failed) this.#queue.restart(delivery_id, clock.now());
      return failed.length;
    });
    jobs.wake();
    return count;
  }

  #row(message: string, endpoint: string): (Delivery & { readonly delivery_id: number }) | undefined {
    return this.#state.database.get(`${deliveries} and message_id = ?`, endpoint, message);
  }
}
