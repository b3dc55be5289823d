/** Runs steps one at a time, in the order of the calls. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** Runs the steps of each connection one at a time. The landing connection and the merging connection work concurrently. */
export class ConnectionTurns {
  readonly #landing = new Turns();
  readonly #merging = new Turns();

  inLanding<T>(step: () => Promise<T>): Promise<T> {
    return this.#landing.take(step);
  }

  inMerging<T>(step: () => Promise<T>): Promise<T> {
    return this.#merging.take(step);
  }

  /** Runs a step on the merging connection while nothing is landed. */
  exclusively<T>(step: () => Promise<T>): Promise<T> {
    // A step with the merging turn may wait for the landing turn, but never the reverse. Otherwise they could deadlock.
    return this.inMerging(() => this.inLanding(step));
  }
}
