/** Looks at how long somebody has been silent. Times are milliseconds of one clock. Pure. */
export class Watch {
  readonly #limitMs: number;
  readonly #everyMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(limitMs: number, everyMs: number) {
    this.#limitMs = limitMs;
    this.#everyMs = everyMs;
  }

  /** Somebody else is watched from now on. */
  begin(now: number): void {
    this.#lookedAt = now;
  }

  /** `excused` where nobody looked for long: then it was this process that stood still, and the silence begins anew. */
  look(now: number, silentMs: number): 'well' | 'silent' | 'excused' {
    const missed = now - this.#lookedAt > 3 * this.#everyMs;
    this.#lookedAt = now;
    if (missed) return 'excused';
    return silentMs > this.#limitMs ? 'silent' : 'well';
  }
}
