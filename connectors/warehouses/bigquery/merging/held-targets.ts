import type { Logger } from '@aorta/runtime';

/** What holds merges of a table up, for people. */
const wordsFor = (code: string): string =>
  code === 'AORTA-BIGQUERY-CAP' ? 'merges, for what a day may cost (`most_per_day`)' : `merges of a table (${code})`;

export interface HeldTargetsOptions {
  readonly logger: Logger;
  /** Hears, every time again, that merges of a table wait for somebody or another day. */
  readonly onHeld: (words: string, target: string) => void;
}

/** The tables into which nothing can be merged now, and why. */
export class HeldTargets {
  readonly #options: HeldTargetsOptions;
  readonly #codes = new Map<string, string>();

  constructor(options: HeldTargetsOptions) {
    this.#options = options;
  }

  /** Merges of a table cannot go on, by this error; undefined: they can again. */
  hear(target: string, code: string | undefined): void {
    const { logger, onHeld } = this.#options;
    if (code === undefined) {
      this.#codes.delete(target);
      return;
    }
    onHeld(wordsFor(code), target);
    if (this.#codes.get(target) === code) return;
    this.#codes.set(target, code);
    logger.warn('merges of a table wait', { table: target, code });
  }

  /** By table: the code of the error. */
  codes(): ReadonlyMap<string, string> {
    return this.#codes;
  }
}
