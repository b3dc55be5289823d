import { type AortaError, errorFields, isAortaError, type Logger, type Metrics, type Progress, pause } from '@aorta/runtime';
import { partitionName } from './delivery-of-event.ts';
import { conditionOf, failureOf } from './hub-error.ts';
import type { HubMetrics } from './metrics.ts';
import type { ProbedHub } from './probe.ts';

export interface HubAccessOptions {
  /** Configured name of the source. */
  readonly source: string;
  readonly hub: string;
  /** Asks the hub on new connections. Rejects with AORTA-HUB-…, which carries the condition. */
  readonly probe: () => Promise<ProbedHub>;
  /** Milliseconds without reading after which readiness turns red. */
  readonly deadlineMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics<HubMetrics>;
  readonly progress: Progress;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
  /** For tests: milliseconds between two probes during an outage. */
  readonly probeEveryMs?: number;
}

interface Outage {
  readonly code: string;
  readonly condition: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Ends the report to readiness and status. */
  readonly ended: () => void;
}

/** During an outage the hub is probed this often, in milliseconds. */
const PROBE_EVERY_MS = 15_000;
/** Doubts within so many milliseconds after a probe get no probe of their own. */
const DOUBT_EVERY_MS = 5_000;

/** What a person has to change. Opening links before that only adds refusals. */
const refusals: ReadonlySet<string> = new Set(['AORTA-HUB-REFUSED', 'AORTA-HUB-MISSING', 'AORTA-HUB-GROUP-MISSING']);

const reasons: Readonly<Record<string, string>> = {
  'AORTA-HUB-REFUSED': 'its key or role is refused',
  'AORTA-HUB-MISSING': 'the hub does not exist',
  'AORTA-HUB-GROUP-MISSING': 'its consumer group does not exist',
  'AORTA-HUB-UNREACHABLE': 'its namespace does not answer',
};

/**
 * Whether one hub can be read, as probes and links show it. The client repeats a refused login silently and for ever, so
 * a reader that hears nothing asks here for a probe on new connections. An outage is logged once, counted by condition,
 * and reported to readiness and status. It ends with a probe that succeeds or, if the hub never refused, with a link
 * that is served again.
 */
export class HubAccess {
  readonly #options: HubAccessOptions;
  #outage: Outage | undefined;
  #probing = false;
  #probedAt = Number.NEGATIVE_INFINITY;

  constructor(options: HubAccessOptions) {
    this.#options = options;
  }

  /** The hub refuses this source; readers wait until it admits it. */
  get refused(): boolean {
    return this.#outage !== undefined && refusals.has(this.#outage.code);
  }

  /** An outage is known, or being looked into. */
  get doubtful(): boolean {
    return this.#outage !== undefined || this.#probing;
  }

  /** A link or a question failed. `heardAt` says when the reader last heard from the hub, in milliseconds since 1970. */
  failed(error: unknown, heardAt: number): void {
    const failure = failureOf(error);
    if (failure === 'stolen' || failure === 'stale' || failure === 'other') return;
    this.#count(conditionOf(error));
    if (failure === 'refused' || failure === 'not-found') this.doubt(heardAt);
  }

  /** A reader has heard nothing since `heardAt`, in milliseconds since 1970: probes the hub, unless that was just done. */
  doubt(heardAt: number): void {
    if (this.doubtful || performance.now() - this.#probedAt < DOUBT_EVERY_MS) return;
    this.#watch(heardAt);
  }

  /** A link of the hub is served. */
  heard(): void {
    if (this.#outage !== undefined && !this.refused) this.#end();
  }

  /** What the hub holds, as soon as it admits this source; undefined if the signal aborts first. */
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

  /** Probes until there is no outage. */
  async #watch(heardAt: number): Promise<void> {
    const { signal, probeEveryMs = PROBE_EVERY_MS } = this.#options;
    while (!signal.aborted) {
      await this.#probe(heardAt);
      if (this.#outage === undefined) return;
      await pause(probeEveryMs, signal);
      // A link was served meanwhile.
      if (this.#outage === undefined) return;
    }
    this.#end();
  }

  /** Probes once, and begins or ends the outage accordingly. */
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
