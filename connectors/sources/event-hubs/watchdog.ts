export interface WatchLimits {
  /** Maximum silence of a partition that should send events, in milliseconds. */
  readonly stalledMs: number;
  /** Maximum time between two handler calls of a working link, in milliseconds. The client makes two calls a second. */
  readonly heardEveryMs: number;
  /** Number of unsuccessful reopenings after which the process must be restarted. */
  readonly openings: number;
}

export type WatchdogDecision = 'well' | 'reopen' | 'restart';

/** Maximum interval between two checks, in milliseconds. A longer interval means that this process was blocked. */
const LOOKS_EVERY_MS = 1000;

/**
 * Watches one claimed partition for silence. A working link calls the handler twice a second, even without events. If it
 * does not, the partition is silent. The partition is also silent if events that are in the log do not arrive. Time
 * during which the link waited for this process, or during which no check ran, does not count. The class reads no clock
 * itself: callers pass all times, in milliseconds.
 */
export class Watchdog {
  readonly #limits: WatchLimits;
  #openedAt: number;
  /** Time at which the link last called the handler or was opened. */
  #heardAt: number;
  #heardSinceOpened = false;
  /** Last time at which events arrived or none were expected. */
  #movedAt: number;
  #lookedAt: number;
  #paused = false;
  #next: number;
  #end: number;
  #endAt = Number.NEGATIVE_INFINITY;
  #openings = 0;

  constructor(limits: WatchLimits, now: number, next: number) {
    this.#limits = limits;
    this.#openedAt = now;
    this.#heardAt = now;
    this.#movedAt = now;
    this.#lookedAt = now;
    this.#next = next;
    this.#end = next;
  }

  /** Whether the link waits for this process. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Number of events that are known to be in the log but have not arrived. */
  get behind(): number {
    return Math.max(0, this.#end - this.#next);
  }

  /** Returns for how many milliseconds the partition has been silent. */
  silentFor(now: number): number {
    return Math.max(this.#unheardFor(now), this.#stuckFor(now));
  }

  /** Records a call of the handler; `next` is the next expected sequence number. */
  heard(now: number, next: number): void {
    this.#heardAt = now;
    this.#heardSinceOpened = true;
    if (next === this.#next && this.behind > 0) return;
    if (next !== this.#next) this.#openings = 0;
    this.#movedAt = now;
    this.#next = next;
  }

  /** Records that the link waits until the queue has room. */
  pause(): void {
    this.#paused = true;
  }

  resume(now: number): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#excuse(now);
  }

  logEnds(now: number, end: number): void {
    if (this.behind === 0) this.#movedAt = now;
    this.#end = Math.max(this.#end, end);
    this.#endAt = now;
  }

  opened(now: number): void {
    this.#openedAt = now;
    this.#heardAt = now;
    this.#heardSinceOpened = false;
    this.#paused = false;
  }

  /** Returns what to do now. If it returns `reopen`, the link counts as opened now. */
  decide(now: number): WatchdogDecision {
    if (now - this.#lookedAt > LOOKS_EVERY_MS) this.#excuse(now);
    this.#lookedAt = now;
    // A link that has not called the handler yet may still be connecting.
    const patience = this.#heardSinceOpened ? this.#limits.heardEveryMs : this.#limits.stalledMs;
    if (this.#unheardFor(now) < patience && this.#stuckFor(now) < this.#limits.stalledMs) return 'well';
    // Restart only if the hub has answered since the link was opened. Otherwise, a new process could not reach the hub
    // either.
    const reachable = this.#endAt > this.#openedAt && this.behind > 0;
    if (this.#openings >= this.#limits.openings && reachable) return 'restart';
    this.#openings += 1;
    this.opened(now);
    return 'reopen';
  }

  #unheardFor(now: number): number {
    return this.#paused ? 0 : now - this.#heardAt;
  }

  #stuckFor(now: number): number {
    return this.#paused || this.behind === 0 ? 0 : now - Math.max(this.#movedAt, this.#openedAt);
  }

  /** Restarts the timers, because this process itself may have caused the silence. */
  #excuse(now: number): void {
    this.#heardAt = now;
    this.#movedAt = now;
  }
}
