import { LONG_STEP_MS, type ProgressReports } from '@aorta/runtime';
import { PART } from './names.ts';

/** Pause after which an idle loader looks whether old dates or a publication have come due. */
const IDLE_MS = 1_000;

/** Pauses of an idle loader, which end early when the streams have grown. */
export class Pause {
  readonly #progress: ProgressReports;
  #wake: () => void = () => {};
  #woken = false;
  #rested = false;

  constructor(progress: ProgressReports) {
    this.#progress = progress;
  }

  /** A round begins: what grows from now on may come after the loader looked. */
  begin(): void {
    this.#woken = false;
  }

  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** The streams have grown since {@link begin}. */
  get woken(): boolean {
    return this.#woken;
  }

  /** The loader has had nothing to do for a whole pause. */
  get rested(): boolean {
    return this.#rested;
  }

  /** Waits for the streams to grow, and not for long. `gatheringMs`: for how long records are gathered, 0 if none are. */
  async wait(gatheringMs: number): Promise<void> {
    if (gatheringMs === 0) return this.#sleep(gatheringMs);
    // That records wait is no stall, as long as they are landed when their time has come.
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
