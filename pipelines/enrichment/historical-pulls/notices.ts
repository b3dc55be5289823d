import { createHash } from 'node:crypto';
import type { Notice } from './notice.ts';
import { type Posted, postNotice } from './notice-post.ts';
import type { NoticesSettings } from './options.ts';
import { type Summary, summaryOf } from './summary.ts';
import type { PresentPull } from './tracker.ts';

/** A notice, and when it is to be sent: now, or once the pull is retrying for long enough. Milliseconds. */
interface Planned {
  readonly at: number;
  readonly notice: Notice;
  /** It is no news, so it is told with all others of that kind in one summary. */
  readonly old?: true;
}

/** What a notice tells of. */
interface Occasion {
  readonly event: Notice['event'];
  /** Microseconds since 1970. */
  readonly since: number;
  /** When it is to be told, in milliseconds since 1970. */
  readonly at: number;
}

/** Notices that are not sent yet, by the pull. */
export type Owed = readonly (readonly [pull: string, Planned])[];

/** What happened longer ago than this is no news: it is part of a summary. */
const NEWS_MS = 3 * 86_400_000;
const MOST_SENT = 100_000;
/** Notices after which it is written down which were sent: those since come again after a crash. */
const AT_ONCE = 20;
/** Among the fingerprints: since when notices are sent. */
const BEGUN = 'begun/';

/**
 * Tells by webhook of pulls that failed or are retrying for long: each at least once. What is owed is kept until the other
 * side said 2xx. What stands already when notices are switched on, or is older than three days when it is heard of, comes
 * in one summary.
 */
export class Notices {
  readonly #settings: NoticesSettings;
  readonly #owed: Map<string, Planned>;
  readonly #sent: Set<string>;
  /** Since when notices are sent. */
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
    this.#begunAt = begun === undefined ? now : Number(begun.slice(BEGUN.length));
  }

  /** Nothing was told yet since notices were switched on: pulls that were known before have to be looked at, too. */
  get beginning(): boolean {
    return this.#beginning;
  }

  owed(): Owed {
    return [...this.#owed];
  }

  /** Notices that are not sent yet. */
  get waiting(): number {
    return this.#owed.size;
  }

  /** Since when notices are sent, and fingerprints of those that were, the newest last. */
  sent(): readonly string[] {
    return [...(this.#beginning ? [] : [`${BEGUN}${this.#begunAt}`]), ...[...this.#sent].slice(-MOST_SENT)];
  }

  /** Looks at pulls that have changed. */
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
      ...(this.#settings.user_ids ? { user_id: userId } : {}),
    };
    // What is found before the first summary may have stood for long, though the service does not say since when.
    const old = this.#beginning ? at <= now : at < Math.max(this.#begunAt, now - NEWS_MS);
    const planned = { at, notice, ...(old ? { old } : {}) };
    if (!this.#sent.has(fingerprint(key, planned))) this.#owed.set(key, planned);
  }

  /** Everything that is there was heard: what is old of it can be summed up. */
  gathered(): void {
    this.#summaryDue = true;
  }

  /** Sends some of what is due. True where something was sent, and is to be remembered. */
  async send(now: number, signal: AbortSignal): Promise<boolean> {
    if (now < this.#notBefore) return false;
    if (this.#summaryDue && (await this.#sumUp(now, signal))) return true;
    const due = [...this.#owed].filter(([, { at, old }]) => at <= now && !old).slice(0, AT_ONCE);
    let sent = 0;
    for (const one of due) {
      if (now < this.#notBefore || !(await this.#post(fingerprint(...one), one[1].notice, now, signal))) break;
      this.#settle([one]);
      sent += 1;
    }
    return sent > 0;
  }

  /** Tells what is old in one summary; from then on notices are of news. True where there is something to be remembered. */
  async #sumUp(now: number, signal: AbortSignal): Promise<boolean> {
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
      // Meanwhile the pull may have given reason for another one.
      if (this.#owed.get(key) === planned) this.#owed.delete(key);
    }
  }

  async #post(id: string, notice: Notice | Summary, now: number, signal: AbortSignal): Promise<boolean> {
    const posted = await postNotice(this.#settings, id, notice, signal);
    if (signal.aborted && !posted.accepted) return false;
    this.#failures = posted.accepted ? 0 : this.#failures + 1;
    if (!posted.accepted) this.#notBefore = now + Math.min(600_000, 5_000 * 2 ** Math.min(this.#failures, 7));
    this.onPosted(posted, this.#failures);
    return posted.accepted;
  }

  /** Called with what became of each; `failures`: how many in a row were not accepted. */
  onPosted: (posted: Posted, failures: number) => void = () => {};
}

const iso = (micros: number): string => new Date(micros / 1000).toISOString();

/** The fingerprint of a notice: what is remembered of it names nobody. */
const fingerprint = (key: string, { notice: { event, scheduled_at, since } }: Planned): string =>
  hash([key, event, scheduled_at, since]);

const hash = (content: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
