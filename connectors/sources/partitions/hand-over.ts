/** Something that came in for an owner, and the bytes that it holds. */
export interface Handed<Owner, Thing> {
  readonly owner: Owner;
  readonly thing: Thing;
  readonly bytes: number;
}

/**
 * Between receivers, which push, and the consumer, which pulls: first in, first out over all partitions of a source. Who
 * hands something over waits while more than `limit` bytes are held; so each owner is at most one batch over it.
 */
export class HandOver<Owner, Thing> {
  readonly #limit: number;
  #waiting: Handed<Owner, Thing>[] = [];
  #bytes = 0;
  #arrival: (() => void) | undefined;
  /** Those who wait for room. */
  readonly #crowd = new Map<Owner, (() => void)[]>();
  #failure: { readonly error: unknown } | undefined;
  #ended = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes handed over and not taken yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Hands something over; undefined where there is room for more, else resolves when there is, or when the owner is dropped. Never rejects. */
  put(handed: Handed<Owner, Thing>): Promise<void> | undefined {
    // Beyond the end: without this, who takes would never be through while more comes.
    if (this.#ended) return undefined;
    this.#waiting.push(handed);
    this.#bytes += handed.bytes;
    this.#arrival?.();
    if (this.#bytes <= this.#limit) return undefined;
    return new Promise((resolve) => {
      const waiting = this.#crowd.get(handed.owner);
      if (waiting === undefined) this.#crowd.set(handed.owner, [resolve]);
      else waiting.push(resolve);
    });
  }

  /** The next thing; waits for it. Undefined at the end, or as soon as the signal aborts. Rejects with what {@link fail} was given, at once. */
  async take(signal: AbortSignal): Promise<Handed<Owner, Thing> | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (signal.aborted) return undefined;
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes;
        if (this.#bytes <= this.#limit) this.#letIn();
        return next;
      }
      if (this.#ended) return undefined;
      await this.#arrives(signal);
    }
  }

  /** Forgets what is held of an owner, and lets it go. */
  drop(owner: Owner): void {
    this.#waiting = this.#waiting.filter((handed) => {
      if (handed.owner !== owner) return true;
      this.#bytes -= handed.bytes;
      return false;
    });
    for (const resolve of this.#crowd.get(owner) ?? []) resolve();
    this.#crowd.delete(owner);
    if (this.#bytes <= this.#limit) this.#letIn();
  }

  /** Nothing is taken in any more; what is held can still be taken out. */
  end(): void {
    this.#ended = true;
    this.#letIn();
    this.#arrival?.();
  }

  /** Whoever takes is told the error, before anything that is still held. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.end();
  }

  #letIn(): void {
    const crowd = [...this.#crowd.values()].flat();
    this.#crowd.clear();
    for (const resolve of crowd) resolve();
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
