import { type Logger, type Progress, within } from '@aorta/runtime';
import type { KafkaAdmin } from '../../kafka-client/index.ts';
import { consumerPart } from '../consumer-part.ts';
import type { Shares } from './shares.ts';
import type { TopicContent } from './topics.ts';

export interface ClusterQuestionsOptions {
  readonly source: string;
  readonly group: string;
  readonly admin: KafkaAdmin;
  readonly shares: Shares;
  /** What the topics held at the start. */
  readonly atStart: readonly TopicContent[];
  /** Milliseconds that an answer may take before the cluster counts as silent. */
  readonly answerMs: number;
  readonly logger: Logger;
  readonly progress: Progress;
}

/** Asks the cluster where its logs end and how far the group is. Each kind of question is asked one at a time. */
export class ClusterQuestions {
  readonly #options: ClusterQuestionsOptions;
  #asking = false;
  #askingThrough = false;
  #closed = false;
  /** Ends the wait for a cluster that does not answer. */
  #answered: (() => void) | undefined;

  constructor(options: ClusterQuestionsOptions) {
    this.#options = options;
  }

  /** Asks where the logs end, so that who stands still is found out. */
  askForEnds(): void {
    if (this.#asking) return;
    this.#asking = true;
    const { source, answerMs, progress, logger } = this.#options;
    within(answerMs, this.#ends())
      .then(
        (contents) => {
          this.#answered?.();
          this.#answered = undefined;
          this.#note(contents);
        },
        () => {
          if (!this.#closed) this.#answered ??= progress.wait(consumerPart(source), 'the brokers do not answer');
          logger.debug('the ends of the logs were not told', { source });
        },
      )
      .finally(() => {
        this.#asking = false;
      });
  }

  /** Asks whether everything of the start was reached, by this worker or another one, whose commits say so. */
  askWhetherThrough(onThrough: () => void): void {
    if (this.#askingThrough) return;
    this.#askingThrough = true;
    const { source, group, admin, atStart, answerMs, logger } = this.#options;
    const asked = Promise.all(atStart.map(async ({ topic }) => [topic, await admin.committed(group, topic)] as const));
    within(answerMs, asked)
      .then(
        (committed) => {
          if (this.isThrough(new Map(committed))) onThrough();
        },
        () => logger.debug('the commits of the group were not told', { source }),
      )
      .finally(() => {
        this.#askingThrough = false;
      });
  }

  /** Whether every partition's end as of the start was taken by this worker, or is committed. */
  isThrough(committed: ReadonlyMap<string, readonly (number | undefined)[]> = new Map()): boolean {
    const { atStart, shares } = this.#options;
    for (const { topic, partitions } of atStart) {
      for (const [partition, { low, end }] of partitions.entries()) {
        if (end === low) continue;
        const taken = shares.find({ topic, partition })?.taken ?? 0;
        if (Math.max(taken, committed.get(topic)?.[partition] ?? 0) < end) return false;
      }
    }
    return true;
  }

  /** Nothing is waited for any more. */
  close(): void {
    this.#closed = true;
    this.#answered?.();
  }

  async #ends(): Promise<readonly TopicContent[]> {
    const { admin, shares } = this.#options;
    const topics = [...new Set(shares.all().map(({ topic }) => topic))];
    // Whoever has no partition, or has lost them all with the broker, has to hear something, too.
    if (topics.length === 0) await admin.topics();
    return Promise.all(topics.map(async (topic) => ({ topic, partitions: await admin.bounds(topic) })));
  }

  #note(contents: readonly TopicContent[]): void {
    for (const { topic, partitions } of contents) {
      for (const [partition, { end }] of partitions.entries()) this.#options.shares.find({ topic, partition })?.logEnds(end);
    }
  }
}
