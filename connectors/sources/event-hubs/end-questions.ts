import type { Logger } from '@aorta/runtime';
import type { PartitionOfHub } from './claims.ts';
import { conditionOf } from './hub-error.ts';
import type { LogEnds } from './log-ends.ts';

export interface EndQuestionsOptions {
  readonly partition: PartitionOfHub;
  readonly ends: LogEnds;
  /** Milliseconds between two questions. */
  readonly everyMs: number;
  readonly logger: Logger;
  /** Milliseconds of a clock that never jumps. */
  readonly clock: () => number;
  /** The log ends there now. */
  readonly onEnd: (end: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Milliseconds after a failed question before the next one. */
const ASK_AGAIN_MS = 1000;

/** Asks where the log of one partition ends, one question at a time. */
export class EndQuestions {
  readonly #options: EndQuestionsOptions;
  #askAt = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(options: EndQuestionsOptions) {
    this.#options = options;
  }

  /** Asks, if it is time. */
  askIfDue(now: number): void {
    if (this.#asking || now < this.#askAt) return;
    const { partition, ends, everyMs, logger, clock, onEnd, onFailed } = this.#options;
    this.#asking = true;
    this.#askAt = now + everyMs;
    ends.bounds(partition.partitionId).then(
      ({ end }) => {
        this.#asking = false;
        onEnd(end);
      },
      (error: unknown) => {
        this.#asking = false;
        // On another connection.
        this.#askAt = clock() + ASK_AGAIN_MS;
        onFailed(error);
        const names = { hub: partition.hub, partition: partition.partitionId };
        logger.debug('the end of the log was not told', { ...names, condition: conditionOf(error) });
      },
    );
  }
}
