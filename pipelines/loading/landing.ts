import { damageOf, type GrowingBatch, gather, type ReadableLog, type ReadLimit, type Warehouse } from '@aorta/connectors';
import { errorFields, type Logger, type Metrics, type ProgressReports, type StepObserver } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import type { LoadingMetrics } from './metrics.ts';
import { GROUP, PART } from './names.ts';
import type { LoadedPartition, LoadedPartitions } from './partitions.ts';
import type { Portion, StreamReading, Stretch } from './stream-reading.ts';

export interface LandingOptions {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly reading: StreamReading;
  readonly partitions: LoadedPartitions;
  readonly logger: Logger;
  readonly metrics: Metrics<LoadingMetrics>;
  readonly progress: ProgressReports;
  readonly onStep: StepObserver;
  /** Records and encoded bytes of one landed batch at most. */
  readonly batch: ReadLimit;
  /** Whether a caller waits for everything to be landed: no partition gathers records for later. */
  readonly isHurried: () => boolean;
  readonly isStopping: () => boolean;
}

/** What one batch of every partition came to. */
export interface LandingRound {
  /** Records landed; a batch of positions without records counts as one. */
  readonly landed: number;
  /** For how long partitions gather records until they are landed, at most, in milliseconds; 0 if none does. */
  readonly gatheringMs: number;
}

/** A batch as it was read. */
interface Gathered extends Stretch {
  /** Receipt of the last record, in milliseconds since 1970. */
  readonly lastReceivedAt: number | undefined;
}

/** Lands batches of partitions, and commits what is durable in the warehouse. */
export class Landing {
  readonly #options: LandingOptions;
  #gatheringMs = 0;

  constructor(options: LandingOptions) {
    this.#options = options;
  }

  /** Lands one batch of every partition that has something new. A damaged partition is reported and left out; anything else rejects. */
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
    // They take from the same list. If one fails, what the others land is still waited for.
    const atOnce = Array.from({ length: warehouse.landsAtOnce ?? 1 }, landSome);
    const failed = (await Promise.allSettled(atOnce)).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return { landed, gatheringMs: this.#gatheringMs };
  }

  async #landUnlessDamaged(partition: LoadedPartition): Promise<number> {
    try {
      return await this.#landNext(partition);
    } catch (error) {
      const damage = damageOf(error);
      if (damage === undefined) throw error;
      partition.broken = damage;
      this.#options.partitions.lane(partition).report({ state: 'damaged' });
      const { stream, partition: number } = partition.of;
      this.#options.logger.error('stream cannot be read', { stream, partition: number, ...errorFields(damage) });
      return 0;
    }
  }

  async #landNext(partition: LoadedPartition): Promise<number> {
    const { log, reading, partitions, warehouse } = this.#options;
    const { of, position: from } = partition;
    // It may have been lost since the round began.
    if (partition.broken !== undefined || !reading.isOurs(of)) return 0;
    if (from >= log.end(of)) return this.#examine(partition);
    const limit = this.#limitOf(partition);
    if (this.#gathersOn(partition, limit)) return 0;
    const lane = partitions.lane(partition);
    lane.report({ position: from, end: log.end(of), state: 'landing' });
    const batch = gather(warehouse, { stream: of.stream, partition: of.partition, incarnation: log.incarnation(of), from });
    const gathered = await this.#gather(partition, batch, limit);
    if (gathered === undefined) return 0;
    await this.#land(partition, batch, gathered);
    return Math.max(1, gathered.records);
  }

  #limitOf({ of }: LoadedPartition): ReadLimit {
    const { batch, warehouse } = this.#options;
    return { records: Math.min(batch.records, warehouse.landsAtMost?.(of) ?? Number.POSITIVE_INFINITY), bytes: batch.bytes };
  }

  /** Whether the partition gathers more records first: a warehouse that pays for each batch lands it now and then, unless a caller waits or a whole batch has gathered. */
  #gathersOn(partition: LoadedPartition, limit: ReadLimit): boolean {
    const { log, warehouse, partitions, isHurried } = this.#options;
    const { of, position } = partition;
    const rest = warehouse.landingWait?.(of) ?? 0;
    partition.landsAt = undefined;
    if (rest <= 0 || isHurried() || log.end(of) - position >= limit.records) return false;
    partitions.lane(partition).report({ position, end: log.end(of), state: 'gathering' });
    this.#gatheringMs = Math.max(this.#gatheringMs, rest);
    partition.landsAt = Date.now() + rest;
    return true;
  }

  /** Reads records into a batch until it is full or there is no more. Undefined if there is nothing to land. */
  async #gather(partition: LoadedPartition, batch: GrowingBatch, limit: ReadLimit): Promise<Gathered | undefined> {
    const { reading, partitions } = this.#options;
    let begun = false;
    let lastReceivedAt: number | undefined;
    const hear = (portion: Portion): void => {
      if (!begun) partitions.lane(partition).report({ receivedAt: receivedAt(portion[0]) });
      begun ||= portion.length > 0;
      batch.add(portion);
      lastReceivedAt = receivedAt(portion.at(-1)) ?? lastReceivedAt;
    };
    const read = await reading.read(partition.of, partition.position, limit, hear);
    return read === undefined ? undefined : { ...read, lastReceivedAt };
  }

  /** Lands a batch, then commits: the position in the streams never runs ahead of the rows. */
  async #land(partition: LoadedPartition, batch: GrowingBatch, { to, records, lastReceivedAt }: Gathered): Promise<void> {
    const { log, partitions, metrics, progress, logger, onStep } = this.#options;
    const { of, position: from } = partition;
    const { stream } = of;
    const begun = performance.now();
    await progress.during(PART, 'landing a batch', batch.land(to));
    metrics.observe('aorta_job_land_seconds', { stream }, (performance.now() - begun) / 1000);
    metrics.count('aorta_job_batches_total', { stream });
    metrics.count('aorta_job_records_total', { stream }, records);
    partition.position = to;
    partitions.lane(partition).report({ position: to, end: log.end(of), receivedAt: lastReceivedAt });
    await progress.during(PART, 'committing in the streams', log.commit(GROUP, of, to));
    onStep('group:committed');
    logger.debug('landed', { stream, partition: of.partition, from, to });
  }

  /** Looks once at the end of a partition that has nothing new. */
  async #examine(partition: LoadedPartition): Promise<0> {
    if (partition.examined) return 0;
    const { partitions, reading } = this.#options;
    partitions.lane(partition);
    await reading.examineEnd(partition.of, partition.position);
    partition.examined = true;
    return 0;
  }
}

/** When the delivery of a record was received, in milliseconds since 1970. */
function receivedAt(record: StreamRecords[StreamName] | undefined): number | undefined {
  return record === undefined ? undefined : record.receipt.received_at / 1000;
}
