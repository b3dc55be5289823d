import type { Logger } from '@aorta/runtime';
import type { PartitionOfHub } from './claims.ts';
import { conditionOf } from './hub-error.ts';
import type { LogEnds } from './log-ends.ts';

export interface EndQuestionsOptions {
  readonly partition: PartitionOfHub;
  readonly ends: LogEnds;
  /** Milliseconds between two requests. */
  readonly everyMs: number;
  readonly logger: Logger;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Called with the current end of the log. */
  readonly onEnd: (end: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Milliseconds between a failed request and the next one. */
const ASK_AGAIN_MS = 1000;

/** Periodically asks for the end of one partition's log. Only one request runs at a time. */
export class EndQuestions {
  readonly #options: EndQuestionsOptions;
  #askAt = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(options: EndQuestionsOptions) {
    this.#options = options;
  }

  /** Sends a request if the interval has passed. */
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
        // The next request uses a new connection, so it need not wait for the whole interval.
        this.#askAt = clock() + ASK_AGAIN_MS;
        onFailed(error);
        const names = { hub: partition.hub, partition: partition.partitionId };
        logger.debug('the hub did not report the end of the log', { ...names, condition: conditionOf(error) });
      },
    );
  }
}
