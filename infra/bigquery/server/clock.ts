/** The server's clock, which is ahead of the machine's clock after a test has advanced it. */
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
