import { type Logger, type Progress, within } from '@aorta/runtime';
import { consumerPart } from '../../sources/partition.ts';
import type { KafkaAdmin } from '../client/client.ts';
import type { TopicContent } from './cluster.ts';
import { isHeld, OpenTransactions, type OpenTransactionsOptions } from './open-transactions.ts';
import type { TopicPartitionReaders } from './partition-readers.ts';

export interface ClusterMonitorOptions extends Pick<OpenTransactionsOptions, 'brokers' | 'onHeld'> {
  readonly source: string;
  readonly group: string;
  readonly admin: KafkaAdmin;
  readonly readers: TopicPartitionReaders;
  /** The topics and the bounds of their partitions at the start of the run. */
  readonly atStart: readonly TopicContent[];
  /** Maximum time to wait for an answer from the cluster, in milliseconds. */
  readonly answerMs: number;
  readonly logger: Logger;
  readonly progress: Progress;
}

/** Asks the cluster for the ends of its logs and for the group's commits. At most one request of each kind runs at a time. */
export class ClusterMonitor {
  readonly #options: ClusterMonitorOptions;
  #pollingEnds = false;
  #checkingCompletion = false;
  #closed = false;
  readonly #transactions: OpenTransactions;
  /** Clears the wait that is reported while the cluster does not answer. */
  #answered: (() => void) | undefined;

  constructor(options: ClusterMonitorOptions) {
    this.#options = options;
    this.#transactions = new OpenTransactions({ ...options, clock: () => performance.now() });
  }

  /** Asks for the ends of the logs. They show which partitions make no progress. */
  pollEnds(): void {
    if (this.#pollingEnds) return;
    this.#pollingEnds = true;
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
          logger.debug('the brokers did not report the ends of the logs', { source });
        },
      )
      .finally(() => {
        this.#pollingEnds = false;
      });
  }

  /**
   * Calls `onComplete` if the workers have read every partition up to the last stable offset that it had at the start of the run.
   * For partitions assigned to other workers, the group's committed offsets decide.
   */
  checkCompletion(onComplete: () => void): void {
    if (this.#checkingCompletion) return;
    this.#checkingCompletion = true;
    const { source, group, admin, atStart, answerMs, logger } = this.#options;
    const asked = Promise.all(atStart.map(async ({ topic }) => [topic, await admin.committed(group, topic)] as const));
    within(answerMs, asked)
      .then(
        (committed) => {
          if (this.isComplete(new Map(committed))) onComplete();
        },
        () => logger.debug('the brokers did not report the commits of the group', { source }),
      )
      .finally(() => {
        this.#checkingCompletion = false;
      });
  }

  /** Whether each partition has been read or committed up to the last stable offset that it had at the start of the run. */
  isComplete(committed: ReadonlyMap<string, readonly (number | undefined)[]> = new Map()): boolean {
    const { atStart, readers } = this.#options;
    for (const { topic, partitions } of atStart) {
      for (const [partition, { low, stable }] of partitions.entries()) {
        if (stable === low) continue;
        const taken = readers.find({ topic, partition })?.taken ?? 0;
        if (Math.max(taken, committed.get(topic)?.[partition] ?? 0) < stable) return false;
      }
    }
    return true;
  }

  /** Logs the transactions that have been open since the start of the run. Never rejects. */
  async reportOpenTransactions(): Promise<void> {
    const { atStart, admin, answerMs } = this.#options;
    const held = atStart.filter(({ partitions }) => partitions.some(isHeld));
    await Promise.all(
      held.map(async ({ topic, partitions }) => {
        const now = await within(answerMs, admin.bounds(topic)).catch(() => partitions);
        for (const [partition, before] of partitions.entries()) {
          const bounds = now[partition];
          if (bounds === undefined || !isHeld(before) || bounds.stable !== before.stable) continue;
          await this.#transactions.report({ topic, partition }, bounds);
        }
      }),
    );
  }

  /** Clears the reported wait, if any. After this call, no wait is reported. */
  close(): void {
    this.#closed = true;
    this.#answered?.();
  }

  async #ends(): Promise<readonly TopicContent[]> {
    const { admin, readers } = this.#options;
    const topics = [...new Set(readers.all().map(({ topic }) => topic))];
    // A worker without partitions must also send a request, to know whether the brokers answer.
    if (topics.length === 0) await admin.topics();
    return Promise.all(topics.map(async (topic) => ({ topic, partitions: await admin.bounds(topic) })));
  }

  #note(contents: readonly TopicContent[]): void {
    for (const { topic, partitions } of contents) {
      for (const [partition, bounds] of partitions.entries()) {
        const reader = this.#options.readers.find({ topic, partition });
        reader?.logEnds(bounds.stable, this.#transactions.note({ topic, partition }, bounds, reader.taken));
      }
    }
  }
}
