export interface WatchLimits {
  /** A partition may be silent for so long, in milliseconds. */
  readonly stalledMs: number;
  /** A link that was heard of is heard of again within this time, in milliseconds: the client calls twice a second. */
  readonly heardEveryMs: number;
  /** Openings in vain after which the process is to be started anew. */
  readonly openings: number;
}

export type Verdict = 'well' | 'reopen' | 'restart';

/** Whoever watches looks at least so often, in milliseconds; after a longer time it was this process that stood still. */
const LOOKS_EVERY_MS = 1000;

/**
 * Watches one claimed partition. It is silent where its link is not heard of at all (the client calls the handler twice
 * a second, with nothing where there is nothing), or where the log is ahead and nothing comes. Time in which the link waits
 * for us, or in which nobody looked, does not count. All times are milliseconds of one clock. Pure.
 */
export class Watchdog {
  readonly #limits: WatchLimits;
  #openedAt: number;
  /** When the link was last heard of, or opened. */
  #heardAt: number;
  #heardSinceOpened = false;
  /** When something last came, or nothing was due. */
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

  /** Whether the link waits for us. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Events that the log is ahead, as far as is known. */
  get behind(): number {
    return Math.max(0, this.#end - this.#next);
  }

  /** Milliseconds for which nothing came although something should have. */
  silentFor(now: number): number {
    return Math.max(this.#unheardFor(now), this.#stuckFor(now));
  }

  /** The handler was called, and `next` is expected now. */
  heard(now: number, next: number): void {
    this.#heardAt = now;
    this.#heardSinceOpened = true;
    if (next === this.#next && this.behind > 0) return;
    if (next !== this.#next) this.#openings = 0;
    this.#movedAt = now;
    this.#next = next;
  }

  /** The link waits until there is room for more. */
  pause(): void {
    this.#paused = true;
  }

  resume(now: number): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#excuse(now);
  }

  /** The log ended so when it was asked. */
  logEnds(now: number, end: number): void {
    if (this.behind === 0) this.#movedAt = now;
    this.#end = Math.max(this.#end, end);
    this.#endAt = now;
  }

  /** A link is opened anew. */
  opened(now: number): void {
    this.#openedAt = now;
    this.#heardAt = now;
    this.#heardSinceOpened = false;
    this.#paused = false;
  }

  /** What to do now; `reopen` counts as begun. */
  decide(now: number): Verdict {
    if (now - this.#lookedAt > LOOKS_EVERY_MS) this.#excuse(now);
    this.#lookedAt = now;
    // One that was never heard of may still be connecting, which takes its time.
    const patience = this.#heardSinceOpened ? this.#limits.heardEveryMs : this.#limits.stalledMs;
    if (this.#unheardFor(now) < patience && this.#stuckFor(now) < this.#limits.stalledMs) return 'well';
    // Only where the hub was reached since the last opening: if it is away, another process would not reach it either.
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

  /** What was not seen so far may have been our own doing. */
  #excuse(now: number): void {
    this.#heardAt = now;
    this.#movedAt = now;
  }
}
