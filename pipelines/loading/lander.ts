import {
  type GrowingBatch,
  gather,
  type ReadableLog,
  type ReadLimit,
  shortPartitionName,
  type Warehouse,
} from '@aorta/connectors';
import type { PartitionReader, Stretch } from '@aorta/connectors/streams';
import type { Logger, Metrics, ProgressReports, StepObserver } from '@aorta/runtime';
import { LoadingError } from './errors.ts';
import type { LoadingMetrics } from './metrics.ts';
import { GROUP, type LoadedPartition, type LoadedPartitions, PART } from './partitions.ts';

export interface LanderOptions {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly partitions: LoadedPartitions;
  readonly logger: Logger;
  readonly metrics: Metrics<LoadingMetrics>;
  readonly progress: ProgressReports;
  readonly onStep: StepObserver;
  /** Maximum number of records and of encoded bytes in one landed batch. */
  readonly batch: ReadLimit;
  /** Returns whether a caller is waiting for records to be landed. If so, no partition waits to gather more records. */
  readonly isHurried: () => boolean;
  readonly isStopping: () => boolean;
}

/** Result of landing at most one batch per partition. */
export interface LandingRound {
  /** Number of landed records. A batch that only advances the position counts as one record. */
  readonly landed: number;
  /** Longest remaining delay of a partition, in milliseconds; 0 if no partition is waiting to gather more records. */
  readonly gatheringMs: number;
}

/** Lands batches of stream records in the warehouse, and then commits the positions. */
export class Lander {
  readonly #options: LanderOptions;
  #gatheringMs = 0;

  constructor(options: LanderOptions) {
    this.#options = options;
  }

  /** Lands one batch per partition that has new records. Skips and reports damaged partitions. Rejects on any other error. */
  async round(): Promise<LandingRound> {
    const { partitions, warehouse, isStopping } = this.#options;
    this.#gatheringMs = 0;
    let landed = 0;
    const present = partitions.present().values();
    const landSome = async (): Promise<void> => {
      for (const partition of present) {
        if (isStopping()) return;
        landed += await this.#landUnlessDamaged(partition);
      }
    };
    // All landings share one iterator over the partitions. If one landing fails, the others still finish their batches.
    const atOnce = Array.from({ length: warehouse.landsAtOnce ?? 1 }, landSome);
    const failed = (await Promise.allSettled(atOnce)).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return { landed, gatheringMs: this.#gatheringMs };
  }

  async #landUnlessDamaged(partition: LoadedPartition): Promise<number> {
    return (await partition.reader.unlessDamaged(() => this.#landNext(partition))) ?? 0;
  }

  async #landNext(partition: LoadedPartition): Promise<number> {
    const { warehouse, progress } = this.#options;
    const { reader } = partition;
    const { of, position: from, end, incarnation } = reader;
    // The partition may have been reassigned since the round began.
    if (reader.damage !== undefined || !reader.isAssigned) return 0;
    if (from >= end) return this.#examine(partition);
    const limit = this.#limitOf(reader);
    if (this.#gathersOn(partition, limit)) return 0;
    reader.lane?.report({ position: from, end, state: 'landing' });
    const batch = gather(warehouse, { stream: of.stream, partition: of.partition, incarnation, from });
    const read = await reader.readInto(batch, limit, (one) => progress.during(PART, 'reading a stream', one));
    if (read === undefined) return 0;
    await this.#land(reader, batch, read);
    return Math.max(1, read.records);
  }

  #limitOf({ of }: PartitionReader): ReadLimit {
    const { batch, warehouse } = this.#options;
    return { records: Math.min(batch.records, warehouse.landsAtMost?.(of) ?? Number.POSITIVE_INFINITY), bytes: batch.bytes };
  }

  /**
   * Returns whether to gather more records before landing a batch. The warehouse may request a delay, for example because
   * it charges per batch. The delay ends early if a caller is waiting or there are enough records for a full batch.
   */
  #gathersOn(partition: LoadedPartition, limit: ReadLimit): boolean {
    const { warehouse, isHurried } = this.#options;
    const { reader } = partition;
    const { of, position, end } = reader;
    const rest = warehouse.landingWait?.(of) ?? 0;
    partition.landsAt = undefined;
    if (rest <= 0 || isHurried() || end - position >= limit.records) return false;
    reader.lane?.report({ position, end, state: 'gathering' });
    this.#gatheringMs = Math.max(this.#gatheringMs, rest);
    partition.landsAt = Date.now() + rest;
    return true;
  }

  /** Lands a batch and then commits its position, so that the committed position is never ahead of the landed rows. */
  async #land(reader: PartitionReader, batch: GrowingBatch, { to, records, lastReceivedAt }: Stretch): Promise<void> {
    const { log, metrics, progress, logger, onStep } = this.#options;
    const { of, position: from } = reader;
    const { stream } = of;
    const begun = performance.now();
    await progress.during(PART, 'landing a batch', batch.land(to));
    metrics.observe('aorta_job_land_seconds', { stream }, (performance.now() - begun) / 1000);
    metrics.count('aorta_job_batches_total', { stream });
    metrics.count('aorta_job_records_total', { stream }, records);
    reader.advance(to);
    reader.lane?.report({ receivedAt: lastReceivedAt });
    await progress.during(PART, 'committing in the streams', log.commit(GROUP, of, to));
    onStep('group:committed');
    logger.debug('landed', { stream, partition: of.partition, from, to });
  }

  /** If a partition has no new records, checks its end once, because a segment there may be damaged or missing. */
  async #examine(partition: LoadedPartition): Promise<0> {
    if (partition.examined) return 0;
    const { reader } = partition;
    const { of, position, end } = reader;
    // Makes the partition appear in the progress, even if an earlier run landed all its records.
    reader.lane?.report({});
    await reader.readAt(end, { records: 1, bytes: 1 });
    if (position > end) throw new LoadingError('AORTA-STREAM-SHORTER', { stream: shortPartitionName(of), end, position });
    partition.examined = true;
    return 0;
  }
}
