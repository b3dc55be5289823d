interface Waiting {
  readonly done: (value: unknown) => void;
  readonly failed: (error: Error) => void;
}

/** Calls to which the loader's thread has not responded yet. */
export class PendingCalls {
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | undefined;

  /** The error that ended the thread. All later calls fail with the same error. */
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

  /** Handles the answer to a call, which is a value or an error. */
  answer(id: number, value: unknown, error: Error | undefined): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.done(value);
    else waiting?.failed(error);
  }

  /** Makes all pending and later calls reject with the first error passed to this method, and returns this error. */
  fail(error: Error): Error {
    this.#failure ??= error;
    for (const { failed } of this.#waiting.values()) failed(this.#failure);
    this.#waiting.clear();
    return this.#failure;
  }
}
