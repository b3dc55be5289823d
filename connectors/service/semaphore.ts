/** A semaphore that limits concurrent calls. Waiting callers proceed in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /**
   * Waits for a free slot. Disposing the result (`using`) frees the slot; disposing it again has no effect. Rejects
   * with the signal's reason if the signal aborts during the wait.
   */
  async take(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let held = true;
    const free = (): void => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
    return { [Symbol.dispose]: free };
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(mine), 1);
        reject(signal!.reason);
      };
      this.#waiting.push(mine);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
