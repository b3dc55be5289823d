interface Waiting {
  readonly done: (value: unknown) => void;
  readonly failed: (error: Error) => void;
}

/** Calls to the other thread that wait for an answer. */
export class PendingCalls {
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | undefined;

  /** The error that ended the thread; all later calls fail with it. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Sends a call with a new id. Resolves with the answer. Rejects if the call fails or the thread has ended. */
  send(say: (id: number) => void): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      say(id);
    });
  }

  /** Handles the answer of a call: a value or an error. */
  answer(id: number, value: unknown, error: Error | undefined): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.done(value);
    else waiting?.failed(error);
  }

  /** Fails all current and later calls. Returns the first error, which later errors do not replace. */
  fail(error: Error): Error {
    this.#failure ??= error;
    for (const { failed } of this.#waiting.values()) failed(this.#failure);
    this.#waiting.clear();
    return this.#failure;
  }
}
