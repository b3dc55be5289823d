import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Authentication } from './authentication.ts';
import type { detailSchema } from './errors.ts';

/** How many requests each key may send in a window. */
export interface RateLimit {
  readonly requests: number;
  /** Length of a window, in real seconds. */
  readonly seconds: number;
}

/** The requests of a key since the window began. A window begins with the first request after the one before has ended. */
interface Window {
  /** Milliseconds. */
  readonly end: number;
  readonly requests: number;
}

/** Counts the requests of each key in memory. They are no part of the state, because clients wait in real time. */
export class RateLimits {
  readonly #windows = new Map<string, Window>();
  #limit: RateLimit | undefined;

  constructor(limit?: RateLimit) {
    this.#limit = limit;
  }

  /** Undefined if the service has no rate limit. */
  get limit(): RateLimit | undefined {
    return this.#limit;
  }

  /** Sets the limit, or removes it. All windows begin again. */
  set(limit: RateLimit | undefined): void {
    this.#limit = limit;
    this.#windows.clear();
  }

  /**
   * Counts a request. `now` is real time in milliseconds, and never goes back. Returns undefined if the key may send the request.
   * Otherwise, returns how long the key must wait, in whole seconds.
   */
  waitOf(key: string, now: number): number | undefined {
    if (this.#limit === undefined) return undefined;
    const before = this.#windows.get(key);
    const hasEnded = before === undefined || before.end <= now;
    const { end, requests } = hasEnded ? { end: now + this.#limit.seconds * 1000, requests: 0 } : before;
    if (requests >= this.#limit.requests) return Math.ceil((end - now) / 1000);
    this.#windows.set(key, { end, requests: requests + 1 });
    return undefined;
  }
}

interface Parts {
  readonly limits: RateLimits;
  readonly authentication: Authentication;
}

/** Body of the answer to a key that has sent too many requests. */
export const TOO_MANY_REQUESTS: z.output<typeof detailSchema> = { detail: 'The key has sent too many requests' };

/** Refuses requests over the limit of their key. Requests to no operation, or without a valid key, do not count. */
export function limitRequests(
  app: FastifyInstance,
  { limits, authentication }: Parts,
  now: () => number = () => performance.now(),
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (limits.limit === undefined || request.routeOptions.config.operation === undefined) return undefined;
    const caller = authentication.callerOf(request);
    const wait = caller === undefined ? undefined : limits.waitOf(caller, now());
    return wait === undefined ? undefined : reply.code(429).header('retry-after', String(wait)).send(TOO_MANY_REQUESTS);
  });
}
