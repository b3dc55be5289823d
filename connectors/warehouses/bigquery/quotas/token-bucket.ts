/**
 * Allows at most `limit` uses in any window of `windowMs` milliseconds: the burst and the refill together never exceed `limit`.
 * The class is pure: the caller passes the time.
 */
export class TokenBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #tokens: number;
  #at: number;

  constructor(limit: number, windowMs: number, now: number) {
    // A fifth of the limit, but at least 1 and at most 100 uses, is available at once. The rest becomes available over time. Even
    // a limit of 1 or less is refilled, so that a caller never waits forever.
    this.#burst = Math.max(1, Math.min(100, Math.floor(limit / 5)));
    this.#perMs = Math.max(limit - this.#burst, limit * 0.1) / windowMs;
    this.#tokens = this.#burst;
    this.#at = now;
  }

  /** Milliseconds until a token is available; 0 means now. */
  wait(now: number): number {
    this.#fill(now);
    // Tolerates rounding errors.
    return this.#tokens >= 1 - 1e-9 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens -= 1;
  }

  #fill(now: number): void {
    // If the clock was set back, the number of tokens stays the same.
    if (now > this.#at) this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
