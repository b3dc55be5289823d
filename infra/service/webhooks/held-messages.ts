import type { Database } from '../storage/database.ts';
import type { DeliveryId } from './delivery.ts';

/** The messages that fault rules hold back until later events of the same user have arrived. */
export class HeldMessages {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add({ message_id, endpoint_id }: DeliveryId, behind: number): void {
    this.#database.run('insert or replace into held_messages values (?, ?, ?)', message_id, endpoint_id, behind);
  }

  remove({ message_id, endpoint_id }: DeliveryId): void {
    this.#database.run('delete from held_messages where message_id = ? and endpoint_id = ?', message_id, endpoint_id);
  }

  /** Counts an event that has arrived at an endpoint. Returns the messages that have waited for enough events. */
  release(endpoint: string, event: { readonly event_id: number; readonly user_id: string }): DeliveryId[] {
    this.#database.run(
      // SQLite runs the subquery for each held message. Listing all earlier messages would get slower with every event.
      `update held_messages set behind = behind - 1 where endpoint_id = ? and exists (
         select 1 from webhook_messages m join events e using (event_id)
         where m.message_id = held_messages.message_id and e.user_id = ? and e.event_id < ?)`,
      endpoint,
      event.user_id,
      event.event_id,
    );
    return this.#database.all(
      'delete from held_messages where endpoint_id = ? and behind <= 0 returning message_id, endpoint_id',
      endpoint,
    );
  }
}
