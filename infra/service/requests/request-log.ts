import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Authentication, keyHeaderOf } from '../api/authentication.ts';
import type { Clock } from '../time/clock.ts';

/** A request to the API, and how it was answered. */
export interface LoggedRequest {
  /** Counts the requests since the service started. The first one is 1. */
  readonly number: number;
  /** Virtual time of the request, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** The team whose key the request has. Null if it has no key, or an unknown one. */
  readonly team_id: string | null;
  /** Name of the header with the key. Null if the request has no such header. */
  readonly key_header: string | null;
  /** Status of the answer. Null if the service has not answered yet, or never does. */
  readonly status: number | null;
}

/** Earlier requests are forgotten. */
const KEPT = 10_000;

/**
 * The last requests to the API. The log is kept in memory, and is no part of the state: a snapshot does not have it, and it
 * is empty after a restart.
 */
export class RequestLog {
  readonly #kept: LoggedRequest[] = [];
  #count = 0;

  /** Adds a request. Returns a function that notes the status of its answer. */
  add(request: Omit<LoggedRequest, 'number' | 'status'>): (status: number) => void {
    const number = ++this.#count;
    this.#kept.push({ ...request, number, status: null });
    // The oldest are removed together, because removing one of them moves all others.
    if (this.#kept.length >= 2 * KEPT) this.#kept.splice(0, this.#kept.length - KEPT);
    return (status) => {
      const index = this.#kept.length - 1 - (this.#count - number);
      if (index >= 0) this.#kept[index] = { ...this.#kept[index]!, status };
    };
  }

  /** Returns the requests after the one with a number, the oldest first. */
  after(number: number, limit = KEPT): LoggedRequest[] {
    const oldest = this.#count - Math.min(this.#kept.length, KEPT);
    const first = this.#kept.length - (this.#count - Math.max(number, oldest));
    return this.#kept.slice(first, first + limit);
  }
}

interface Parts {
  readonly requests: RequestLog;
  readonly authentication: Authentication;
  readonly clock: Clock;
}

/** Adds every request to the log, before fault rules act on it. */
export function logRequests(app: FastifyInstance, { requests, authentication, clock }: Parts): void {
  const answered = new WeakMap<FastifyRequest, (status: number) => void>();
  app.addHook('onRequest', async (request) => {
    const logged = {
      at: clock.now(),
      method: request.method,
      target: request.url,
      team_id: authentication.teamOf(request)?.team_id ?? null,
      key_header: keyHeaderOf(request) ?? null,
    };
    answered.set(request, requests.add(logged));
  });
  app.addHook('onSend', async (request, reply, payload) => {
    answered.get(request)?.(reply.statusCode);
    return payload;
  });
}
