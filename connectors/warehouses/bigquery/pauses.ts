import type { TimedWait } from '../../warehouse.ts';

/** Current pauses before retries, by step. */
export class Pauses {
  readonly #now: () => number;
  readonly #last = new Map<string, TimedWait>();

  /** `now` returns the current time in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  begin(step: string, reason: string, milliseconds: number): void {
    const since = this.#now();
    this.#last.set(step, { reason: `${reason} (${step})`, since, dueAt: since + milliseconds });
  }

  waits(): TimedWait[] {
    const now = this.#now();
    for (const [step, { dueAt }] of this.#last) if (dueAt <= now) this.#last.delete(step);
    return [...this.#last.values()];
  }
}
