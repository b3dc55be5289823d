import type { StoredEvent } from '../events/outbox.ts';
import type { State } from '../state.ts';
import type { Attempts } from './attempts.ts';
import type { Delivery, DeliveryId } from './delivery.ts';
import type { Endpoints } from './endpoints.ts';
import { failedEndpointOf } from './exhausted.ts';
import { messageId } from './message-id.ts';

/** A delivery, and the event that it carries. Times are in milliseconds since 1970. */
export interface ListedDelivery extends Delivery {
  readonly event_type: string;
  readonly created_at: number;
}

/** The messages to webhook endpoints. Each is delivered at least once, as Svix does. */
export class Deliveries {
  readonly #state: State;
  readonly #endpoints: Endpoints;
  readonly #attempts: Attempts;

  constructor(state: State, endpoints: Endpoints, attempts: Attempts) {
    this.#state = state;
    this.#endpoints = endpoints;
    this.#attempts = attempts;
  }

  /**
   * Plans the delivery of an event. The caller's transaction holds the event, too. Webhooks carry no historical data. Returns
   * whether an endpoint gets the event.
   */
  plan({ event_id, team_id, event_type, created_at, is_historical, body }: StoredEvent): boolean {
    if (is_historical === 1) return false;
    const { database, clock } = this.#state;
    const endpoints = this.#endpoints.listeningTo(team_id, event_type, failedEndpointOf({ event_type, body }));
    if (endpoints.length === 0) return false;
    // The body is part of the id: after a restored snapshot, another event can have the same number.
    const message_id = messageId(created_at, `${team_id} ${event_id} ${body}`);
    database.run('insert into webhook_messages values (?, ?)', message_id, event_id);
    for (const { endpoint_id } of endpoints) {
      database.run("insert into webhook_deliveries values (?, ?, 'pending', 0, null, null)", message_id, endpoint_id);
      this.#attempts.plan({ message_id, endpoint_id }, clock.now());
    }
    return true;
  }

  find(message: string, endpoint: string): Delivery | undefined {
    return this.#attempts.find({ message_id: message, endpoint_id: endpoint });
  }

  /** Returns the deliveries to an endpoint, in the order of their messages. */
  to(endpoint: string): Delivery[] {
    return this.#state.database.all('select * from webhook_deliveries where endpoint_id = ? order by message_id', endpoint);
  }

  /** Returns deliveries to an endpoint after a message, in the order of their messages, at most `limit`. */
  page(endpoint: string, { after, limit }: { readonly after: string; readonly limit: number }): ListedDelivery[] {
    return this.#state.database.all(
      `select d.*, e.event_type, e.created_at
       from webhook_deliveries d join webhook_messages using (message_id) join events e using (event_id)
       where d.endpoint_id = ? and d.message_id > ? order by d.message_id limit ?`,
      endpoint,
      after,
      limit,
    );
  }

  /** Delivers a message again, with the same id. Returns whether the endpoint had got this message. */
  resend(message: string, endpoint: string): boolean {
    return this.#state.database.transaction(() => {
      if (this.find(message, endpoint) === undefined) return false;
      this.#restart({ message_id: message, endpoint_id: endpoint });
      return true;
    });
  }

  /** Delivers all failed messages again that were created since a time. Returns their number. */
  recover(endpoint: string, since: number): number {
    const { database } = this.#state;
    return database.transaction(() => {
      const failed = database.all<DeliveryId>(
        `select d.message_id, d.endpoint_id
         from webhook_deliveries d join webhook_messages m using (message_id) join events e using (event_id)
         where d.endpoint_id = ? and d.state = 'failed' and e.created_at >= ? order by e.event_id`,
        endpoint,
        since,
      );
      for (const one of failed) this.#restart(one);
      return failed.length;
    });
  }

  #restart(id: DeliveryId): void {
    this.#state.database.run(
      "update webhook_deliveries set state = 'pending', attempts = 0 where message_id = ? and endpoint_id = ?",
      id.message_id,
      id.endpoint_id,
    );
    this.#attempts.replan(id, this.#state.clock.now());
  }
}
