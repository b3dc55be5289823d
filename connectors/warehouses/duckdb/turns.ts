/** Steps that run one at a time, in the order in which they were asked for. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => {});
    return result;
  }
}

/**
 * Landing and merging have a connection each, so that batches are landed while others are merged. On each there is one
 * step at a time.
 */
export class ConnectionTurns {
  readonly #landing = new Turns();
  readonly #merging = new Turns();

  inLanding<T>(step: () => Promise<T>): Promise<T> {
    return this.#landing.take(step);
  }

  inMerging<T>(step: () => Promise<T>): Promise<T> {
    return this.#merging.take(step);
  }

  /** Runs a step on the merging connection while nothing lands. */
  exclusively<T>(step: () => Promise<T>): Promise<T> {
    // In this order everywhere: a step that has the turn to merge may wait for the turn to land, and never the other way round.
    return this.inMerging(() => this.inLanding(step));
  }
}
