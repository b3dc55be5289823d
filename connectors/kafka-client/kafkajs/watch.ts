/** Judges how long a member has been silent. Times are in milliseconds of one clock. Pure. */
export class Watch {
  readonly #limitMs: number;
  readonly #everyMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(limitMs: number, everyMs: number) {
    this.#limitMs = limitMs;
    this.#everyMs = everyMs;
  }

  /** Starts to watch a new member. */
  begin(now: number): void {
    this.#lookedAt = now;
  }

  /** Returns `excused` after a gap between looks: this process was paused, so the silence starts again. */
  look(now: number, silentMs: number): 'well' | 'silent' | 'excused' {
    const missed = now - this.#lookedAt > 3 * this.#everyMs;
    this.#lookedAt = now;
    if (missed) return 'excused';
    return silentMs > this.#limitMs ? 'silent' : 'well';
  }
}
