import type { Logger, Metrics } from '@aorta/runtime';
import type { EnrichmentMetrics } from '../metrics.ts';
import type { Worker } from '../workers/worker.ts';
import type { Posted } from './notice-post.ts';
import type { Notices } from './notices.ts';
import type { Pulls } from './pulls.ts';

/** Notices are looked for so often. */
const LOOK_MS = 500;
/** In a run that ends, all of them together may take so long. */
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

  /** Sends what is due, until the other side refuses one. */
  async work(signal: AbortSignal): Promise<void> {
    const { pulls, notices, keepSent, once, clock } = this.#options;
    // The other workers of a run that ends have nothing more to do.
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
    // What lasts is said once, and when it has passed.
    if (!posted.accepted && failures === 1) logger.warn('notices are not accepted', { problem: posted.problem });
    if (posted.accepted && this.#fails) logger.info('notices are accepted again');
    this.#fails = failures > 0;
  }
}
