import { createHash } from 'node:crypto';
import type { NoticesSettings } from './options.ts';
import type { PresentPull } from './tracker.ts';

/** What is posted. */
interface Notice {
  readonly event: 'historical_pull.failed' | 'historical_pull.retrying';
  readonly provider: string;
  readonly resource: string;
  readonly error_details: string | null;
  readonly scheduled_at: string | null;
  readonly since: string;
  readonly user_id?: string;
}

/** A notice, and when it is to be sent: now, or once the pull is retrying for long enough. Milliseconds. */
interface Planned {
  readonly at: number;
  readonly notice: Notice;
}

/** Notices that are not sent yet, by the pull. */
export type Owed = readonly (readonly [pull: string, Planned])[];

/** What happened longer ago than this is history: nobody wants to be told of it when tracking begins. */
const NEWS_MS = 3 * 86_400_000;
const MOST_SENT = 100_000;
const DEADLINE_MS = 10_000;
/** Notices after which it is written down which were sent: those since come again after a crash. */
const AT_ONCE = 20;

/** Tells by webhook of pulls that failed or are retrying for long: each at least once. What is owed is kept until the other side said 2xx. */
export class Notices {
  readonly #settings: NoticesSettings;
  readonly #owed: Map<string, Planned>;
  readonly #sent: Set<string>;
  #notBefore = 0;
  #failures = 0;

  constructor(settings: NoticesSettings, owed: Owed | undefined, sent: readonly string[]) {
    this.#settings = settings;
    this.#owed = new Map(owed);
    this.#sent = new Set(sent);
  }

  owed(): Owed {
    return [...this.#owed];
  }

  /** Fingerprints of what was sent, the newest last. */
  sent(): readonly string[] {
    return [...this.#sent].slice(-MOST_SENT);
  }

  /** Looks at pulls that have changed. */
  look(present: readonly PresentPull[], now: number): void {
    for (const one of present) {
      const { pull } = one;
      const key = JSON.stringify([one.userId, one.provider, one.resource]);
      this.#owed.delete(key);
      if (pull.state === 'failure') this.#owe(key, one, 'historical_pull.failed', pull.since, pull.since / 1000, now);
      else if (pull.retryingSince !== null) {
        const at = pull.retryingSince / 1000 + this.#settings.retrying_after_h * 3_600_000;
        this.#owe(key, one, 'historical_pull.retrying', pull.retryingSince, at, now);
      }
    }
  }

  #owe(key: string, one: PresentPull, event: Notice['event'], since: number, at: number, now: number): void {
    if (at < now - NEWS_MS) return;
    const { userId, provider, resource, pull } = one;
    const notice: Notice = {
      event,
      provider,
      resource,
      error_details: pull.errorDetails,
      scheduled_at: pull.scheduledAt === null ? null : iso(pull.scheduledAt),
      since: iso(since),
      ...(this.#settings.user_ids ? { user_id: userId } : {}),
    };
    if (!this.#sent.has(fingerprint(key, notice))) this.#owed.set(key, { at, notice });
  }

  /** Sends some of what is due. True where something was sent, and is to be remembered. */
  async send(now: number, signal: AbortSignal): Promise<boolean> {
    if (now < this.#notBefore) return false;
    const due = [...this.#owed].filter(([, { at }]) => at <= now).slice(0, AT_ONCE);
    let sent = 0;
    for (const [key, planned] of due) {
      if (!(await post(this.#settings.webhook, planned.notice, signal))) {
        this.#failures += 1;
        this.#notBefore = now + Math.min(600_000, 5_000 * 2 ** Math.min(this.#failures, 7));
        break;
      }
      this.#failures = 0;
      sent += 1;
      this.#sent.add(fingerprint(key, planned.notice));
      // Meanwhile the pull may have given reason for another one.
      if (this.#owed.get(key) === planned) this.#owed.delete(key);
    }
    return sent > 0;
  }
}

const iso = (micros: number): string => new Date(micros / 1000).toISOString();

/** The fingerprint of a notice: what is remembered of it names nobody. */
function fingerprint(key: string, { event, scheduled_at, since }: Notice): string {
  return createHash('sha256')
    .update(JSON.stringify([key, event, scheduled_at, since]))
    .digest('base64url')
    .slice(0, 22);
}

async function post(webhook: string, notice: Notice, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notice),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
