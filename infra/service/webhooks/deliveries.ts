import type { StoredEvent } from '../events/outbox.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';
import type { Jobs } from '../time/jobs.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import { messageId } from './message-id.ts';

/** Sends one attempt. Resolves with the HTTP status, or 0 if there was no answer in time. Never rejects. */
export type Send = (endpoint: Endpoint, message: Message) => Promise<number>;

interface Message {
  readonly id: string;
  readonly body: string;
  /** Keys that sign the attempt, the newest first. */
  readonly keys: readonly string[];
}

export interface Delivery {
  readonly message_id: string;
  readonly endpoint_id: string;
  readonly state: 'pending' | 'succeeded' | 'failed';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_attempt_at: number | null;
}

interface Attempt {
  readonly message_id: string;
  readonly endpoint_id: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time between two attempts: the n-th is before attempt n + 2. The first attempt is immediate. */
const gaps = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
/** An endpoint is disabled when its attempts have failed for this long. */
const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;
const ATTEMPT = 'webhook attempt';
/** Attempts that run at the same time. */
const AT_ONCE = 32;

/** Delivers events to webhook endpoints, at least once, as Svix does. */
export class Deliveries {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #jobs: Jobs;
  readonly #endpoints: Endpoints;
  readonly #send: Send;

  constructor({ database, clock, jobs }: State, endpoints: Endpoints, send: Send) {
    this.#database = database;
    this.#clock = clock;
    this.#jobs = jobs;
    this.#endpoints = endpoints;
    this.#send = send;
    jobs.handle<Attempt>(ATTEMPT, (attempt) => this.#attempt(attempt), AT_ONCE);
  }

  /**
   * Plans the delivery of an event. The caller's transaction holds the event, too. Webhooks carry no historical data. Returns
   * whether an endpoint gets the event.
   */
  plan(event: StoredEvent): boolean {
    if (event.is_historical === 1) return false;
    const endpoints = this.#endpoints.listeningTo(event.team_id, event.event_type);
    if (endpoints.length === 0) return false;
    const id = messageId(event.created_at, `${event.team_id} ${event.event_id}`);
    this.#database.run('insert into webhook_messages values (?, ?)', id, event.event_id);
    for (const { endpoint_id } of endpoints) {
      this.#database.run("insert into webhook_deliveries values (?, ?, 'pending', 0, null, null)", id, endpoint_id);
      this.#try({ message_id: id, endpoint_id }, this.#clock.now());
    }
    return true;
  }

  find(message: string, endpoint: string): Delivery | undefined {
    return this.#database.get('select * from webhook_deliveries where message_id = ? and endpoint_id = ?', message, endpoint);
  }

  /** Returns the deliveries to an endpoint, in the order of their messages. */
  to(endpoint: string): Delivery[] {
    return this.#database.all('select * from webhook_deliveries where endpoint_id = ? order by message_id', endpoint);
  }

  /** Delivers a message again, with the same id. Returns whether the endpoint had got this message. */
  resend(message: string, endpoint: string): boolean {
    return this.#database.transaction(() => {
      if (this.find(message, endpoint) === undefined) return false;
      this.#restart(message, endpoint);
      return true;
    });
  }

  /** Delivers all failed messages again that were created since a time. Returns their number. */
  recover(endpoint: string, since: number): number {
    return this.#database.transaction(() => {
      const failed = this.#database.all<Attempt>(
        `select d.message_id, d.endpoint_id
         from webhook_deliveries d join webhook_messages m using (message_id) join events e using (event_id)
         where d.endpoint_id = ? and d.state = 'failed' and e.created_at >= ? order by e.event_id`,
        endpoint,
        since,
      );
      for (const { message_id } of failed) this.#restart(message_id, endpoint);
      return failed.length;
    });
  }

  #restart(message: string, endpoint: string): void {
    this.#jobs.cancel(subjectOf(message, endpoint));
    this.#database.run(
      "update webhook_deliveries set state = 'pending', attempts = 0 where message_id = ? and endpoint_id = ?",
      message,
      endpoint,
    );
    this.#try({ message_id: message, endpoint_id: endpoint }, this.#clock.now());
  }

  #try(attempt: Attempt, dueAt: number): void {
    this.#jobs.add({ kind: ATTEMPT, dueAt, subject: subjectOf(attempt.message_id, attempt.endpoint_id), payload: attempt });
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const delivery = this.find(attempt.message_id, attempt.endpoint_id);
    const endpoint = this.#endpoints.find(attempt.endpoint_id);
    if (delivery?.state !== 'pending' || endpoint === undefined) return;
    if (endpoint.is_disabled) {
      this.#set(delivery, 'failed', delivery.last_status);
      return;
    }
    const { body } = this.#database.get<{ body: string }>(
      'select body from events join webhook_messages using (event_id) where message_id = ?',
      attempt.message_id,
    )!;
    const keys = this.#endpoints.signingKeys(endpoint);
    const status = await this.#send(endpoint, { id: attempt.message_id, body, keys });
    this.#database.transaction(() => this.#note(delivery, endpoint, status));
  }

  #note(delivery: Delivery, endpoint: Endpoint, status: number): void {
    const now = this.#clock.now();
    const { message_id, endpoint_id, attempts } = delivery;
    if (status >= 200 && status < 300) {
      this.#set({ ...delivery, attempts: attempts + 1 }, 'succeeded', status);
      this.#endpoints.setFailingSince(endpoint_id, null);
      return;
    }
    const gap = gaps[attempts];
    this.#set({ ...delivery, attempts: attempts + 1 }, gap === undefined ? 'failed' : 'pending', status);
    if (gap !== undefined) this.#try({ message_id, endpoint_id }, now + gap);
    const since = endpoint.failing_since ?? now;
    if (now - since >= DISABLED_AFTER_MS) this.#endpoints.setDisabled(endpoint_id, true);
    else this.#endpoints.setFailingSince(endpoint_id, since);
  }

  #set({ message_id, endpoint_id, attempts }: Delivery, state: Delivery['state'], status: number | null): void {
    this.#database.run(
      `update webhook_deliveries set state = ?, attempts = ?, last_status = ?, last_attempt_at = ?
       where message_id = ? and endpoint_id = ?`,
      state,
      attempts,
      status,
      this.#clock.now(),
      message_id,
      endpoint_id,
    );
  }
}

const subjectOf = (message: string, endpoint: string): string => `delivery of ${message} to ${endpoint}`;
