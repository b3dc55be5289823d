/**
 * So many in any stretch of so many milliseconds, and never more: what may come at once, and what comes back in that time,
 * are together no more than the limit. Pure: whoever asks brings the time.
 */
export class TokenBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #tokens: number;
  #at: number;

  constructor(limit: number, windowMs: number, now: number) {
    // A fifth at once, the rest as time goes by; a share below two comes one by one.
    this.#burst = Math.max(1, Math.min(100, Math.floor(limit / 5)));
    this.#perMs = Math.max(limit - this.#burst, limit * 0.1) / windowMs;
    this.#tokens = this.#burst;
    this.#at = now;
  }

  /** Milliseconds until one may be taken; 0: now. */
  wait(now: number): number {
    this.#fill(now);
    // What is missing by less than the arithmetic's error is not missing.
    return this.#tokens >= 1 - 1e-9 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens -= 1;
  }

  #fill(now: number): void {
    // A clock that was put back gives nothing, and takes nothing.
    if (now > this.#at) this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
