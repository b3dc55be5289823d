/** An item with its owner and its size in bytes. */
export interface Handed<Owner, Thing> {
  readonly owner: Owner;
  readonly thing: Thing;
  readonly bytes: number;
}

/**
 * A bounded FIFO queue between receivers, which put items in, and the consumer of a source, which takes them. All
 * partitions share the queue. A put waits while the queue holds more than `limit` bytes, so each owner exceeds the
 * limit by at most one batch.
 */
export class HandOver<Owner, Thing> {
  readonly #limit: number;
  #waiting: Handed<Owner, Thing>[] = [];
  #bytes = 0;
  #arrival: (() => void) | undefined;
  /** Resolvers of the puts that wait for room, by owner. */
  readonly #blocked = new Map<Owner, (() => void)[]>();
  #failure: { readonly error: unknown } | undefined;
  #ended = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds an item. Returns undefined if there is room for more; otherwise a promise that resolves once there is room or
   * the owner is dropped. It never rejects.
   */
  put(handed: Handed<Owner, Thing>): Promise<void> | undefined {
    // Once the queue has ended, new items are dropped. Otherwise, `take` might never finish while items keep arriving.
    if (this.#ended) return undefined;
    this.#waiting.push(handed);
    this.#bytes += handed.bytes;
    this.#arrival?.();
    if (this.#bytes <= this.#limit) return undefined;
    return new Promise((resolve) => {
      const waiting = this.#blocked.get(handed.owner);
      if (waiting === undefined) this.#blocked.set(handed.owner, [resolve]);
      else waiting.push(resolve);
    });
  }

  /**
   * Takes the next item, and waits for one if necessary. Returns undefined as soon as the signal aborts, or once the
   * queue has ended and is empty. After {@link fail}, rejects at once with the given error.
   */
  async take(signal: AbortSignal): Promise<Handed<Owner, Thing> | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (signal.aborted) return undefined;
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes;
        if (this.#bytes <= this.#limit) this.#unblock();
        return next;
      }
      if (this.#ended) return undefined;
      await this.#arrives(signal);
    }
  }

  /** Discards the owner's items and resolves its waiting puts. */
  drop(owner: Owner): void {
    this.#waiting = this.#waiting.filter((handed) => {
      if (handed.owner !== owner) return true;
      this.#bytes -= handed.bytes;
      return false;
    });
    for (const resolve of this.#blocked.get(owner) ?? []) resolve();
    this.#blocked.delete(owner);
    if (this.#bytes <= this.#limit) this.#unblock();
  }

  /** Drops further items. Items in the queue can still be taken. */
  end(): void {
    this.#ended = true;
    this.#unblock();
    this.#arrival?.();
  }

  /** Ends the queue. The next call of `take` rejects with the error, even if items remain. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.end();
  }

  #unblock(): void {
    const blocked = [...this.#blocked.values()].flat();
    this.#blocked.clear();
    for (const resolve of blocked) resolve();
  }

  async #arrives(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        this.#arrival = undefined;
        resolve();
      };
      this.#arrival = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
