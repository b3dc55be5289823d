import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AortaError,
  errorFields,
  fullDiskAt,
  fullDiskIn,
  isAortaError,
  type Logger,
  type Metrics,
  type Progress,
  steadyNow,
} from '@aorta/runtime';
import { type IntakeLog, messageOf } from './message.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { WebhookSettings } from './options.ts';
import { type GivenHeaders, isSignedBy, keyOf, type SignedHeaders, signedHeaders, untimely } from './signature.ts';

const EVERY_MS = 60_000;

/** Milliseconds between two checks of a full disk. */
const CHECK_MS = 1_000;

/** Why a request is refused. The metric has these names. */
export type Refusal =
  | 'malformed'
  | 'headers_too_large'
  | 'path'
  | 'unsigned'
  | 'wrong_signature'
  | 'old'
  | 'future'
  | 'too_large'
  | 'too_slow'
  | 'broken_off'
  | 'method'
  | 'held'
  | 'backlog'
  | 'unwritable'
  | 'stopping'
  | 'failed';

export interface Answer {
  readonly status: number;
  readonly message: string;
  /** Seconds after which the sender should retry. */
  readonly retryAfter?: number;
}

const answers: Readonly<Record<Refusal, Answer>> = {
  malformed: { status: 400, message: 'The request is not valid HTTP.' },
  headers_too_large: { status: 431, message: 'The path and the headers are larger than 16 KB.' },
  path: { status: 404, message: 'There is no webhook endpoint at this path.' },
  unsigned: {
    status: 401,
    message: 'The request is not signed. It needs the headers svix-id, svix-timestamp and svix-signature (or webhook-…).',
  },
  wrong_signature: { status: 401, message: 'The signature fits none of the secrets of this endpoint.' },
  old: { status: 401, message: 'The signed timestamp is too old.' },
  future: { status: 401, message: 'The signed timestamp is in the future.' },
  too_large: { status: 413, message: 'The body is larger than this endpoint accepts.' },
  too_slow: { status: 408, message: 'The request did not arrive in time.' },
  broken_off: { status: 400, message: 'The body ended early, or is not valid HTTP.' },
  method: { status: 405, message: 'Only POST is supported.' },
  held: { status: 503, message: 'Too many requests are being processed. Try again.', retryAfter: 1 },
  backlog: { status: 429, message: 'Too many messages wait to be processed. Try again.', retryAfter: 30 },
  unwritable: { status: 503, message: 'The message could not be stored. Try again.', retryAfter: 30 },
  stopping: { status: 503, message: 'The endpoint is stopping. Try again.', retryAfter: 5 },
  failed: { status: 500, message: 'Internal error.' },
};

export function answerTo(refusal: Refusal): Answer {
  return answers[refusal];
}

/** A request whose headers the endpoint has checked, and whose body it will read. */
export interface Admitted {
  readonly signed: SignedHeaders;
  readonly headers: GivenHeaders;
  /** Microseconds since 1970. */
  readonly arrivedAt: number;
}

export interface EndpointOptions {
  readonly settings: WebhookSettings;
  readonly intake: Pick<IntakeLog<unknown>, 'append' | 'backlogBytes'>;
  readonly logger: Logger;
  readonly metrics: Metrics<WebhookMetrics>;
  readonly progress: Pick<Progress, 'outage'>;
  /** Returns the time at which a message arrives, in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number;
}

/** Bytes of requests between their arrival and their answer. */
class HeldBytes {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns whether another request may be read. A single request may exceed the limit. */
  get hasRoom(): boolean {
    return this.#bytes < this.#limit;
  }

  /**
   * Adds bytes of a request. If they would exceed the limit and other requests hold bytes too, returns false and adds
   * nothing.
   */
  add(bytes: number, ofRequest: number): boolean {
    if (this.#bytes + bytes > this.#limit && this.#bytes > ofRequest) return false;
    this.#bytes += bytes;
    return true;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** Logs refused requests: the first one of each reason at once, and then their number once a minute. */
class RefusalLog {
  readonly #source: string;
  readonly #logger: Logger;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(source: string, logger: Logger) {
    this.#source = source;
    this.#logger = logger;
  }

  /** `sender`: the network address of the sender. */
  note(reason: string, sender: string): void {
    const count = this.#counts.get(reason);
    if (count === undefined) this.#logger.warn('webhook request refused', { source: this.#source, reason, sender });
    this.#counts.set(reason, (count ?? 0) + 1);
    this.#timer ??= setInterval(() => this.#report(), EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#report();
  }

  #report(): void {
    for (const [reason, count] of this.#counts) {
      if (count > 1) this.#logger.warn('webhook requests refused', { source: this.#source, reason, requests: count - 1 });
    }
    this.#counts.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** One path of a webhook server. Accepts or refuses requests, and stores the messages of accepted ones. */
export class Endpoint {
  readonly name: string;
  readonly bodyBytes: number;
  readonly held: HeldBytes;
  readonly #options: EndpointOptions;
  readonly #keys: readonly Buffer[];
  readonly #refusals: RefusalLog;
  readonly #unwatch: () => void;
  readonly #storing = new Set<Promise<unknown>>();
  #stopping = false;
  #isClosed = false;
  /** Whether a message could not be stored, and none has been stored since. */
  #isFailing = false;
  #endOutage: (() => void) | undefined;

  constructor(options: EndpointOptions) {
    const { settings, intake, logger, metrics } = options;
    this.#options = options;
    this.name = settings.name;
    this.bodyBytes = settings.body_bytes;
    this.held = new HeldBytes(settings.held_bytes);
    this.#keys = settings.secrets.map(keyOf);
    this.#refusals = new RefusalLog(settings.name, logger);
    this.#unwatch = metrics.watch((set) => {
      set('aorta_webhook_in_flight_bytes', { source: this.name }, this.held.bytes);
      set('aorta_webhook_backlog_bytes', { source: this.name }, intake.backlogBytes());
    });
  }

  /** Number of messages that are being stored. */
  get storing(): number {
    return this.#storing.size;
  }

  /** Decides from the headers whether to read the body. */
  admit(headers: GivenHeaders, contentLength: number | undefined): Admitted | Refusal {
    const { settings, intake, now: arrival = Date.now } = this.#options;
    if (this.#stopping) return 'stopping';
    const signed = signedHeaders(headers);
    if (signed === undefined) return 'unsigned';
    // Senders sign with the real time, so `now` does not apply here. If the system clock was set while this process runs, it
    // was wrong before or is wrong now.
    const untrusted = untimely(signed, Date.now() / 1000, settings.tolerance_s);
    if (untrusted !== undefined && untimely(signed, steadyNow() / 1000, settings.tolerance_s) !== undefined) return untrusted;
    if (contentLength !== undefined && contentLength > settings.body_bytes) return 'too_large';
    if (intake.backlogBytes() > settings.backlog_bytes) return 'backlog';
    if (!this.held.hasRoom) return 'held';
    return { signed, headers, arrivedAt: arrival() * 1000 };
  }

  /** Verifies and stores a message. Resolves when it is durable. Never rejects. */
  async store({ signed, headers, arrivedAt }: Admitted, body: Buffer): Promise<Refusal | undefined> {
    if (!isSignedBy(this.#keys, signed, body)) return 'wrong_signature';
    const begun = performance.now();
    const storing = this.#options.intake.append(messageOf(headers, signed, body, arrivedAt));
    const settled = storing.then(
      () => undefined,
      (error: unknown) => error,
    );
    this.#storing.add(settled);
    const failure = await settled;
    this.#storing.delete(settled);
    if (failure !== undefined) {
      if (this.fail(failure)) void this.#readyWithSpace(failure);
      return 'unwritable';
    }
    this.#recovered();
    this.#options.metrics.observe('aorta_webhook_durable_seconds', { source: this.name }, (performance.now() - begun) / 1000);
    return undefined;
  }

  /** Counts the result of a request, and logs a refusal. */
  note(result: Refusal | 'accepted' | 'probe', sender: string): void {
    this.#options.metrics.count('aorta_webhook_requests_total', { source: this.name, result });
    if (result !== 'accepted' && result !== 'probe' && result !== 'stopping') this.#refusals.note(result, sender);
  }

  /** Refuses further requests, and waits until the messages of earlier ones are stored. Never rejects. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#storing);
  }

  /** Takes the place of an endpoint at the same path, and closes it. */
  replace(earlier: Endpoint): void {
    this.#isFailing ||= earlier.#isFailing;
    earlier.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatch();
    this.#refusals.close();
    this.#endOutage?.();
  }

  /**
   * Reports that messages cannot be stored, until a message is stored or the endpoint is closed. Returns whether this is new.
   */
  fail(error: unknown): boolean {
    if (this.#endOutage !== undefined || this.#isClosed) return false;
    this.#isFailing = true;
    const { logger, progress } = this.#options;
    const reason = isAortaError(error) ? (error as AortaError).message : 'the intake log failed';
    this.#endOutage = progress.outage({ reader: this.name, of: 'the intake log', partitions: '' }, reason, {
      since: steadyNow(),
      deadlineMs: 0,
    });
    logger.error('messages cannot be stored', { source: this.name, ...(isAortaError(error) ? errorFields(error) : {}) });
    return true;
  }

  /** Becomes ready when the disk has space, because a load balancer sends no message to an endpoint that is not ready. */
  async #readyWithSpace(failure: unknown): Promise<void> {
    const path = fullDiskIn(failure)?.details.path;
    const endOutage = this.#endOutage;
    if (path === undefined || endOutage === undefined) return;
    do await sleep(CHECK_MS, undefined, { ref: false });
    while (this.#endOutage === endOutage && !this.#isClosed && (await fullDiskAt(String(path))) !== undefined);
    if (this.#endOutage !== endOutage) return;
    endOutage();
    this.#endOutage = undefined;
  }

  #recovered(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#endOutage?.();
    this.#endOutage = undefined;
    this.#options.logger.info('messages are stored again', { source: this.name });
  }
}
