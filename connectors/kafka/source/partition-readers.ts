import { type Logger, type Metrics, type Progress, within } from '@aorta/runtime';
import type { HandOver } from '../../sources/hand-over.ts';
import type { SourceMetrics } from '../../sources/metrics.ts';
import { consumerPart, startPositionOf } from '../../sources/partition.ts';
import { shownAfter, type WindowRange } from '../../sources/reading-plan.ts';
import type { AssignedPartition, TopicPartition } from '../client/client.ts';
import { partitionName } from './delivery-of-record.ts';
import type { KafkaSettings } from './options.ts';
import { type RecordsOfPartition, TopicPartitionReader } from './partition-reader.ts';
import { type FirstOffsets, type ReadingStart, readingStartOf } from './start-offset.ts';

export interface PartitionReadersOptions {
  readonly settings: KafkaSettings;
  readonly handOver: HandOver<TopicPartitionReader, RecordsOfPartition>;
  /** Size of the redelivery window in offsets. */
  readonly window: number;
  readonly streams: string | undefined;
  /** Maximum time for the cluster to answer, in milliseconds. */
  readonly answerMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics<SourceMetrics>;
  readonly progress: Progress;
  readonly onIncident: (incident: string, count: number) => void;
}

/** A partition counts as stalled if this many milliseconds pass without a record or an answer about the end of its log. */
const HEARD_EVERY_MS = 30_000;

/** The partitions assigned to this worker. Each partition is read until it is lost. */
export class TopicPartitionReaders {
  readonly #options: PartitionReadersOptions;
  readonly #readers = new Map<string, TopicPartitionReader>();
  /** Offsets that this process has passed to its redelivery window, by partition. */
  readonly #shown = new Map<string, WindowRange>();

  constructor(options: PartitionReadersOptions) {
    this.#options = options;
  }

  all(): readonly TopicPartitionReader[] {
    return [...this.#readers.values()];
  }

  find(at: TopicPartition): TopicPartitionReader | undefined {
    return this.#readers.get(partitionName(at));
  }

  /** Marks the offsets [from, next) of the partition as passed to the redelivery window. */
  noteShown(name: string, from: number, next: number): void {
    this.#shown.set(name, shownAfter(this.#shown.get(name), from, next));
  }

  /** Takes over an assigned partition and returns the offset to read from. Rejects with the errors that {@link readingStartOf} throws. */
  async take(assigned: AssignedPartition, firstOffsets: FirstOffsets): Promise<number> {
    const { settings, logger, window } = this.#options;
    const name = partitionName(assigned);
    this.#readers.get(name)?.end();
    const start = readingStartOf({
      assigned,
      group: settings.consumer_group,
      first: await firstOffsets.of(assigned),
      window,
      shown: this.#shown.get(name),
      whenExpired: settings.when_expired,
    });
    firstOffsets.remember(name, start.first);
    this.#reportLosses(name, start);
    const reader = this.#reader(assigned, start);
    this.#readers.set(name, reader);
    const lost = (): void => {
      reader.end();
      if (this.#readers.get(name) === reader) this.#readers.delete(name);
      logger.info('partition given up', { source: settings.name, partition: name });
    };
    assigned.lost.addEventListener('abort', lost, { once: true });
    // Commit the starting offset now, so that a worker that takes over before the next commit starts at the same offset.
    const isDecided = assigned.committed !== undefined || startPositionOf(settings.start_position) === 'earliest';
    if (!isDecided) await within(this.#options.answerMs, reader.commit()).catch(() => {});
    if (assigned.lost.aborted) lost();
    const { from, position } = start;
    logger.info('partition assigned', { source: settings.name, partition: name, from, position });
    return from;
  }

  /** Waits until everything read from these partitions is durable and committed. */
  async release(partitions: readonly TopicPartition[]): Promise<void> {
    await Promise.all(partitions.map((one) => this.find(one)?.release()));
  }

  end(): void {
    for (const reader of this.#readers.values()) reader.end();
    this.#readers.clear();
  }

  /** Logs and counts records that expired unread, and records missing from the redelivery window. */
  #reportLosses(partition: string, { expired, blind, position }: ReadingStart): void {
    const { logger, onIncident, settings } = this.#options;
    const source = settings.name;
    if (expired > 0) {
      onIncident('expired', expired);
      logger.warn('records expired before they were read', { source, partition, records: expired, from: position });
    }
    if (blind > 0) {
      onIncident('blind', blind);
      logger.warn('the redelivery window starts before the log', { source, partition, records: blind });
    }
  }

  #reader(assigned: AssignedPartition, start: ReadingStart): TopicPartitionReader {
    const { settings, handOver, streams, progress, logger, metrics, onIncident } = this.#options;
    const source = settings.name;
    const partition = partitionName(assigned);
    return new TopicPartitionReader(assigned, start, {
      handOver,
      streams,
      lane: progress.lane(
        { kind: 'partition', reader: source, of: partition },
        { part: consumerPart(source), heardEveryMs: HEARD_EVERY_MS },
      ),
      logger,
      onIncident,
      onWindowRead: (records, bytes, milliseconds) => {
        const ms = Math.round(milliseconds);
        logger.info('redelivery window reread', { source, partition, records, bytes, ms });
        metrics.count('aorta_redelivery_window_restores_total', { source });
        metrics.observe('aorta_redelivery_window_restore_seconds', { source }, milliseconds / 1000);
      },
      clock: () => performance.now(),
    });
  }
}
