import {
  type GrowingBatch,
  gather,
  type Landed,
  partitionName,
  type ReadableLog,
  type ReadLimit,
  type StreamPartition,
  type Warehouse,
} from '@aorta/connectors';
import { type StreamPartitionReader, StreamReader, type Stretch } from '@aorta/connectors/streams';
import {
  type AortaError,
  type Lane,
  type Logger,
  type Metrics,
  type ProgressReports,
  type StepObserver,
  steadyNow,
} from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { LoadingError } from './errors.ts';
import { GROUP } from './groups.ts';
import type { LoadingMetrics } from './metrics.ts';

/** Name that identifies the loader when it reports what it is waiting for. */
export const PART = 'loading';

/** Options of the loader, with their defaults. */
export interface Loading {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly logger: Logger;
  readonly metrics: Metrics<LoadingMetrics>;
  /** Receives the loader's position in each stream, and reports of what the loader is waiting for. */
  readonly progress: ProgressReports;
  readonly onStep: StepObserver;
  /** Called when a batch has been landed, before its position is committed. */
  readonly onLanded: (of: StreamPartition, landed: Landed) => void;
  /** Maximum number of records and of encoded bytes in one landed batch. */
  readonly batch: ReadLimit;
}

/** State of a partition while it is assigned to the loader. */
interface LoadedPartition {
  /** Reads the partition. The reader's position is the landed position. */
  readonly reader: StreamPartitionReader;
  /** Whether the end of the partition has been checked for damage. */
  examined: boolean;
  /**
   * Time at which the loader must land the records that it is gathering, by `steadyNow`. Undefined if it is not gathering
   * records.
   */
  landsAt: number | undefined;
}

/** A partition for which the loader is gathering records. The loader lands them at `dueAt`, by `steadyNow`. */
export interface UpcomingLanding {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: number;
  readonly dueAt: number;
}

/** Result of landing at most one batch per partition. */
export interface LandingRound {
  /** Number of landed records. A batch that only advances the position counts as one record. */
  readonly landed: number;
  /** Longest remaining delay of a partition, in milliseconds; 0 if no partition is waiting to gather more records. */
  readonly gatheringMs: number;
}

/** Lands batches of the assigned partitions in the warehouse, and then commits the positions. */
export class Lander {
  readonly #options: Loading;
  readonly #reader: StreamReader;
  /** The partitions that were assigned when they were last looked up. */
  #loaded = new Map<StreamPartitionReader, LoadedPartition>();
  #gatheringMs = 0;
  /** Number of callers that are waiting for records to be landed. Meanwhile, no partition waits to gather more records. */
  hurried = 0;
  /** If true, a round ends after its current batches. */
  stopping = false;

  constructor(options: Loading) {
    const { log, warehouse, logger, progress } = options;
    this.#options = options;
    this.#reader = new StreamReader({
      log,
      // The warehouse stores the landed position together with the landed rows.
      positions: { get: (of) => warehouse.landed(of) },
      dropped: 'refuse',
      logger,
      lane: (partition) => laneOf(partition, progress),
    });
  }

  /** Lands one batch per partition that has new records. Skips and reports damaged partitions. Rejects on any other error. */
  async round(): Promise<LandingRound> {
    this.#gatheringMs = 0;
    let landed = 0;
    const present = this.#present().values();
    const landSome = async (): Promise<void> => {
      for (const partition of present) {
        if (this.stopping) return;
        landed += (await partition.reader.unlessDamaged(() => this.#landNext(partition))) ?? 0;
      }
    };
    // All landings share one iterator over the partitions. If one landing fails, the others still finish their batches.
    const atOnce = Array.from({ length: this.#options.warehouse.landsAtOnce ?? 1 }, landSome);
    const failed = (await Promise.allSettled(atOnce)).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return { landed, gatheringMs: this.#gatheringMs };
  }

  /** Returns the number of durable records that have not been landed yet. Records in damaged partitions are not counted. */
  behind(): number {
    return this.#present().reduce((sum, { reader }) => sum + (reader.damage === undefined ? reader.end - reader.position : 0), 0);
  }

  /**
   * Returns a function that tells whether records that are durable now have not been landed yet, or a partition has not been
   * examined. Partitions that are damaged or no longer assigned do not count.
   */
  lacksRecords(): () => boolean {
    const ends = this.#present().map((partition) => ({ partition, end: partition.reader.end }));
    return () =>
      ends.some(({ partition: { reader, examined }, end }) => {
        return reader.isAssigned && reader.damage === undefined && (reader.position < end || !examined);
      });
  }

  /** Returns the error of the first damaged partition, if any. */
  damage(): AortaError | undefined {
    for (const { damage } of this.#loaded.keys()) if (damage !== undefined) return damage;
    return undefined;
  }

  /** Returns the partitions for which the loader is gathering records that it will land later. */
  upcoming(): UpcomingLanding[] {
    return [...this.#loaded.values()].flatMap(({ reader, landsAt }) => {
      const { of, position, end } = reader;
      const records = end - position;
      return landsAt === undefined || records <= 0
        ? []
        : [{ stream: of.stream, partition: of.partition, records, dueAt: landsAt }];
    });
  }

  /** Reports the ends of the streams, so that progress reports show the lag even during a long step. */
  reportEnds(): void {
    this.#reader.reportEnds();
  }

  endLanes(): void {
    this.#reader.close();
  }

  /**
   * Returns the assigned partitions that have records now or had records earlier, because a partition that has lost all its
   * records must be checked too.
   */
  #present(): LoadedPartition[] {
    const before = this.#loaded;
    const known = (reader: StreamPartitionReader): LoadedPartition =>
      before.get(reader) ?? { reader, examined: false, landsAt: undefined };
    this.#loaded = new Map(this.#reader.partitions().map((reader) => [reader, known(reader)]));
    return [...this.#loaded.values()].filter(({ reader }) => reader.position > 0 || reader.end > 0);
  }

  async #landNext(partition: LoadedPartition): Promise<number> {
    const { warehouse, progress, batch: most } = this.#options;
    const { reader } = partition;
    const { of, position: from, end, incarnation } = reader;
    // The partition may have been reassigned since the round began.
    if (reader.damage !== undefined || !reader.isAssigned) return 0;
    if (from >= end) return this.#examine(partition);
    const records = Math.min(most.records, warehouse.landsAtMost?.(of) ?? Number.POSITIVE_INFINITY);
    if (this.#gathersOn(partition, records)) return 0;
    reader.lane?.report({ position: from, end, state: 'landing' });
    const batch = gather(warehouse, { stream: of.stream, partition: of.partition, incarnation, from });
    const limit = { records, bytes: most.bytes };
    const read = await reader.readInto(batch, limit, (one) => progress.during(PART, 'reading a stream', one));
    if (read === undefined) return 0;
    await this.#land(reader, batch, read);
    return Math.max(1, read.records);
  }

  /**
   * Returns whether to gather more records before landing a batch. The warehouse may request a delay, for example because
   * it charges per batch. The delay ends early if a caller is waiting or there are `enough` records for a full batch.
   */
  #gathersOn(partition: LoadedPartition, enough: number): boolean {
    const { reader } = partition;
    const { of, position, end } = reader;
    const rest = this.#options.warehouse.landingWait?.(of) ?? 0;
    partition.landsAt = undefined;
    if (rest <= 0 || this.hurried > 0 || end - position >= enough) return false;
    reader.lane?.report({ position, end, state: 'gathering' });
    this.#gatheringMs = Math.max(this.#gatheringMs, rest);
    partition.landsAt = steadyNow() + rest;
    return true;
  }

  /** Lands a batch and then commits its position, so that the committed position is never ahead of the landed rows. */
  async #land(reader: StreamPartitionReader, batch: GrowingBatch, { to, records, lastReceivedAt }: Stretch): Promise<void> {
    const { log, metrics, progress, logger, onStep, onLanded } = this.#options;
    const { of, position: from, incarnation } = reader;
    const { stream } = of;
    const begun = performance.now();
    await progress.during(PART, 'landing a batch', batch.land(to));
    metrics.observe('aorta_loading_land_seconds', { stream }, (performance.now() - begun) / 1000);
    metrics.count('aorta_loading_batches_total', { stream });
    metrics.count('aorta_loading_records_total', { stream }, records);
    reader.advance(to);
    reader.lane?.report({ receivedAt: lastReceivedAt });
    onLanded(of, { incarnation, position: to });
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
    if (position > end) throw new LoadingError('AORTA-STREAM-SHORTER', { stream: partitionName(of), end, position });
    partition.examined = true;
    return 0;
  }
}

function laneOf({ of, position, end }: StreamPartitionReader, progress: ProgressReports): Lane {
  const lane = progress.lane({ kind: 'stream', reader: GROUP, of: partitionName(of) }, { part: PART });
  lane.report({ position, end, state: 'landing' });
  return lane;
}
