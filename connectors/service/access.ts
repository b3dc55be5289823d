import { type AortaError, errorFields, type Logger, type ProgressReports, STALLED_AFTER_MS, steadyNow } from '@aorta/runtime';

export interface ServiceAccessOptions {
  /** `host:port` of the API. */
  readonly host: string;
  /** Makes one small call. The call must report its outcome to {@link ServiceAccess.answered} or {@link ServiceAccess.failed}. */
  readonly probe: () => Promise<unknown>;
  readonly logger: Logger;
  readonly progress: Pick<ProgressReports, 'wait'>;
  /** Milliseconds between two probes during an outage. Only tests set this. */
  readonly probeEveryMs?: number;
  /** Milliseconds without an answer after which readiness turns red. Only tests set this. */
  readonly deadlineMs?: number;
}

/** Called with the outcome of every attempt to call the service. */
export interface AttemptObserver {
  answered(): void;
  failed(error: AortaError): void;
}

const PART = 'service';
/** Milliseconds between two probes. Readiness must turn green within half a minute after the service recovers. */
const PROBE_EVERY_MS = 15_000;

/** Errors that affect every call, and how readiness describes each error. Any other error proves that the service answers. */
const reasons: Readonly<Record<string, string>> = {
  'AORTA-SERVICE-UNREACHABLE': 'does not answer',
  'AORTA-SERVICE-BUSY': 'cannot serve any call now',
  'AORTA-SERVICE-ANSWER': 'sends answers that are not those of the API',
  'AORTA-SERVICE-KEY': 'rejects the API key',
};

interface Outage {
  readonly error: AortaError;
  /** Start of the outage, by `steadyNow`. */
  readonly since: number;
  /** Ends the wait that is shown in readiness and status. */
  readonly ended: () => void;
}

/**
 * Tracks whether the service answers, from the outcomes of calls and probes. Enrichment workers wait minutes or hours
 * after a failure, so during an outage one small call probes the service every 15 s. Readiness turns red after a minute
 * without an answer, and green soon after the service recovers. The outage is logged when the first probe fails.
 */
export class ServiceAccess implements AttemptObserver {
  readonly #options: ServiceAccessOptions;
  #outage: Outage | undefined;
  #warned = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ServiceAccessOptions) {
    this.#options = options;
  }

  answered(): void {
    const outage = this.#outage;
    if (outage === undefined) return;
    this.#end();
    if (!this.#warned) return;
    this.#warned = false;
    const { logger, host } = this.#options;
    logger.info('the service answers again', { host, after_s: Math.round((steadyNow() - outage.since) / 1000) });
  }

  failed(error: AortaError): void {
    if (this.#closed) return;
    // Status 429 concerns the call rate, so the service is up.
    if (reasons[error.code] === undefined || error.details.status === 429) this.answered();
    else this.#begin(error);
  }

  /** Ends the outage and its probes without logging. */
  close(): void {
    this.#closed = true;
    this.#end();
  }

  #begin(error: AortaError): void {
    const before = this.#outage;
    if (before?.error.code === error.code) return;
    before?.ended();
    const { host, progress, deadlineMs = STALLED_AFTER_MS } = this.#options;
    const since = before?.since ?? steadyNow();
    // A new reason for the same outage does not extend the deadline.
    const ended = progress.wait(PART, `the API at ${host} ${reasons[error.code]}`, { deadlineMs, since });
    this.#outage = { error, since, ended };
    if (before === undefined) this.#probeLater();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#outage?.ended();
    this.#outage = undefined;
  }

  #probeLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#probe(), this.#options.probeEveryMs ?? PROBE_EVERY_MS);
    this.#timer.unref();
  }

  async #probe(): Promise<void> {
    // The probe reports its outcome to this observer, as any call does.
    await this.#options.probe().catch(() => {});
    const outage = this.#outage;
    if (outage === undefined) return;
    if (!this.#warned) this.#options.logger.warn('the service cannot be used', errorFields(outage.error));
    this.#warned = true;
    this.#probeLater();
  }
}
