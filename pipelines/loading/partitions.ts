import { type ReadableLog, shortPartitionName, type Warehouse } from '@aorta/connectors';
import { type PartitionReader, StreamReader } from '@aorta/connectors/streams';
import type { AortaError, Lane, Logger, ProgressReports } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';

/** State of a partition while it is assigned to the loader. */
export interface LoadedPartition {
  /** Reads the partition. The reader's position is the landed position. */
  readonly reader: PartitionReader;
  /** Whether the end of the partition has been checked for damage. */
  examined: boolean;
  /**
   * Time at which the loader must land the records that it is gathering, in milliseconds since 1970. Undefined if it is not
   * gathering records.
   */
  landsAt: number | undefined;
}

/** A partition for which the loader is gathering records. The loader lands them at `dueAt`. */
export interface UpcomingLanding {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: number;
  readonly dueAt: number;
}

/** The partitions that are assigned to the loader, with their landed positions and their progress. */
export class LoadedPartitions {
  readonly #log: ReadableLog;
  readonly #reader: StreamReader;
  /** The partitions that the last call to {@link present} returned. */
  #loaded = new Map<PartitionReader, LoadedPartition>();

  constructor(log: ReadableLog, warehouse: Warehouse, logger: Logger, progress: ProgressReports) {
    this.#log = log;
    this.#reader = new StreamReader({
      log,
      // The warehouse stores the landed position together with the landed rows.
      positions: { get: (of) => warehouse.landed(of) },
      dropped: 'refuse',
      logger,
      lane: (partition) => laneOf(partition, progress),
    });
  }

  /**
   * Returns the partitions that have records now or had records earlier, because a partition that has lost all its records
   * must be checked too.
   */
  present(): LoadedPartition[] {
    const before = this.#loaded;
    const known = (reader: PartitionReader): LoadedPartition =>
      before.get(reader) ?? { reader, examined: false, landsAt: undefined };
    this.#loaded = new Map(this.#reader.partitions().map((reader) => [reader, known(reader)]));
    return [...this.#loaded.values()].filter(({ reader }) => reader.position > 0 || reader.end > 0);
  }

  /** Returns the number of durable records that have not been landed yet. Records in damaged partitions are not counted. */
  behind(): number {
    return this.present().reduce((sum, { reader }) => sum + (reader.damage === undefined ? reader.end - reader.position : 0), 0);
  }

  /** Returns whether all durable records have been landed. Returns false while no partition is assigned. */
  caughtUp(): boolean {
    return this.#log.assigned().length > 0 && this.present().every(({ reader }) => reader.position >= reader.end);
  }

  /** Returns the current ends of the partitions, to be passed to {@link isShort} later. */
  ends(): Map<LoadedPartition, number> {
    return new Map(this.present().map((partition) => [partition, partition.reader.end]));
  }

  /**
   * Returns whether a partition has records before `end` that have not been landed, or has not been examined yet. Returns
   * false if the partition is damaged or no longer assigned.
   */
  isShort({ reader, examined }: LoadedPartition, end: number): boolean {
    return reader.isAssigned && reader.damage === undefined && (reader.position < end || !examined);
  }

  /** Returns the error of the first damaged partition, if any. */
  damage(): AortaError | undefined {
    for (const { reader } of this.#loaded.values()) if (reader.damage !== undefined) return reader.damage;
    return undefined;
  }

  /** Returns the partitions for which the loader is gathering records that it will land later. */
  landings(): UpcomingLanding[] {
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
}

/** Consumer group in which the loader commits its positions in the streams. */
export const GROUP = 'warehouse';

/** Consumer group that distributes the tables among the workers for merging. It is used if several workers land records. */
export const MERGES = 'merges';

/** Client id of a worker in the consumer group {@link MERGES}. */
export const mergerId = (clientId: string): string => `${clientId}-merges`;

/** Name that identifies the loader when it reports what it is waiting for. */
export const PART = 'jobs';

function laneOf({ of, position, end }: PartitionReader, progress: ProgressReports): Lane {
  const lane = progress.lane({ kind: 'stream', reader: GROUP, of: shortPartitionName(of) }, { part: PART });
  lane.report({ position, end, state: 'landing' });
  return lane;
}
