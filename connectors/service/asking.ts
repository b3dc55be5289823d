import { setTimeout as sleep } from 'node:timers/promises';
import type { AortaError } from '@aorta/runtime';
import type { AttemptObserver } from './access.ts';
import { contentOf } from './content.ts';
import { ServiceError } from './errors.ts';
import type { ServiceSettings } from './options.ts';
import { Places } from './places.ts';
import { isClosedBeta, isHtml, passing, refusalOf } from './refusal.ts';
import { askedToWait, MOST_ATTEMPTS, pauseBefore } from './retrying.ts';

/** One question to the service. All of them are GET, so that each may be asked again. */
export interface Question {
  /** The operation in the API's own words, without ids, for errors: `GET /v2/user/{user_id}`. */
  readonly operation: string;
  /** Path below the base address, with its ids. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** Gives the call up. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** What every further attempt counts in; the first one is the caller's own to count. */
  readonly budget?: CallBudget | undefined;
}

/** Calls that somebody may make in a time. */
export interface CallBudget {
  /** Milliseconds until one more call may be made; 0: now. */
  wait(): number;
  /** A call is made now. */
  spend(): void;
}

/** An answer with status 200 whose body is JSON, or should be. */
export interface RawAnswer {
  readonly body: Buffer;
  readonly content: unknown;
  /** The service's own clock, in microseconds since 1970 (whole seconds: the header `Date`); ours before the call where it says none. */
  readonly servedAt: number;
}

/** Who hears of attempts, and what tests put in place of clock and chance. */
export interface Surroundings {
  readonly observer?: AttemptObserver;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Asks the service: so many calls at a time, each with a deadline; what may pass is asked again, with pauses, until the
 * deadline over all. Where the service asks to be left alone for a while, all calls leave it alone.
 *
 * Rejects with AORTA-SERVICE-KEY, -NOT-ENABLED, -FORBIDDEN, -GONE, -REFUSED, -BUSY, -UNREACHABLE, -ANSWER or -TOO-LARGE;
 * nothing of what came back is in them.
 */
export class Asking {
  readonly #settings: ServiceSettings;
  readonly #base: URL;
  readonly #places: Places;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly #observer: AttemptObserver | undefined;
  /** Nothing is asked before that time of our clock. */
  #quietUntil = 0;

  constructor(settings: ServiceSettings, surroundings: Surroundings = {}) {
    this.#settings = settings;
    this.#base = new URL(settings.base_url.endsWith('/') ? settings.base_url : `${settings.base_url}/`);
    this.#places = new Places(settings.concurrency);
    this.#observer = surroundings.observer;
    this.#now = surroundings.now ?? Date.now;
    this.#random = surroundings.random ?? Math.random;
    this.#pause =
      surroundings.pause ?? ((milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }));
  }

  get host(): string {
    return this.#base.host;
  }

  async ask(question: Question): Promise<RawAnswer> {
    using _place = await this.#places.take(question.signal);
    return await this.#askAgain(question);
  }

  async #askAgain(question: Question): Promise<RawAnswer> {
    const until = this.#now() + this.#settings.deadline_total_s * 1000;
    for (let attempt = 1; ; attempt++) {
      await this.#quiet(question, until);
      const outcome = await this.#askOnce(question, Math.min(this.#settings.deadline_s * 1000, until - this.#now()));
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
      await this.#wait(pause, question.signal);
      if (!(await this.#spendBudget(question, until))) throw failure;
    }
  }

  /** Waits until the question's budget has an attempt left, and spends it. False if that takes longer than `until`. */
  async #spendBudget({ budget, signal }: Question, until: number): Promise<boolean> {
    if (budget === undefined) return true;
    // Another question may spend it while this one waits.
    for (let rest = budget.wait(); rest > 0; rest = budget.wait()) {
      if (this.#now() + rest >= until) return false;
      await this.#wait(rest, signal);
    }
    budget.spend();
    return true;
  }

  /** Waits for as long as the service has asked any call to wait. */
  async #quiet(question: Question, until: number): Promise<void> {
    const rest = this.#quietUntil - this.#now();
    if (rest <= 0) return;
    if (this.#now() + rest >= until)
      throw new ServiceError('AORTA-SERVICE-BUSY', { host: this.host, operation: question.operation, status: 429 });
    await this.#wait(rest, question.signal);
  }

  async #wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#pause(milliseconds, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async #askOnce(question: Question, deadlineMs: number): Promise<RawAnswer | Failure> {
    const began = this.#now();
    const tooLate = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)));
    const signal = question.signal === undefined ? tooLate : AbortSignal.any([tooLate, question.signal]);
    const { operation } = question;
    let answer: Response;
    let body: Buffer | undefined;
    try {
      answer = await fetch(this.#address(question), {
        headers: { accept: 'application/json', [this.#settings.key_header]: this.#settings.key },
        signal,
        // The key is for this host alone.
        redirect: 'manual',
      });
      body = await bodyOf(answer, this.#settings.answer_bytes);
    } catch {
      question.signal?.throwIfAborted();
      // Libraries quote addresses, and with them ids.
      const reason = tooLate.aborted
        ? `no whole answer within ${Math.round(deadlineMs / 100) / 10} s`
        : 'no connection, or it broke';
      return { failure: new ServiceError('AORTA-SERVICE-UNREACHABLE', { host: this.host, operation, reason }), again: true };
    }
    if (body === undefined) {
      const limit = this.#settings.answer_bytes;
      return { failure: new ServiceError('AORTA-SERVICE-TOO-LARGE', { host: this.host, operation, limit }), again: false };
    }
    const servedAt = servedAtMs(answer, began);
    const contentType = answer.headers.get('content-type') ?? '';
    if (answer.status !== 200) {
      const failure = refusalOf({ host: this.host, operation, status: answer.status, contentType, body });
      const asked = askedToWait(answer.headers.get('retry-after'), servedAt);
      const again = failure.code === 'AORTA-SERVICE-BUSY' && passing.has(answer.status);
      return { failure, again, ...(asked === undefined ? {} : { asked }) };
    }
    return this.#understand(operation, contentType, body, servedAt);
  }

  #understand(operation: string, contentType: string, body: Buffer, servedAt: number): RawAnswer | Failure {
    try {
      return { body, content: contentOf(body), servedAt: servedAt * 1000 };
    } catch {
      if (isClosedBeta({ contentType, body }))
        return { failure: new ServiceError('AORTA-SERVICE-NOT-ENABLED', { host: this.host, operation }), again: false };
      const html = isHtml(contentType, body);
      const problem = html ? 'a page for people (HTML)' : body.length === 0 ? 'nothing' : 'no JSON';
      return {
        failure: new ServiceError('AORTA-SERVICE-ANSWER', { host: this.host, operation, problem }),
        // A page comes from something between; half a document from a connection that was closed early.
        again: !html,
      };
    }
  }

  #address({ path, query = {} }: Question): URL {
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
  /** It may pass: worth another attempt. */
  readonly again: boolean;
  /** Milliseconds that the service asks to wait. */
  readonly asked?: number;
}

/** The header `Date` in milliseconds; our own time where there is none that can be read. */
function servedAtMs(answer: Response, began: number): number {
  const date = Date.parse(answer.headers.get('date') ?? '');
  return Number.isNaN(date) ? began : date;
}

/** The whole body, or undefined where it is larger: what is beyond the limit is not read. */
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
