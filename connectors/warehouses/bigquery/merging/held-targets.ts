import type { Logger } from '@aorta/runtime';

const wordsFor = (code: string): string =>
  code === 'AORTA-BIGQUERY-CAP' ? 'merges blocked by the daily cap (`most_per_day`)' : `blocked merges of a table (${code})`;

export interface HeldTargetsOptions {
  readonly logger: Logger;
  /** Called whenever a merge cannot run until the operator acts or the next day begins. */
  readonly onHeld: (words: string, target: string) => void;
}

/** Tables that currently cannot be merged, and why. */
export class HeldTargets {
  readonly #options: HeldTargetsOptions;
  readonly #codes = new Map<string, string>();

  constructor(options: HeldTargetsOptions) {
    this.#options = options;
  }

  /** Records the error code that blocks merges of a table; undefined clears it. */
  hear(target: string, code: string | undefined): void {
    const { logger, onHeld } = this.#options;
    if (code === undefined) {
      this.#codes.delete(target);
      return;
    }
    onHeld(wordsFor(code), target);
    if (this.#codes.get(target) === code) return;
    this.#codes.set(target, code);
    logger.warn('merges of a table are blocked', { table: target, code });
  }

  codes(): ReadonlyMap<string, string> {
    return this.#codes;
  }
}
