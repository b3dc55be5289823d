import { type AortaError, errorFields, isAortaError, type Logger, type Metrics, type Progress, pause } from '@aorta/runtime';
import { partitionName } from './delivery-of-event.ts';
import { conditionOf, failureOf } from './hub-error.ts';
import type { HubMetrics } from './metrics.ts';
import type { ProbedHub } from './probe.ts';

export interface HubAccessOptions {
  readonly source: string;
  readonly hub: string;
  /** Probes the hub on new connections. Rejects with an AORTA-HUB-… error that includes the AMQP condition or error code. */
  readonly probe: () => Promise<ProbedHub>;
  /** Time without a successful read, in milliseconds, after which the readiness check fails. */
  readonly deadlineMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics<HubMetrics>;
  readonly progress: Progress;
  /** When the signal aborts, all waits end. */
  readonly signal: AbortSignal;
  /** Milliseconds between two probes during an outage. Only tests set this. */
  readonly probeEveryMs?: number;
}

interface Outage {
  readonly code: string;
  readonly condition: string;
  /** Start of the outage, in milliseconds since 1970. */
  readonly since: number;
  /** Ends the outage that readiness and status report. */
  readonly ended: () => void;
}

/** Milliseconds between two probes during an outage. */
const PROBE_EVERY_MS = 15_000;
/** Time after a probe, in milliseconds, during which {@link HubAccess.doubt} does not start another probe. */
const DOUBT_EVERY_MS = 5_000;

/** Errors that only an operator can fix. Opening more links would only cause more refusals. */
const refusals: ReadonlySet<string> = new Set(['AORTA-HUB-REFUSED', 'AORTA-HUB-MISSING', 'AORTA-HUB-GROUP-MISSING']);

const reasons: Readonly<Record<string, string>> = {
  'AORTA-HUB-REFUSED': 'its key or role is refused',
  'AORTA-HUB-MISSING': 'the hub does not exist',
  'AORTA-HUB-GROUP-MISSING': 'its consumer group does not exist',
  'AORTA-HUB-UNREACHABLE': 'its namespace does not answer',
};

/**
 * Uses probes and links to track whether one hub can be read. The client silently retries a refused login forever, so a
 * reader that receives nothing asks for a probe on new connections. An outage is logged once for each cause, and appears
 * in the readiness check and in `status`. Failures are counted by error condition. An outage ends when a probe succeeds
 * or, if the hub did not refuse access, when a link works again.
 */
export class HubAccess {
  readonly #options: HubAccessOptions;
  #outage: Outage | undefined;
  #probing = false;
  #probedAt = Number.NEGATIVE_INFINITY;

  constructor(options: HubAccessOptions) {
    this.#options = options;
  }

  /** Whether the hub refuses access to this source. If so, readers wait until the hub grants access. */
  get refused(): boolean {
    return this.#outage !== undefined && refusals.has(this.#outage.code);
  }

  /** Whether there is an outage or a probe is running. */
  get doubtful(): boolean {
    return this.#outage !== undefined || this.#probing;
  }

  /**
   * Reports a failed link or request. `heardAt` is the time at which the reader last received data, in milliseconds since
   * 1970.
   */
  failed(error: unknown, heardAt: number): void {
    const failure = failureOf(error);
    if (failure === 'stolen' || failure === 'stale' || failure === 'other') return;
    this.#count(conditionOf(error));
    if (failure === 'refused' || failure === 'not-found') this.doubt(heardAt);
  }

  /** Reports that a reader has received nothing since `heardAt`, in milliseconds since 1970. Probes the hub unless it was probed recently. */
  doubt(heardAt: number): void {
    if (this.doubtful || performance.now() - this.#probedAt < DOUBT_EVERY_MS) return;
    this.#watch(heardAt);
  }

  /** Reports that a link to the hub works. */
  heard(): void {
    if (this.#outage !== undefined && !this.refused) this.#end();
  }

  /** Probes until the hub grants access. Returns the hub's partitions, or undefined if the signal aborts first. */
  async admitted(): Promise<ProbedHub | undefined> {
    const { signal, probeEveryMs = PROBE_EVERY_MS } = this.#options;
    const since = Date.now();
    while (!signal.aborted) {
      const probed = await this.#probe(since);
      if (probed !== undefined) return probed;
      await pause(probeEveryMs, signal);
    }
    this.#end();
    return undefined;
  }

  /** Probes until the outage is over. */
  async #watch(heardAt: number): Promise<void> {
    const { signal, probeEveryMs = PROBE_EVERY_MS } = this.#options;
    while (!signal.aborted) {
      await this.#probe(heardAt);
      if (this.#outage === undefined) return;
      await pause(probeEveryMs, signal);
      // A link may have ended the outage during the pause.
      if (this.#outage === undefined) return;
    }
    this.#end();
  }

  /** Probes once, and starts or ends the outage. */
  async #probe(heardAt: number): Promise<ProbedHub | undefined> {
    this.#probing = true;
    try {
      const probed = await this.#options.probe();
      this.#end();
      return probed;
    } catch (error) {
      if (!isAortaError(error)) throw error;
      if (!this.#options.signal.aborted) this.#begin(error, heardAt);
      return undefined;
    } finally {
      this.#probing = false;
      this.#probedAt = performance.now();
    }
  }

  #begin(error: AortaError, heardAt: number): void {
    const { source, hub, logger, progress, deadlineMs } = this.#options;
    const condition = String(error.details.condition);
    this.#count(condition);
    const before = this.#outage;
    if (before?.code === error.code && before.condition === condition) return;
    before?.ended();
    const level = before?.code === error.code ? 'debug' : 'warn';
    const since = before?.since ?? heardAt;
    const reason = `${reasons[error.code] ?? 'it cannot be opened'} (${condition})`;
    const place = { reader: source, of: `hub ${hub}`, partitions: partitionName(hub, '') };
    const ended = progress.outage(place, reason, { since, deadlineMs });
    this.#outage = { code: error.code, condition, since, ended };
    logger[level]('hub cannot be read', { source, hub, condition, ...errorFields(error) });
  }

  #end(): void {
    const outage = this.#outage;
    if (outage === undefined) return;
    this.#outage = undefined;
    outage.ended();
    if (this.#options.signal.aborted) return;
    const { source, hub, logger } = this.#options;
    logger.info('hub can be read again', { source, hub, after_s: Math.round((Date.now() - outage.since) / 1000) });
  }

  #count(condition: string): void {
    this.#options.metrics.count('aorta_source_refusals_total', { source: this.#options.source, condition });
  }
}
