/** Tells the listeners of a stream log that records became durable. */
export class DurableSignal {
  readonly #listeners = new Set<() => void>();

  /** Adds a listener; the function it returns removes it again. */
  on(listener: () => void): () => void {
    // A set holds a function once: two subscriptions of the same one stay two.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Calls every listener. A flush calls it once, after readers see what it wrote. */
  announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
