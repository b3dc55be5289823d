import type { Logger } from '@aorta/runtime';
import type { OpenPart } from '../state/durable-state.ts';
import type { Sweep } from './kept.ts';
import type { Pulls } from './pulls.ts';

/** The list of all users, gone through page by page. Where it is interrupted, the next process goes on with it. */
export class UserList {
  readonly #pulls: Pulls;
  readonly #kept: OpenPart<Sweep | undefined>;
  readonly #logger: Logger;
  readonly #onEnd: () => void;
  /** Where the next page begins. */
  #cursor: string | undefined;
  /** Cursors that were there already. */
  #cursors = new Set<string>();
  /** The first page after an interruption: its cursor may be of no use any more. */
  #resuming = false;

  constructor(pulls: Pulls, kept: OpenPart<Sweep | undefined>, logger: Logger, onEnd: () => void) {
    this.#pulls = pulls;
    this.#kept = kept;
    this.#logger = logger;
    this.#onEnd = onEnd;
  }

  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Goes on with the list that an earlier process did not end, if it is not older than that. */
  resume(oldest: number): void {
    const sweep = this.#kept.content;
    if (sweep === undefined || sweep.began < oldest) return;
    this.#cursor = sweep.cursor;
    this.#resuming = true;
    this.#pulls.resumeSweep(sweep.began);
  }

  /** Goes on to the next page; a cursor that was there already leads nowhere. */
  async turn(next: string | undefined): Promise<void> {
    this.#resuming = false;
    if (next === undefined) await this.#end(true);
    else if (this.#cursors.has(next)) {
      this.#logger.warn('the pages of all users go round in a circle', { pages: this.#cursors.size + 1 });
      await this.#end(false);
    } else {
      this.#cursors.add(next);
      this.#cursor = next;
      const began = this.#pulls.agenda.sweepBegan;
      if (began !== undefined) await this.#kept.keep({ began, cursor: next });
    }
  }

  /** The service refused the page. True if it has forgotten the cursor of an earlier process: the list begins anew. */
  forgotten(): boolean {
    if (!this.#resuming) return false;
    this.#resuming = false;
    this.#cursor = undefined;
    return true;
  }

  /** A page could not be had. What is kept of the list stays: the next process goes on where this one could not. */
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
