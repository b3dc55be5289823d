import { LONG_STEP_MS, type ProgressReports } from '@aorta/runtime';
import { PART } from './names.ts';

/** Milliseconds between checks of an idle loader for due merges of old dates and due publications. */
const IDLE_MS = 1_000;

/** Pauses of an idle loader. They end early when the streams grow. */
export class Pause {
  readonly #progress: ProgressReports;
  #wake: () => void = () => {};
  #woken = false;
  #rested = false;

  constructor(progress: ProgressReports) {
    this.#progress = progress;
  }

  /** Marks the start of a round, which may miss records that arrive later. */
  begin(): void {
    this.#woken = false;
  }

  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Whether the streams have grown since {@link begin}. */
  get woken(): boolean {
    return this.#woken;
  }

  /** Whether the loader has been idle for a whole pause. */
  get rested(): boolean {
    return this.#rested;
  }

  /** Waits until the streams grow, for at most one pause. `gatheringMs`: time that records are gathered, 0 if none are. */
  async wait(gatheringMs: number): Promise<void> {
    if (gatheringMs === 0) return this.#sleep(gatheringMs);
    // Gathering is not a stall unless the records land much later than due.
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
