import { createHash } from 'node:crypto';
import { backoff } from '@aorta/runtime';
import { Webhook } from 'standardwebhooks';
import type { NoticesSettings } from './options.ts';
import type { PresentPull } from './tracker.ts';

/** Timeout of a post, in milliseconds. */
const DEADLINE_MS = 10_000;

/** A notice about a single pull. */
interface Notice {
  readonly event: 'historical_pull.failed' | 'historical_pull.retrying';
  readonly provider: string;
  readonly resource: string;
  readonly error_details: string | null;
  readonly scheduled_at: string | null;
  readonly since: string;
  readonly trace_id: string | null;
  readonly user_id?: string;
}

/** A notice and the time when it is due, in milliseconds since 1970. */
interface Planned {
  readonly at: number;
  readonly notice: Notice;
  /** Whether the notice is too old to be sent separately, and belongs in the summary. */
  readonly old?: true;
}

/** The reason for a notice: a pull has failed or keeps retrying. */
interface Occasion {
  readonly event: Notice['event'];
  /** Time at which the pull entered this state, in microseconds since 1970. */
  readonly since: number;
  /** Time at which the notice is due, in milliseconds since 1970. */
  readonly at: number;
}

/** Unsent notices, by pull. */
export type Owed = readonly (readonly [pull: string, Planned])[];

/** Maximum age of a notice that is sent separately, in milliseconds. Older notices belong in a summary. */
const NEWS_MS = 3 * 86_400_000;
const MOST_SENT = 100_000;
/** Maximum number of notices to send between two saves. After a crash, at most this many are sent again. */
const AT_ONCE = 20;
/** Prefix of the entry that contains the time at which notices were enabled. The entry is stored with the fingerprints. */
const BEGUN = 'begun/';

interface Troubled {
  failed: number;
  retrying: number;
}

/** One notice about many pulls. It reports how many failed or keep retrying, and since when. It contains no user ids. */
interface Summary extends Readonly<Troubled> {
  readonly event: 'historical_pull.summary';
  readonly oldest_since: string;
  readonly newest_since: string;
  readonly providers: readonly (Readonly<Troubled> & { readonly provider: string })[];
}

function summaryOf(notices: readonly Notice[]): Summary {
  const sum: Troubled = { failed: 0, retrying: 0 };
  const providers = new Map<string, Troubled>();
  let oldest = notices[0]!.since;
  let newest = oldest;
  for (const { event, provider, since } of notices) {
    const what = event === 'historical_pull.failed' ? 'failed' : 'retrying';
    const of = providers.get(provider) ?? { failed: 0, retrying: 0 };
    providers.set(provider, of);
    of[what] += 1;
    sum[what] += 1;
    if (since < oldest) oldest = since;
    if (since > newest) newest = since;
  }
  const byTrouble = [...providers].sort((a, b) => b[1].failed - a[1].failed || b[1].retrying - a[1].retrying);
  return {
    event: 'historical_pull.summary',
    ...sum,
    oldest_since: oldest,
    newest_since: newest,
    providers: byTrouble.map(([provider, of]) => ({ provider, ...of })),
  };
}

/** Outcome of posting a notice, which is accepted if the status is 2xx. `problem` does not contain the receiver's address. */
export type Posted =
  | { readonly accepted: true; readonly status: number }
  | { readonly accepted: false; readonly status: number | undefined; readonly problem: string };

/**
 * Posts a notice. If a secret is set, the notice is signed according to the Standard Webhooks specification. A repeated
 * notice has the same `id`. Never rejects.
 */
export async function postNotice(settings: NoticesSettings, id: string, notice: object, signal: AbortSignal): Promise<Posted> {
  const body = JSON.stringify(notice);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await fetch(settings.webhook, {
      method: 'POST',
      headers: headersOf(settings, `msg_${id}`, body),
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, deadline]),
    });
    await response.body?.cancel();
    const { ok, status } = response;
    return ok ? { accepted: true, status } : { accepted: false, status, problem: `status ${status}` };
  } catch (error) {
    const problem = deadline.aborted ? `no answer within ${DEADLINE_MS / 1000} s` : reasonOf(error);
    return { accepted: false, status: undefined, problem };
  }
}

function headersOf({ secret, authentication }: NoticesSettings, id: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    ...(secret === undefined ? {} : { 'webhook-signature': new Webhook(secret).sign(id, now, body) }),
    ...(authentication === undefined ? {} : { [authentication.header]: authentication.value }),
  };
}

/** Returns only the system error code, because the library's message may contain the receiver's address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' ? `no connection: ${cause.code}` : 'no connection, or a redirection';
}

/**
 * Sends a notice by webhook for each pull that failed or keeps retrying. Repeats the notice until the receiver answers
 * 2xx, so each notice is sent at least once. If a notice was already due when notices were enabled, or became due more
 * than three days ago, a summary replaces it.
 */
export class Notices {
  readonly #settings: NoticesSettings;
  readonly #owed: Map<string, Planned>;
  readonly #sent: Set<string>;
  /** Time at which notices were enabled, in milliseconds since 1970. */
  readonly #begunAt: number;
  #beginning: boolean;
  #summaryDue = false;
  #notBefore = 0;
  #failures = 0;

  constructor(settings: NoticesSettings, owed: Owed | undefined, remembered: readonly string[], now: number) {
    this.#settings = settings;
    this.#owed = new Map(owed);
    this.#sent = new Set(remembered.filter((one) => !one.startsWith(BEGUN)));
    const begun = remembered.find((one) => one.startsWith(BEGUN));
    this.#beginning = begun === undefined;
    this.#begunAt = begun === undefined ? now : Math.min(now, Number(begun.slice(BEGUN.length)));
  }

  /** Whether the first summary is still pending. If so, the caller must pass all known pulls to {@link look}. */
  get beginning(): boolean {
    return this.#beginning;
  }

  owed(): Owed {
    return [...this.#owed];
  }

  get waiting(): number {
    return this.#owed.size;
  }

  /** Returns the time at which notices were enabled, and the fingerprints of sent notices. The newest fingerprint is last. */
  sent(): readonly string[] {
    return [...(this.#beginning ? [] : [`${BEGUN}${this.#begunAt}`]), ...[...this.#sent].slice(-MOST_SENT)];
  }

  /** Updates the notices about pulls that have changed. */
  look(present: readonly PresentPull[], now: number): void {
    for (const one of present) {
      const { pull } = one;
      const key = JSON.stringify([one.userId, one.provider, one.resource]);
      this.#owed.delete(key);
      if (pull.state === 'failure') {
        const since = pull.serviceSince ?? pull.since;
        this.#owe(key, one, { event: 'historical_pull.failed', since, at: since / 1000 }, now);
      } else if (pull.retryingSince !== null) {
        const since = pull.serviceRetryingSince ?? pull.retryingSince;
        const at = since / 1000 + this.#settings.retrying_after_h * 3_600_000;
        this.#owe(key, one, { event: 'historical_pull.retrying', since, at }, now);
      }
    }
  }

  #owe(key: string, one: PresentPull, { event, since, at }: Occasion, now: number): void {
    const { userId, provider, resource, pull } = one;
    const notice: Notice = {
      event,
      provider,
      resource,
      error_details: pull.errorDetails,
      scheduled_at: pull.scheduledAt === null ? null : iso(pull.scheduledAt),
      since: iso(since),
      trace_id: pull.traceId,
      user_id: this.#settings.user_ids ? userId : undefined,
    };
    // Before the first summary, every due notice belongs in the summary, because the service may not report how long a
    // pull has been failing.
    const old = this.#beginning ? at <= now : at < Math.max(this.#begunAt, now - NEWS_MS);
    const planned = { at, notice, old: old || undefined };
    if (!this.#sent.has(fingerprint(key, planned))) this.#owed.set(key, planned);
  }

  /** Called when all available evidence has been read. The summary can then be sent. */
  gathered(): void {
    this.#summaryDue = true;
  }

  /** Sends some of the due notices. If the result is true, the caller must save the state. */
  async send(now: number, signal: AbortSignal): Promise<boolean> {
    if (now < this.#notBefore) return false;
    if (this.#summaryDue && (await this.#sendSummary(now, signal))) return true;
    const due = [...this.#owed].filter(([, { at, old }]) => at <= now && !old).slice(0, AT_ONCE);
    let sent = 0;
    for (const one of due) {
      if (now < this.#notBefore || !(await this.#post(fingerprint(...one), one[1].notice, now, signal))) break;
      this.#settle([one]);
      sent += 1;
    }
    return sent > 0;
  }

  /** Sends the summary, if there is anything to report. Returns whether the caller must save the state. */
  async #sendSummary(now: number, signal: AbortSignal): Promise<boolean> {
    const old = [...this.#owed].filter(([, planned]) => planned.old);
    if (old.length === 0) {
      this.#summaryDue = false;
      const began = this.#beginning;
      this.#beginning = false;
      return began;
    }
    const summary = summaryOf(old.map(([, { notice }]) => notice));
    if (!(await this.#post(hash(old.map((one) => fingerprint(...one))), summary, now, signal))) return false;
    this.#summaryDue = false;
    this.#beginning = false;
    this.#settle(old);
    return true;
  }

  #settle(sent: Owed): void {
    for (const [key, planned] of sent) {
      this.#sent.add(fingerprint(key, planned));
      // The pull may have caused a new notice while this one was being sent.
      if (this.#owed.get(key) === planned) this.#owed.delete(key);
    }
  }

  async #post(id: string, notice: Notice | Summary, now: number, signal: AbortSignal): Promise<boolean> {
    const posted = await postNotice(this.#settings, id, notice, signal);
    if (signal.aborted && !posted.accepted) return false;
    this.#failures = posted.accepted ? 0 : this.#failures + 1;
    if (!posted.accepted) this.#notBefore = now + backoff(this.#failures + 1, 5_000, 600_000);
    this.onPosted(posted, this.#failures);
    return posted.accepted;
  }

  /** Called with the outcome of each post, and the number of consecutive failures. */
  onPosted: (posted: Posted, failures: number) => void = () => {};
}

const iso = (micros: number): string => new Date(micros / 1000).toISOString();

/** Returns the fingerprint of a notice, which does not reveal the user. */
const fingerprint = (key: string, { notice: { event, scheduled_at, since } }: Planned): string =>
  hash([key, event, scheduled_at, since]);

const hash = (content: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
