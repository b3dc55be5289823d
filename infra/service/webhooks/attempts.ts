import type { DeliveryEffect } from '../faults/fault-rule.ts';
import type { FaultRules } from '../faults/fault-rules.ts';
import type { State } from '../state.ts';
import { attemptGaps, type Delivery, type DeliveryId, type Send, type SentEvent } from './delivery.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import { afterFailure, isDisabling } from './failing.ts';
import { HeldMessages } from './held-messages.ts';

const ATTEMPT = 'webhook attempt';
/** Attempts that run at the same time. */
const AT_ONCE = 32;

interface PlannedAttempt extends DeliveryId {
  /** Effect of the fault rule that delayed the attempt. Undefined if the rules have not been asked yet. */
  readonly decided?: DeliveryEffect | null;
}

interface Parts {
  readonly endpoints: Endpoints;
  readonly faults: FaultRules;
  readonly send: Send;
  /** Called within the transaction of a message's last attempt, if that failed. */
  readonly exhausted: (delivery: Delivery, event: SentEvent) => void;
}

/** The attempts to deliver messages: when they are due, and what follows from their outcome. */
export class Attempts {
  readonly #state: State;
  readonly #parts: Parts;
  readonly #held: HeldMessages;

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#parts = parts;
    this.#held = new HeldMessages(state.database);
    state.jobs.handle<PlannedAttempt>(ATTEMPT, (attempt) => this.#attempt(attempt), AT_ONCE);
  }

  plan(attempt: PlannedAttempt, dueAt: number): void {
    this.#state.jobs.add({ kind: ATTEMPT, dueAt, subject: subjectOf(attempt), payload: attempt });
  }

  /** Plans an attempt instead of all that are planned, and ignores the outcome of one that runs. */
  replan(attempt: PlannedAttempt, dueAt: number): void {
    this.#state.jobs.cancel(subjectOf(attempt));
    this.plan(attempt, dueAt);
  }

  find({ message_id, endpoint_id }: DeliveryId): Delivery | undefined {
    return this.#state.database.get(
      'select * from webhook_deliveries where message_id = ? and endpoint_id = ?',
      message_id,
      endpoint_id,
    );
  }

  async #attempt(attempt: PlannedAttempt): Promise<(() => void) | undefined> {
    const delivery = this.find(attempt);
    const endpoint = this.#parts.endpoints.find(attempt.endpoint_id);
    if (delivery?.state !== 'pending' || endpoint === undefined) return undefined;
    if (endpoint.is_disabled) return () => this.#set(delivery, 'failed', delivery.last_status);
    const event = this.#eventOf(attempt.message_id);
    const { delayMs, effect } = this.#effectOn(attempt, event);
    const { message_id, endpoint_id } = attempt;
    const now = this.#state.clock.now();
    if (delayMs > 0) return () => this.plan({ message_id, endpoint_id, decided: effect }, now + delayMs);
    if (effect?.kind === 'reorder')
      return () => {
        this.#held.add(attempt, effect.behind);
        this.plan({ message_id, endpoint_id, decided: null }, now + effect.within_seconds * 1000);
      };
    const status = effect?.kind === 'lose' ? (effect.status ?? 0) : await this.#send(endpoint, attempt, event);
    if (effect?.kind === 'duplicate') await this.#send(endpoint, attempt, event);
    return () => this.#note({ delivery, event }, status);
  }

  #eventOf(message: string): SentEvent {
    return this.#state.database.get<SentEvent>(
      'select event_id, event_type, user_id, team_id, body from events join webhook_messages using (event_id) where message_id = ?',
      message,
    )!;
  }

  #effectOn({ decided, endpoint_id }: PlannedAttempt, event: SentEvent): { delayMs: number; effect: DeliveryEffect | null } {
    if (decided !== undefined) return { delayMs: 0, effect: decided };
    const rule = this.#parts.faults.forDelivery({ ...event, endpoint_id, via: 'webhook' });
    return { delayMs: (rule?.delay_seconds ?? 0) * 1000, effect: rule?.effect ?? null };
  }

  #send(endpoint: Endpoint, { message_id }: DeliveryId, { body }: SentEvent): Promise<number> {
    return this.#parts.send(endpoint, { id: message_id, body, keys: this.#parts.endpoints.signingKeys(endpoint) });
  }

  #note({ delivery, event }: { delivery: Delivery; event: SentEvent }, status: number): void {
    const { message_id, endpoint_id, attempts } = delivery;
    const now = this.#state.clock.now();
    this.#held.remove(delivery);
    if (status >= 200 && status < 300) {
      this.#set({ ...delivery, attempts: attempts + 1 }, 'succeeded', status);
      this.#parts.endpoints.setFailing(endpoint_id, null);
      for (const held of this.#held.release(endpoint_id, event)) this.replan({ ...held, decided: null }, now);
      return;
    }
    const gap = attemptGaps[attempts];
    this.#set({ ...delivery, attempts: attempts + 1 }, gap === undefined ? 'failed' : 'pending', status);
    if (gap === undefined) this.#parts.exhausted(this.find(delivery)!, event);
    else this.plan({ message_id, endpoint_id }, now + gap);
    // The endpoint may have changed while the attempt ran.
    const failing = afterFailure(this.#parts.endpoints.find(endpoint_id)?.failing ?? null, now);
    if (isDisabling(failing)) this.#parts.endpoints.setDisabled(endpoint_id, true);
    else this.#parts.endpoints.setFailing(endpoint_id, failing);
  }

  #set({ message_id, endpoint_id, attempts }: Delivery, state: Delivery['state'], status: number | null): void {
    this.#state.database.run(
      `update webhook_deliveries set state = ?, attempts = ?, last_status = ?, last_attempt_at = ?
       where message_id = ? and endpoint_id = ?`,
      state,
      attempts,
      status,
      this.#state.clock.now(),
      message_id,
      endpoint_id,
    );
  }
}

const subjectOf = ({ message_id, endpoint_id }: DeliveryId): string => `delivery of ${message_id} to ${endpoint_id}`;
