/** Runs cases at the same time or alone. A case that runs alone waits for running cases, and new cases wait for it. */
export class Turns {
  #running = 0;
  #alone = 0;
  #waiting: (() => void)[] = [];

  async beside<T>(act: () => Promise<T>): Promise<T> {
    while (this.#alone > 0) await this.#change();
    return this.#run(act);
  }

  async alone<T>(act: () => Promise<T>): Promise<T> {
    // Counts the case before it waits, so that no new case begins.
    this.#alone += 1;
    try {
      while (this.#running > 0) await this.#change();
      return await this.#run(act);
    } finally {
      this.#alone -= 1;
      this.#changed();
    }
  }

  async #run<T>(act: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await act();
    } finally {
      this.#running -= 1;
      this.#changed();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}
