import { setTimeout as sleep } from 'node:timers/promises';
import { type AortaError, backoff, steadyNow, systemTime } from '@aorta/runtime';
import { isExact } from '@aorta/schemas';
import PQueue from 'p-queue';
import type { AttemptObserver } from './access.ts';
import { ServiceError } from './errors.ts';
import type { ServiceSettings } from './options.ts';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Maximum number of attempts, including the first. */
const MOST_ATTEMPTS = 8;

/** Number of bytes to search at the start of an error response's body. */
const LOOKED_AT = 4096;

/** HTTP status codes of transient failures. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** One request to the service. All requests are GET, so each may be retried. */
export interface ServiceRequest {
  /** The operation as the API documents it, without ids, such as `GET /v2/user/{user_id}`. Used in errors. */
  readonly operation: string;
  /** Path relative to the base URL, including ids. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** If the signal aborts, the call is cancelled and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Budget for the retries. The caller must charge the first attempt to the budget itself. */
  readonly budget?: CallBudget | undefined;
}

/** A limit on the number of calls in a period. */
export interface CallBudget {
  /** Returns the milliseconds until the next call is allowed; 0 means now. */
  wait(): number;
  /** Counts a call that is made now. */
  spend(): void;
}

/** An answer with status 200 and a JSON body. */
export interface RawAnswer {
  readonly body: Buffer;
  readonly content: unknown;
  /**
   * Time of the answer according to the service's clock, in microseconds since 1970 and with a precision of one second. If
   * the answer has no valid `Date` header, this is the local time before the call.
   */
  readonly servedAt: number;
}

/** An observer of the attempts, and functions that tests can replace: clock, randomness and sleep. */
export interface Surroundings {
  readonly observer?: AttemptObserver;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Matches JSON with a number of sixteen digits or with an exponent, which a double may be unable to represent exactly. */
const suspicious = /\d{16}|\d[eE][+]?\d/;

/** Members of `JSON` that Node supports, but TypeScript's standard library does not declare yet. */
const json = JSON as unknown as {
  rawJSON(text: string): object;
  parse(text: string, revive: (name: string, value: unknown, context: { readonly source: string }) => unknown): unknown;
};

/**
 * Parses a JSON body. A number that a double cannot represent (1e400, an integer beyond 2^53) becomes a `JSON.rawJSON`
 * object. JSON.stringify writes such a number exactly as the service sent it, so parts of the answer can be stored
 * unchanged. Throws a SyntaxError whose message quotes the body, so do not log the message.
 */
function contentOf(body: Buffer): unknown {
  const text = body.toString('utf8');
  if (!suspicious.test(text)) return JSON.parse(text);
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && !isExact(value) ? json.rawJSON(source) : value,
  );
}

/**
 * Returns the pause that the service asks for, in milliseconds, or undefined if `Retry-After` is missing or invalid.
 * The header is a number of seconds, or a date by the service's clock.
 */
function askedToWait(retryAfter: string | null, servedAtMs: number): number | undefined {
  if (retryAfter === null) return undefined;
  const text = retryAfter.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(0, until - servedAtMs);
}

/**
 * Returns the milliseconds until the next attempt. If the service asked for a pause, a random amount of up to 50 ms plus a
 * tenth of the pause is added. Otherwise, the wait doubles with each attempt, and is shortened by a random amount of up
 * to half. The random amount keeps callers that failed together from retrying together. `chance` is a random number from 0
 * to 1.
 */
function pauseBefore(attempt: number, asked: number | undefined, chance: number): number {
  if (asked !== undefined) return asked + (asked / 10 + 50) * chance;
  const whole = backoff(attempt, FIRST_MS, LONGEST_MS);
  return whole / 2 + (whole / 2) * chance;
}

/** An error response. Its body may contain personal data, so Aorta only searches the body for known text and never logs it. */
interface Refused {
  readonly host: string;
  /** The operation as the API documents it, without ids: `GET /v2/user`. */
  readonly operation: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Returns the error for a response with a status other than 200. A 404 in the API's own error format
 * becomes AORTA-SERVICE-GONE: the requested object no longer exists. A 404 from a proxy or for a wrong URL becomes
 * AORTA-SERVICE-REFUSED, so that existing objects are never recorded as gone.
 */
function refusalOf(refused: Refused): AortaError {
  const { host, operation, status } = refused;
  if (status === 401) return new ServiceError('AORTA-SERVICE-KEY', { host });
  if (passing.has(status)) return new ServiceError('AORTA-SERVICE-BUSY', { host, operation, status });
  // Until November 2025, the service reported in plain text that an endpoint is in closed beta. Since then, it has used
  // JSON. The status of these responses is not documented.
  if (isClosedBeta(refused)) return new ServiceError('AORTA-SERVICE-NOT-ENABLED', { host, operation });
  if (status === 403) return new ServiceError('AORTA-SERVICE-FORBIDDEN', { host, operation });
  if (status === 404 && isOfService(refused)) return new ServiceError('AORTA-SERVICE-GONE', { host, operation });
  return new ServiceError('AORTA-SERVICE-REFUSED', { host, operation, status });
}

/** Matches the message that the service sends if the team does not have access to an endpoint yet. */
const closedBeta = /closed[ _-]?beta|not (?:been )?enabled for (?:your|this|the) (?:team|org)/i;

/** Whether the answer reports that the endpoint is in closed beta. Some plain-text answers of this kind had status 200. */
function isClosedBeta({ contentType, body }: Pick<Refused, 'contentType' | 'body'>): boolean {
  return !isHtml(contentType, body) && closedBeta.test(body.toString('utf8', 0, LOOKED_AT));
}

function isHtml(contentType: string, body: Buffer): boolean {
  return /html/i.test(contentType) || /^\s*<(?:!doctype|html|head|body)/i.test(body.toString('utf8', 0, 512));
}

/**
 * Whether an endpoint of the service sent the error, as an object with a `detail` member. The error that the service's
 * router sends for an unknown path also has `detail`, but does not count.
 */
function isOfService({ body }: Refused): boolean {
  if (body.length > LOOKED_AT) return false;
  try {
    const content: unknown = JSON.parse(body.toString('utf8'));
    return typeof content === 'object' && content !== null && 'detail' in content && content.detail !== 'Not Found';
  } catch {
    return false;
  }
}

/**
 * Sends requests to the service. It limits concurrent calls, gives each a deadline, and retries transient failures with
 * pauses until the total deadline. If the service asks for a pause (`Retry-After`), all calls wait.
 *
 * Rejects with AORTA-SERVICE-KEY, -NOT-ENABLED, -FORBIDDEN, -GONE, -REFUSED, -BUSY, -UNREACHABLE, -ANSWER or
 * -TOO-LARGE. These errors contain no part of the response.
 */
export class RequestSender {
  readonly #settings: ServiceSettings;
  readonly #base: URL;
  readonly #queue: PQueue;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly #observer: AttemptObserver | undefined;
  /** Time before which no call is made, by `steadyNow`. */
  #quietUntil = 0;

  constructor(settings: ServiceSettings, surroundings: Surroundings = {}) {
    this.#settings = settings;
    this.#base = new URL(settings.base_url.endsWith('/') ? settings.base_url : `${settings.base_url}/`);
    this.#queue = new PQueue({ concurrency: settings.concurrency });
    this.#observer = surroundings.observer;
    this.#now = surroundings.now ?? steadyNow;
    this.#random = surroundings.random ?? Math.random;
    this.#pause =
      surroundings.pause ?? ((milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }));
  }

  get host(): string {
    return this.#base.host;
  }

  send(request: ServiceRequest): Promise<RawAnswer> {
    return this.#queue.add(() => this.#retry(request), { signal: request.signal });
  }

  async #retry(request: ServiceRequest): Promise<RawAnswer> {
    const until = this.#now() + this.#settings.deadline_total_s * 1000;
    for (let attempt = 1; ; attempt++) {
      await this.#quiet(request, until);
      const outcome = await this.#sendOnce(request, Math.min(this.#settings.deadline_s * 1000, until - this.#now()));
      if (!('failure' in outcome)) {
        this.#observer?.answered();
        return outcome;
      }
      const { failure, again, asked } = outcome;
      this.#observer?.failed(failure);
      if (!again) throw failure;
      const pause = pauseBefore(attempt, asked, this.#random());
      if (asked !== undefined) this.#quietUntil = Math.max(this.#quietUntil, this.#now() + asked);
      if (attempt >= MOST_ATTEMPTS || this.#now() + pause >= until) throw failure;
      await this.#wait(pause, request.signal);
      if (!(await this.#spendBudget(request, until))) throw failure;
    }
  }

  /**
   * Waits until the request's budget allows another attempt, and charges the attempt to the budget. Returns false if the wait
   * would not end before `until`.
   */
  async #spendBudget({ budget, signal }: ServiceRequest, until: number): Promise<boolean> {
    if (budget === undefined) return true;
    // Another request may use up the budget while this one waits.
    for (let rest = budget.wait(); rest > 0; rest = budget.wait()) {
      if (this.#now() + rest >= until) return false;
      await this.#wait(rest, signal);
    }
    budget.spend();
    return true;
  }

  /** Waits until any pause that the service asked for is over. */
  async #quiet(request: ServiceRequest, until: number): Promise<void> {
    const rest = this.#quietUntil - this.#now();
    if (rest <= 0) return;
    if (this.#now() + rest >= until)
      throw new ServiceError('AORTA-SERVICE-BUSY', { host: this.host, operation: request.operation, status: 429 });
    await this.#wait(rest, request.signal);
  }

  async #wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#pause(milliseconds, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async #sendOnce(request: ServiceRequest, deadlineMs: number): Promise<RawAnswer | Failure> {
    const began = this.#now();
    const tooLate = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)));
    const signal = request.signal === undefined ? tooLate : AbortSignal.any([tooLate, request.signal]);
    const { operation } = request;
    let answer: Response;
    let body: Buffer | undefined;
    try {
      answer = await fetch(this.#address(request), {
        headers: { accept: 'application/json', [this.#settings.key_header]: this.#settings.key },
        signal,
        // Following a redirect would send the key to another host.
        redirect: 'manual',
      });
      body = await bodyOf(answer, this.#settings.answer_bytes);
    } catch {
      request.signal?.throwIfAborted();
      // Error messages of `fetch` are not passed on, because they may quote URLs, which contain ids.
      const reason = tooLate.aborted
        ? `no complete answer within ${Math.round(deadlineMs / 100) / 10} s`
        : 'no connection, or it was lost';
      return { failure: new ServiceError('AORTA-SERVICE-UNREACHABLE', { host: this.host, operation, reason }), again: true };
    }
    if (body === undefined) {
      const limit = this.#settings.answer_bytes;
      return { failure: new ServiceError('AORTA-SERVICE-TOO-LARGE', { host: this.host, operation, limit }), again: false };
    }
    const servedAt = servedAtMs(answer, systemTime(began));
    const contentType = answer.headers.get('content-type') ?? '';
    if (answer.status !== 200) {
      const failure = refusalOf({ host: this.host, operation, status: answer.status, contentType, body });
      const asked = askedToWait(answer.headers.get('retry-after'), servedAt);
      const again = failure.code === 'AORTA-SERVICE-BUSY' && passing.has(answer.status);
      return { failure, again, asked };
    }
    return this.#parse(operation, contentType, body, servedAt);
  }

  #parse(operation: string, contentType: string, body: Buffer, servedAt: number): RawAnswer | Failure {
    try {
      return { body, content: contentOf(body), servedAt: servedAt * 1000 };
    } catch {
      if (isClosedBeta({ contentType, body }))
        return { failure: new ServiceError('AORTA-SERVICE-NOT-ENABLED', { host: this.host, operation }), again: false };
      const html = isHtml(contentType, body);
      const problem = html ? 'an HTML page' : body.length === 0 ? 'an empty body' : 'a body that is not JSON';
      return {
        failure: new ServiceError('AORTA-SERVICE-ANSWER', { host: this.host, operation, problem }),
        // HTML comes from a proxy or another host, so a retry does not help. Incomplete JSON means that the connection
        // closed early.
        again: !html,
      };
    }
  }

  #address({ path, query = {} }: ServiceRequest): URL {
    const address = new URL(path.replace(/^\//, ''), this.#base);
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(name, String(one));
    }
    return address;
  }
}

interface Failure {
  readonly failure: AortaError;
  /** True if the failure may be transient. The call is then retried. */
  readonly again: boolean;
  /** Pause that the service asked for, in milliseconds. */
  readonly asked?: number;
}

/** Returns the time in the `Date` header in milliseconds, or `began` if the header is missing or invalid. */
function servedAtMs(answer: Response, began: number): number {
  const date = Date.parse(answer.headers.get('date') ?? '');
  return Number.isNaN(date) ? began : date;
}

/** Returns the whole body, or undefined as soon as it exceeds the limit. */
async function bodyOf(answer: Response, limit: number): Promise<Buffer | undefined> {
  if (answer.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
