/** Notifies the listeners of a stream log when records become durable. */
export class DurableSignal {
  readonly #listeners = new Set<() => void>();

  /** Adds a listener and returns a function that removes it. */
  on(listener: () => void): () => void {
    // A set would store two subscriptions of the same function only once, so each subscription gets its own wrapper.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Calls every listener. Each flush calls this method once, when readers can see the flushed records. */
  announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
