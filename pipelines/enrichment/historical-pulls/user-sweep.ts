import type { Logger } from '@aorta/runtime';
import type { OpenPart } from '../state/durable-state.ts';
import type { Pulls } from './pulls.ts';
import type { SavedSweep } from './saved-state.ts';

/** A page-by-page sweep through the list of all users. If a process stops during a sweep, the next process resumes it. */
export class UserSweep {
  readonly #pulls: Pulls;
  readonly #kept: OpenPart<SavedSweep | undefined>;
  readonly #logger: Logger;
  readonly #onEnd: () => void;
  /** Cursor of the next page. */
  #cursor: string | undefined;
  /** Cursors that the service has returned in this sweep. */
  #cursors = new Set<string>();
  /** Whether the next page is the first one after an interruption. If so, its cursor may have expired. */
  #resuming = false;

  constructor(pulls: Pulls, kept: OpenPart<SavedSweep | undefined>, logger: Logger, onEnd: () => void) {
    this.#pulls = pulls;
    this.#kept = kept;
    this.#logger = logger;
    this.#onEnd = onEnd;
  }

  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Resumes the sweep of an earlier process, unless the sweep began more than `mostMs` before `now`. */
  resume(now: number, mostMs: number): void {
    const sweep = this.#kept.content;
    if (sweep === undefined || sweep.began < now - mostMs) return;
    this.#cursor = sweep.cursor;
    this.#resuming = true;
    this.#pulls.resumeSweep(Math.min(sweep.began, now));
  }

  /** Moves on to the next page. Ends the sweep after the last page, or if the service returns a cursor twice. */
  async advance(next: string | undefined): Promise<void> {
    this.#resuming = false;
    if (next === undefined) await this.#end(true);
    else if (this.#cursors.has(next)) {
      this.#logger.warn('the list of all users repeats a cursor', { pages: this.#cursors.size + 1 });
      await this.#end(false);
    } else {
      this.#cursors.add(next);
      this.#cursor = next;
      const began = this.#pulls.schedule.sweepBegan;
      if (began !== undefined) await this.#kept.keep({ began, cursor: next });
    }
  }

  /**
   * Called when the service rejects the request for a page. If the cursor comes from an earlier process, restarts the sweep
   * and returns true.
   */
  forgotten(): boolean {
    if (!this.#resuming) return false;
    this.#resuming = false;
    this.#cursor = undefined;
    return true;
  }

  /** Called when the request for a page fails. The saved sweep is kept, so that a later process can resume it. */
  failed(): void {
    this.#leave(false);
  }

  async #end(whole: boolean): Promise<void> {
    const written = this.#cursor !== undefined;
    this.#leave(whole);
    if (written) await this.#kept.keep(undefined);
  }

  #leave(whole: boolean): void {
    this.#cursor = undefined;
    this.#cursors = new Set();
    this.#pulls.sweepEnded(whole);
    this.#onEnd();
  }
}
