export interface WatchLimits {
  /** A partition may be silent for so long, in milliseconds. */
  readonly stalledMs: number;
  /** Openings in vain after which the process is to be started anew. */
  readonly openings: number;
}

export type Verdict = 'well' | 'reopen' | 'restart';

/**
 * Watches one claimed partition. It is silent where its receiver was not heard of at all (the client calls the handler
 * once a second, with nothing where there is nothing), or where the log is ahead and nothing came. Time in which the
 * receiver waits for us does not count. All times are milliseconds of one clock.
 */
export class Watchdog {
  readonly #limits: WatchLimits;
  #openedAt: number;
  #heardAt: number;
  /** When something last came, or nothing was due. */
  #movedAt: number;
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
    this.#next = next;
    this.#end = next;
  }

  /** Milliseconds for which the partition has been silent although it should not be. */
  silentFor(now: number): number {
    if (this.#paused) return 0;
    const heard = now - Math.max(this.#heardAt, this.#openedAt);
    const moved = this.behind > 0 ? now - Math.max(this.#movedAt, this.#openedAt) : 0;
    return Math.max(heard, moved);
  }

  /** Whether the receiver waits for us. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Events that the log is ahead, as far as is known. */
  get behind(): number {
    return Math.max(0, this.#end - this.#next);
  }

  /** The handler was called, and `next` is expected now. */
  heard(now: number, next: number): void {
    this.#heardAt = now;
    if (next === this.#next && this.behind > 0) return;
    if (next !== this.#next) this.#openings = 0;
    this.#movedAt = now;
    this.#next = next;
  }

  /** The receiver waits until there is room for more. */
  pause(): void {
    this.#paused = true;
  }

  resume(now: number): void {
    this.#paused = false;
    this.#heardAt = now;
    this.#movedAt = now;
  }

  /** The log ended so when it was asked. */
  logEnds(now: number, end: number): void {
    if (this.behind === 0) this.#movedAt = now;
    this.#end = Math.max(this.#end, end);
    this.#endAt = now;
  }

  /** The receiver is opened anew. */
  opened(now: number): void {
    this.#openedAt = now;
    this.#paused = false;
  }

  /** What to do now; `reopen` counts as done. */
  decide(now: number): Verdict {
    if (this.silentFor(now) < this.#limits.stalledMs) return 'well';
    // Only where the hub was reached since the last opening: if it is away, another process would not reach it either.
    const reachable = this.#endAt > this.#openedAt && this.behind > 0;
    if (this.#openings >= this.#limits.openings && reachable) return 'restart';
    this.#openings += 1;
    this.opened(now);
    return 'reopen';
  }
}
