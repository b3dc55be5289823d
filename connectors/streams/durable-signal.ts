/** Notifies the listeners of a stream log when records become durable. */
export class DurableSignal {
  readonly #listeners = new Set<() => void>();

  /** Adds a listener and returns a function that removes it. */
  on(listener: () => void): () => void {
    // The wrapper keeps two subscriptions of the same function apart; a set would hold it once.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Calls every listener. A flush calls this once, after its records are visible to readers. */
  announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
