import type { Logger, Metrics } from '@aorta/runtime';
import type { EnrichmentMetrics } from '../metrics.ts';
import type { Worker } from '../workers/worker.ts';
import type { Posted } from './notice-post.ts';
import type { Notices } from './notices.ts';
import type { Pulls } from './pulls.ts';

/** Milliseconds between two checks for due notices. */
const LOOK_MS = 500;
/** Time limit, in milliseconds, for sending all notices in a run with `--once`. */
const ALL_MS = 60_000;

export interface TellingOptions {
  readonly pulls: Pulls;
  readonly notices: Notices;
  readonly keepSent: (sent: readonly string[]) => Promise<void>;
  readonly once: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics<EnrichmentMetrics>;
  readonly clock: () => number;
}

/** Sends the notices that are due. */
export class Telling implements Worker {
  readonly #options: TellingOptions;
  #fails = false;
  #lookAt = Number.NEGATIVE_INFINITY;

  constructor(options: TellingOptions) {
    this.#options = options;
    options.notices.onPosted = (posted, failures) => this.#posted(posted, failures);
  }

  nextAt(): number {
    return this.#lookAt;
  }

  /** Sends due notices until the receiver refuses one. */
  async work(signal: AbortSignal): Promise<void> {
    const { pulls, notices, keepSent, once, clock } = this.#options;
    // In a run with `--once`, the other workers have finished by now.
    if (once) notices.gathered();
    const until = once ? AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)]) : signal;
    while (!until.aborted && (await notices.send(clock(), until))) {
      pulls.touch();
      await keepSent(notices.sent());
    }
    this.#lookAt = once ? Number.POSITIVE_INFINITY : clock() + LOOK_MS;
  }

  changes(): undefined {}

  async close(): Promise<void> {}

  #posted(posted: Posted, failures: number): void {
    const { logger, metrics } = this.#options;
    metrics.count('aorta_pulls_notices_total', { outcome: posted.accepted ? 'accepted' : 'failed' });
    // Only the start and the end of a series of failures are logged.
    if (!posted.accepted && failures === 1) logger.warn('notices are not accepted', { problem: posted.problem });
    if (posted.accepted && this.#fails) logger.info('notices are accepted again');
    this.#fails = failures > 0;
  }
}
