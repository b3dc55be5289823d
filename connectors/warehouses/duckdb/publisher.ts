import type { StepObserver } from '@aorta/runtime';
import type { Merger, Tell } from './merger.ts';
import type { PublicationPace } from './publication-pace.ts';
import { copyDatabase, isPublished, renameCopy } from './publish.ts';
import type { ConnectionTurns } from './turns.ts';

interface PublisherOptions {
  readonly path: string;
  readonly turns: ConnectionTurns;
  readonly pace: PublicationPace;
  readonly merger: Merger;
  /** Receives a report of every merge that a publication runs. */
  readonly tell: Tell;
  readonly clock: () => number;
  readonly onStep: StepObserver;
  /** Describes the columns for readers, if that has not been done yet. */
  readonly describe: () => Promise<void>;
}

export class Publisher {
  readonly #options: PublisherOptions;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  async publish(when: 'due' | 'now'): Promise<boolean> {
    const { turns, pace, merger, tell, describe } = this.#options;
    // This method is called frequently. If no copy is due, it must not take a turn, so that merging and landing run concurrently.
    if (when === 'due' && !this.#isDue()) return false;
    return turns.inMerging(async () => {
      if (when === 'due' ? !this.#isDue() : !pace.behind) return false;
      await describe();
      await merger.checkpoint(tell, (begun) => this.#copy(begun));
      return true;
    });
  }

  /** Time at which the next copy is due, in milliseconds since 1970; undefined if nothing has changed. */
  dueAt(): number | undefined {
    return this.#options.pace.dueAt(() => isPublished(this.#options.path));
  }

  #isDue(): boolean {
    const { pace, clock, path } = this.#options;
    return pace.isDue(clock(), () => isPublished(path));
  }

  async #copy(begun: number): Promise<void> {
    const { path, pace, clock, onStep } = this.#options;
    const copy = await copyDatabase(path);
    onStep('publish:copied');
    await renameCopy(copy, path);
    pace.published(begun, clock());
    onStep('publish:renamed');
  }
}
