/** Checks at regular intervals whether a member has been silent for too long. All times are in milliseconds of the same clock. */
export class Watch {
  readonly #limitMs: number;
  readonly #everyMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(limitMs: number, everyMs: number) {
    this.#limitMs = limitMs;
    this.#everyMs = everyMs;
  }

  /** Starts watching a new member. */
  begin(now: number): void {
    this.#lookedAt = now;
  }

  /**
   * Returns `excused` if the last check was too long ago, which means that this process was paused. The caller then restarts
   * the measurement of silence.
   */
  look(now: number, silentMs: number): 'well' | 'silent' | 'excused' {
    const missed = now - this.#lookedAt > 3 * this.#everyMs;
    this.#lookedAt = now;
    if (missed) return 'excused';
    return silentMs > this.#limitMs ? 'silent' : 'well';
  }
}
