import {
  type AortaError,
  errorFields,
  isAortaError,
  type Lane,
  type LogFields,
  type Logger,
  type Metrics,
  type Progress,
  pause,
  steadyNow,
} from '@aorta/runtime';
import type { LogBounds } from '../sources/reading-plan.ts';
import { partitionName } from './delivery-of-event.ts';
import { conditionOf, failureOf } from './hub-error.ts';
import type { HubMetrics } from './metrics.ts';

/** Maximum interval between two checks, in milliseconds. A longer interval means that this process was blocked. */
const CHECKS_EVERY_MS = 1000;

/** Milliseconds between a failed request for the end of a log and the next request. */
const ASK_AGAIN_MS = 1000;

/** Log bounds of a hub's partitions, by partition id. */
type PartitionBounds = ReadonlyMap<string, LogBounds>;

export interface HubHealthOptions {
  readonly source: string;
  readonly hub: string;
  /** Probes the hub on new connections. Rejects with an AORTA-HUB-… error that includes the AMQP condition or error code. */
  readonly probe: () => Promise<PartitionBounds>;
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
  /** Start of the outage, by `steadyNow`. */
  readonly since: number;
  /** Ends the outage that readiness and status report. */
  readonly ended: () => void;
}

/** Milliseconds between two probes during an outage. */
const PROBE_EVERY_MS = 15_000;
/** Time after a probe, in milliseconds, during which {@link HubHealth.doubt} does not start another probe. */
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
export class HubHealth {
  readonly #options: HubHealthOptions;
  #outage: Outage | undefined;
  #probing = false;
  #probedAt = Number.NEGATIVE_INFINITY;

  constructor(options: HubHealthOptions) {
    this.#options = options;
  }

  /** See {@link HubHealthOptions.deadlineMs}. */
  get deadlineMs(): number {
    return this.#options.deadlineMs;
  }

  /** Whether the hub refuses access to this source. If so, readers wait until the hub grants access. */
  get refused(): boolean {
    return this.#outage !== undefined && refusals.has(this.#outage.code);
  }

  /** Whether there is an outage. */
  get failing(): boolean {
    return this.#outage !== undefined;
  }

  /** Whether there is an outage or a probe is running. */
  get doubtful(): boolean {
    return this.#outage !== undefined || this.#probing;
  }

  /**
   * Reports a failed link or request. `heardAt` is the time at which the reader last received data, by
   * `steadyNow`.
   */
  failed(error: unknown, heardAt: number): void {
    const failure = failureOf(error);
    if (failure === 'stolen' || failure === 'stale' || failure === 'other') return;
    this.#count(conditionOf(error));
    if (failure === 'refused' || failure === 'not-found') this.doubt(heardAt);
  }

  /** Reports that a reader has received nothing since `heardAt`, by `steadyNow`. Probes the hub unless it was probed recently. */
  doubt(heardAt: number): void {
    if (this.doubtful || performance.now() - this.#probedAt < DOUBT_EVERY_MS) return;
    this.#watch(heardAt);
  }

  /** Reports that a link to the hub works. */
  heard(): void {
    if (this.#outage !== undefined && !this.refused) this.#end();
  }

  /** Probes until the hub grants access. Returns the bounds of its partitions, or undefined if the signal aborts first. */
  async admitted(): Promise<PartitionBounds | undefined> {
    const { signal, probeEveryMs = PROBE_EVERY_MS } = this.#options;
    const since = steadyNow();
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
  async #probe(heardAt: number): Promise<PartitionBounds | undefined> {
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
    logger.info('hub can be read again', { source, hub, after_s: Math.round((steadyNow() - outage.since) / 1000) });
  }

  #count(condition: string): void {
    this.#options.metrics.count('aorta_source_refusals_total', { source: this.#options.source, condition });
  }
}

interface HealthLimits {
  /** Maximum silence of a partition that should send events, in milliseconds. */
  readonly stalledMs: number;
  /** Maximum time between two handler calls of a working link, in milliseconds. The client makes two calls a second. */
  readonly heardEveryMs: number;
  /** Number of unsuccessful reopenings after which the process must be restarted. */
  readonly reopenings: number;
}

type News = Parameters<Lane['report']>[0];

/** The action to take on a partition's link. */
export type Verdict = 'well' | 'reopen' | 'restart';

/** The latest observations of a partition's link. Times are by `steadyNow`. */
interface Watch {
  openedAt: number;
  /** Time at which the link last called the handler or was opened. */
  heardAt: number;
  heardSinceOpened: boolean;
  /** Last time at which events arrived or none were expected. */
  movedAt: number;
  checkedAt: number;
  /** Whether the link waits for this process. */
  paused: boolean;
  /** The next expected sequence number. */
  next: number;
  /** End of the log, as far as known. */
  end: number;
  /** Time at which the hub last reported the end of the log. */
  endAt: number;
  /** Number of reopenings since events last arrived. */
  reopenings: number;
}

function newWatch(now: number, next: number): Watch {
  const times = { openedAt: now, heardAt: now, movedAt: now, checkedAt: now, endAt: Number.NEGATIVE_INFINITY };
  return { ...times, heardSinceOpened: false, paused: false, next, end: next, reopenings: 0 };
}

function unheardMs({ paused, heardAt }: Watch, now: number): number {
  return paused ? 0 : now - heardAt;
}

function stuckMs({ paused, next, end, movedAt, openedAt }: Watch, now: number): number {
  return paused || end <= next ? 0 : now - Math.max(movedAt, openedAt);
}

function verdictOn(watch: Watch, limits: HealthLimits, now: number): Verdict {
  // A link that has not called the handler yet may still be connecting.
  const patience = watch.heardSinceOpened ? limits.heardEveryMs : limits.stalledMs;
  if (unheardMs(watch, now) < patience && stuckMs(watch, now) < limits.stalledMs) return 'well';
  // Restart only if the hub has answered since the link was opened. Otherwise, a new process could not reach the hub
  // either.
  const reachable = watch.endAt > watch.openedAt && watch.end > watch.next;
  return watch.reopenings >= limits.reopenings && reachable ? 'restart' : 'reopen';
}

export interface PartitionHealthOptions {
  /** Names of the partition in log entries. */
  readonly names: { readonly hub: string; readonly partition: string };
  readonly hub: Pick<HubHealth, 'refused' | 'failing' | 'doubtful' | 'doubt' | 'failed'>;
  readonly limits: HealthLimits;
  /** Asks the hub for the current bounds of the log. */
  readonly bounds: () => Promise<LogBounds>;
  /** Milliseconds between two requests for the end of the log. */
  readonly askEveryMs: number;
  readonly lane: Lane;
  readonly logger: Logger;
  /** Default: `steadyNow`. */
  readonly clock?: () => number;
}

/**
 * The health of one claimed partition: whether it is being read, is silent, or is waiting for this process or for access to
 * its hub. A working link calls the handler twice a second, even without events. If it does not, the partition is silent.
 * The partition is also silent if events that are in the log do not arrive. Time during which the link waited for this
 * process, or during which no check ran, does not count.
 */
export class PartitionHealth {
  readonly #options: PartitionHealthOptions;
  readonly #clock: () => number;
  #watch: Watch;
  /** Whether the position is known. */
  #located = false;
  /**
   * Time at which the client last called the handler, or at which the link last waited for room in the queue.
   */
  #heardAt: number;
  #warned = false;
  #asking = false;
  #askAt = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(options: PartitionHealthOptions) {
    this.#options = options;
    this.#clock = options.clock ?? steadyNow;
    this.#heardAt = this.#clock();
    this.#watch = newWatch(this.#heardAt, 0);
  }

  /** Number of events that are known to be in the log but have not arrived. */
  get behind(): number {
    return Math.max(0, this.#watch.end - this.#watch.next);
  }

  /** Number of milliseconds for which the partition has been silent. */
  get silentMs(): number {
    const now = this.#clock();
    return Math.round(Math.max(unheardMs(this.#watch, now), stuckMs(this.#watch, now)));
  }

  /** Updates the status without recording that the hub has answered. */
  note(news: News): void {
    this.#options.lane.note(news);
  }

  /** Records that the position is known. The first link starts at sequence number `next`. */
  located(next: number): void {
    this.#watch = newWatch(this.#clock(), next);
    this.#located = true;
  }

  /** Records that the position must be determined again. Until then, no check asks for a reopening or a restart. */
  lostPosition(): void {
    this.#located = false;
  }

  opened(): void {
    const now = this.#clock();
    Object.assign(this.#watch, { openedAt: now, heardAt: now, heardSinceOpened: false, paused: false });
  }

  /** Records a call of the handler; `next` is the next expected sequence number. */
  heard(next: number, news: News): void {
    const watch = this.#watch;
    const now = this.#clock();
    watch.heardAt = now;
    watch.heardSinceOpened = true;
    if (next !== watch.next) watch.reopenings = 0;
    if (next !== watch.next || this.behind === 0) watch.movedAt = now;
    watch.next = next;
    this.#report(news);
  }

  /** Records that the link waits until the queue has room. */
  pause(): void {
    this.#watch.paused = true;
  }

  resume(): void {
    if (!this.#watch.paused) return;
    this.#watch.paused = false;
    this.#excuse();
  }

  logEnds(end: number): void {
    if (this.#ended) return;
    const watch = this.#watch;
    const now = this.#clock();
    if (this.behind === 0) watch.movedAt = now;
    watch.end = Math.max(watch.end, end);
    watch.endAt = now;
    this.note({ end });
  }

  /** Reports a failed link or request to the health of the hub. */
  failed(error: unknown): void {
    this.#options.hub.failed(error, this.#heardAt);
  }

  /** Reports that the position could not be determined. */
  notOpened(error: unknown): void {
    this.#warn('partition not opened', { condition: conditionOf(error) });
    this.failed(error);
  }

  /** Asks for the end of the log if that is due, and decides what to do. After `reopen`, the link counts as opened now. */
  check(): Verdict {
    const { hub, limits } = this.#options;
    const now = this.#clock();
    if (now - this.#heardAt >= limits.stalledMs) hub.doubt(this.#heardAt);
    if (!this.#located) return 'well';
    const watch = this.#watch;
    if (!hub.refused) this.#askForEnd(now);
    if (watch.paused) this.#report({ state: 'waiting' });
    const { silentMs } = this;
    if (now - watch.checkedAt > CHECKS_EVERY_MS) this.#excuse();
    watch.checkedAt = now;
    const verdict = verdictOn(watch, limits, now);
    if (verdict === 'well') return 'well';
    // During an outage, restarting the process would not help. A running probe shows whether there is an outage.
    if (verdict === 'restart' && !hub.failing) return hub.doubtful ? 'well' : 'restart';
    watch.reopenings += 1;
    this.opened();
    this.#warn('silent partition reopened', { silent_ms: silentMs, behind: this.behind });
    this.note({ state: 'opening' });
    return 'reopen';
  }

  end(): void {
    this.#ended = true;
    this.#options.lane.end();
  }

  /** Asks the hub for the end of the log if the interval has passed. Only one request runs at a time. */
  #askForEnd(now: number): void {
    if (this.#asking || now < this.#askAt) return;
    const { bounds, askEveryMs, logger, names } = this.#options;
    this.#asking = true;
    this.#askAt = now + askEveryMs;
    bounds().then(
      ({ end }) => {
        this.#asking = false;
        this.logEnds(end);
      },
      (error: unknown) => {
        this.#asking = false;
        // The next request uses a new connection, so it need not wait for the whole interval.
        this.#askAt = this.#clock() + ASK_AGAIN_MS;
        this.failed(error);
        logger.debug('the hub did not report the end of the log', { ...names, condition: conditionOf(error) });
      },
    );
  }

  /** Records that the link works, or that it is waiting for room in the queue. */
  #report(news: News): void {
    this.#heardAt = this.#clock();
    this.#warned = false;
    this.#options.lane.report(news);
  }

  /** Logs a warning. During an outage, or after another warning since the link last worked, logs at debug level instead. */
  #warn(event: string, fields: LogFields): void {
    const { hub, logger, names } = this.#options;
    logger[this.#warned || hub.doubtful ? 'debug' : 'warn'](event, { ...names, ...fields });
    this.#warned = true;
  }

  /** Restarts the timers, because this process itself may have caused the silence. */
  #excuse(): void {
    const now = this.#clock();
    Object.assign(this.#watch, { heardAt: now, movedAt: now });
  }
}
