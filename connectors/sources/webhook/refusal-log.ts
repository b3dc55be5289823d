import type { Logger } from '@aorta/runtime';

const EVERY_MS = 60_000;

/** Logs refused requests: the first one of each reason at once, and then their number once a minute. */
export class RefusalLog {
  readonly #source: string;
  readonly #logger: Logger;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(source: string, logger: Logger) {
    this.#source = source;
    this.#logger = logger;
  }

  /** `sender`: the network address of the sender. */
  note(reason: string, sender: string): void {
    const count = this.#counts.get(reason);
    if (count === undefined) this.#logger.warn('webhook request refused', { source: this.#source, reason, sender });
    this.#counts.set(reason, (count ?? 0) + 1);
    this.#timer ??= setInterval(() => this.#report(), EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#report();
  }

  #report(): void {
    for (const [reason, count] of this.#counts) {
      if (count > 1) this.#logger.warn('webhook requests refused', { source: this.#source, reason, requests: count - 1 });
    }
    this.#counts.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
