import { instant } from '../api/times.ts';
import type { DeliveryCounts } from '../delivery/counts.ts';
import { type Decision, type DeliveryQueue, decideDelivery, type WaitingDelivery } from '../delivery/queue.ts';
import { ATTEMPT_EXHAUSTED, isOperational, type Outbox, type Subject } from '../events/outbox.ts';
import type { DeliveryRule } from '../faults/fault-rule.ts';
import type { FaultRules, RuleState } from '../faults/fault-rules.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Finish, Sequence } from '../time/sequences.ts';
import { afterFailure, type Endpoint, type Endpoints, isDisabling } from './endpoints.ts';
import { attemptId } from './message-id.ts';

/** Maximum number of attempts at one endpoint at the same time. At most one of them per user is a first attempt. */
const AT_ONCE = 32;

/** A delivery whose last attempt has failed. */
interface Exhausted extends Pick<WaitingDelivery, 'event_type' | 'team_id' | 'user_id' | 'body'> {
  readonly message_id: string;
  readonly endpoint_id: string;
  readonly attempts: number;
  readonly last_status: number;
  /** Milliseconds since 1970. */
  readonly last_attempt_at: number;
}

/**
 * Sends one attempt. Resolves with the HTTP status, or 0 if there was no answer in time. Never rejects. If the signal aborts,
 * the result is ignored.
 */
export type Send = (endpoint: Endpoint, message: Message, signal: AbortSignal) => Promise<number>;

interface Message {
  readonly id: string;
  readonly body: string;
  /** Keys that sign the attempt, the newest first. */
  readonly keys: readonly string[];
  /** Virtual time of the attempt, in milliseconds since 1970. */
  readonly at: number;
}

interface Parts {
  readonly queue: DeliveryQueue;
  readonly endpoints: Endpoints;
  readonly faults: FaultRules;
  readonly send: Send;
  readonly counts: DeliveryCounts;
  /** Called within the transaction of a message's last attempt, if that failed. */
  readonly exhausted: (delivery: Exhausted) => void;
}

/** A delivery, what is done with it, and the status of its attempt. */
interface Done {
  readonly delivery: WaitingDelivery;
  readonly decision: Decision;
  /** Undefined if there was no attempt. */
  readonly status: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds between two attempts: the n-th is before attempt n + 2. The first attempt is immediate. */
const attemptGaps: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

const SECOND_MS = 1000;

/**
 * Counts attempts at endpoints that have a rate limit, so that no second of virtual time has more attempts than the limit. The
 * database holds the counts: a service that restarts within a second keeps to the limit, too.
 */
class RateLimits {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the time from which an endpoint may have another attempt, in milliseconds since 1970. */
  freeAt(id: string): number {
    const { full_at } = this.#database.get<{ full_at: number | null }>(
      `select max(at) as full_at
       from (select at, sum(attempts) over (order by at desc) as attempts from recent_attempts where endpoint_id = ?1)
       where attempts >= (select rate_limit from webhook_endpoints where endpoint_id = ?1)`,
      id,
    )!;
    return full_at === null ? -Infinity : full_at + SECOND_MS;
  }

  /** Returns how many attempts an endpoint may have at a time. */
  room({ endpoint_id, rate_limit }: Endpoint, at: number): number {
    if (rate_limit === null) return Infinity;
    const { attempts } = this.#database.get<{ attempts: number }>(
      'select coalesce(sum(attempts), 0) as attempts from recent_attempts where endpoint_id = ? and at > ?',
      endpoint_id,
      at - SECOND_MS,
    )!;
    return Math.max(0, rate_limit - attempts);
  }

  /** Counts attempts, unless the endpoint has been deleted meanwhile. */
  note({ endpoint_id, rate_limit }: Endpoint, at: number, attempts: number): void {
    if (rate_limit === null || attempts === 0) return;
    this.#database.run('delete from recent_attempts where endpoint_id = ? and at <= ?', endpoint_id, at - SECOND_MS);
    this.#database.run(
      `insert into recent_attempts select endpoint_id, ?, ? from webhook_endpoints where endpoint_id = ?
       on conflict do update set attempts = attempts + excluded.attempts`,
      at,
      attempts,
      endpoint_id,
    );
  }
}

/** The attempts to deliver messages. Each endpoint has a sequence of its own. */
export class Attempts {
  readonly #state: State;
  readonly #parts: Parts;
  readonly #limits: RateLimits;

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#limits = new RateLimits(state.database);
    this.#parts = parts;
    state.jobs.follow(() => parts.endpoints.ids().map((id) => this.#sequenceOf(id)));
  }

  #sequenceOf(id: string): Sequence {
    return {
      name: id,
      due: () => {
        const due = this.#parts.queue.due(id);
        return due === undefined ? undefined : Math.max(due, this.#limits.freeAt(id));
      },
      step: (at, signal) => this.#step(id, at, signal),
    };
  }

  async #step(id: string, at: number, signal: AbortSignal): Promise<Finish> {
    const { queue, endpoints, faults, counts } = this.#parts;
    const endpoint = endpoints.find(id)!;
    if (endpoint.is_disabled) return () => queue.giveUp(id, at);
    const due = queue.dueAt(id, at, Math.min(AT_ONCE, this.#limits.room(endpoint, at)));
    let rules: readonly RuleState<DeliveryRule>[] = faults.forDeliveries(id);
    const decided = due.map((delivery) => {
      const { decision, rules: after } = decideDelivery(delivery, 'webhook', { rules, at });
      rules = after;
      return { delivery, decision };
    });
    const done = await Promise.all(
      decided.map(async (one): Promise<Done> => ({ ...one, status: await this.#attempt(endpoint, one, { at, signal }) })),
    );
    return () => {
      faults.save(id, rules);
      this.#limits.note(endpoint, at, done.filter(({ decision }) => decision.kind === 'attempt').length);
      for (const one of done) this.#note(one, at);
      const made = done.filter(({ status }) => status !== undefined);
      const succeeded = made.filter(({ status }) => isSuccess(status!)).length;
      counts.add({ team_id: endpoint.team_id, destination: 'svix', at }, { succeeded, failed: made.length - succeeded });
    };
  }

  async #attempt(
    endpoint: Endpoint,
    { delivery, decision }: Omit<Done, 'status'>,
    { at, signal }: { readonly at: number; readonly signal: AbortSignal },
  ): Promise<number | undefined> {
    if (decision.kind !== 'attempt') return undefined;
    if (decision.lost !== undefined) return decision.lost.status ?? 0;
    const { message_id, body } = delivery;
    const message = { id: message_id!, body, keys: this.#parts.endpoints.signingKeys(endpoint, at), at };
    const status = await this.#parts.send(endpoint, message, signal);
    if (decision.copies === 2) await this.#parts.send(endpoint, message, signal);
    return status;
  }

  #note({ delivery, decision, status }: Done, at: number): void {
    const { queue, endpoints } = this.#parts;
    if (!queue.isSame(delivery)) return;
    if (decision.kind !== 'attempt') {
      queue.wait(delivery, decision);
      return;
    }
    const attempts = delivery.attempts + 1;
    const hasArrived = isSuccess(status!);
    const gap = hasArrived ? undefined : attemptGaps[delivery.attempts];
    this.#state.database.run(
      `update deliveries set state = ?, due_at = ?, attempts = ?, last_status = ?, last_attempt_at = ?, decided = null, behind = null
       where delivery_id = ?`,
      hasArrived ? 'succeeded' : gap === undefined ? 'failed' : 'pending',
      gap === undefined ? null : at + gap,
      attempts,
      status!,
      at,
      delivery.delivery_id,
    );
    const { destination: endpoint_id, message_id } = delivery;
    if (hasArrived) {
      endpoints.setFailing(endpoint_id, null);
      queue.arrived(delivery, at);
      return;
    }
    if (gap === undefined)
      this.#parts.exhausted({
        ...delivery,
        message_id: message_id!,
        endpoint_id,
        attempts,
        last_status: status!,
        last_attempt_at: at,
      });
    // The endpoint may have changed while the attempt ran.
    const failing = afterFailure(endpoints.find(endpoint_id)!.failing, at);
    if (isDisabling(failing)) endpoints.setDisabled(endpoint_id, true);
    else endpoints.setFailing(endpoint_id, failing);
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Notifies a team's endpoints that all attempts to deliver a message failed. The notification has the members of Svix's
 * operational events. If a notification itself cannot be delivered, no further one follows.
 */
export function tellExhausted(outbox: Outbox, delivery: Exhausted): void {
  if (isOperational(delivery.event_type)) return;
  const { message_id, endpoint_id, attempts, last_status, last_attempt_at, team_id, user_id } = delivery;
  const subject: Subject =
    user_id === null
      ? { team_id }
      : { team_id, user_id, client_user_id: (JSON.parse(delivery.body) as { client_user_id: string }).client_user_id };
  const data = {
    appId: team_id,
    endpointId: endpoint_id,
    msgId: message_id,
    lastAttempt: {
      id: attemptId(last_attempt_at, `${message_id} ${endpoint_id} ${attempts}`),
      responseStatusCode: last_status,
      timestamp: instant(last_attempt_at),
    },
  };
  outbox.tell(subject, ATTEMPT_EXHAUSTED, {
    data,
    at: last_attempt_at,
    name: `${message_id} ${endpoint_id}`,
  });
}
