import { LONG_STEP_MS, type ProgressReports } from '@aorta/runtime';
import { PART } from './names.ts';

/** Milliseconds between the rounds of an idle loader. Each round checks for merges and publications that are due. */
const IDLE_MS = 1_000;

/** Pauses an idle loader. A pause ends early when the streams grow. */
export class Pause {
  readonly #progress: ProgressReports;
  #wake: () => void = () => {};
  #woken = false;
  #rested = false;

  constructor(progress: ProgressReports) {
    this.#progress = progress;
  }

  /** Marks the start of a round. The round may miss records that arrive after this call. */
  begin(): void {
    this.#woken = false;
  }

  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Returns whether the streams have grown since {@link begin} was called. */
  get woken(): boolean {
    return this.#woken;
  }

  /** Returns whether the loader has been idle for a whole pause. */
  get rested(): boolean {
    return this.#rested;
  }

  /**
   * Waits until the pause is over or the streams grow. `gatheringMs` is the number of milliseconds until the loader must
   * land the records that it is gathering, or 0 if it is not gathering records.
   */
  async wait(gatheringMs: number): Promise<void> {
    if (gatheringMs === 0) return this.#sleep(gatheringMs);
    // The loader counts as stalled only if it lands the gathered records much later than planned.
    const deadlineMs = LONG_STEP_MS + gatheringMs;
    const gathering = { deadlineMs, dueMs: gatheringMs };
    await this.#progress.during(PART, 'gathering records for a batch', this.#sleep(gatheringMs), gathering);
  }

  #sleep(gatheringMs: number): Promise<void> {
    const gathering = gatheringMs > 0;
    return new Promise((resolve) => {
      const end = (): void => {
        if (!gathering) this.#rested = true;
        resolve();
      };
      const timer = setTimeout(end, gathering ? Math.min(IDLE_MS, gatheringMs) : IDLE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
