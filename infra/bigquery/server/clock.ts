/** The server's clock: the machine's clock, plus the milliseconds that tests have added. */
export class Clock {
  #ahead = 0;

  /** Milliseconds since 1970. */
  get now(): number {
    return Date.now() + this.#ahead;
  }

  advance(ms: number): number {
    this.#ahead += ms;
    return this.now;
  }
}
