import { type ReadableLog, shortPartitionName, type Warehouse } from '@aorta/connectors';
import { type PartitionReader, StreamReader } from '@aorta/connectors/streams';
import type { AortaError, Lane, Logger, ProgressReports } from '@aorta/runtime';
import { GROUP, PART } from './names.ts';
import type { UpcomingLanding } from './upcoming.ts';

/** State of a partition while it is assigned to the loader. */
export interface LoadedPartition {
  /** Its position is the landed one. */
  readonly reader: PartitionReader;
  /** Whether the end of the partition has been checked for damage. */
  examined: boolean;
  /** Time when the gathered records land, in milliseconds since 1970; undefined if it gathers none. */
  landsAt: number | undefined;
}

interface LoadedPartitionsOptions {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly logger: Logger;
  readonly progress: ProgressReports;
}

/** The partitions assigned to the loader, with landed positions and lanes. */
export class LoadedPartitions {
  readonly #log: ReadableLog;
  readonly #reader: StreamReader;
  /** Partitions at the last call of {@link present}. */
  #loaded = new Map<PartitionReader, LoadedPartition>();

  constructor({ log, warehouse, logger, progress }: LoadedPartitionsOptions) {
    this.#log = log;
    this.#reader = new StreamReader({
      log,
      // The warehouse stores the position together with the rows.
      positions: { get: (of) => warehouse.landed(of) },
      dropped: 'refuse',
      logger,
      lane: (partition) => laneOf(partition, progress),
    });
  }

  /** Returns the partitions that have or had records. A partition that lost all records must be checked too. */
  present(): LoadedPartition[] {
    const before = this.#loaded;
    const known = (reader: PartitionReader): LoadedPartition =>
      before.get(reader) ?? { reader, examined: false, landsAt: undefined };
    this.#loaded = new Map(this.#reader.partitions().map((reader) => [reader, known(reader)]));
    return [...this.#loaded.values()].filter(({ reader }) => reader.position > 0 || reader.end > 0);
  }

  /** Returns the number of durable records not landed yet, without damaged partitions. */
  behind(): number {
    return this.present().reduce((sum, { reader }) => sum + (reader.damage === undefined ? reader.end - reader.position : 0), 0);
  }

  /** Whether all durable records are landed. False while no partition is assigned. */
  caughtUp(): boolean {
    return this.#log.assigned().length > 0 && this.present().every(({ reader }) => reader.position >= reader.end);
  }

  /** Returns the current ends, for {@link isShort}. */
  ends(): Map<LoadedPartition, number> {
    return new Map(this.present().map((partition) => [partition, partition.reader.end]));
  }

  /** Whether a partition is not yet landed up to `end` or not examined. False if it is damaged or no longer assigned. */
  isShort({ reader, examined }: LoadedPartition, end: number): boolean {
    return reader.isAssigned && reader.damage === undefined && (reader.position < end || !examined);
  }

  /** Returns the first error that makes a partition unreadable. */
  damage(): AortaError | undefined {
    for (const { reader } of this.#loaded.values()) if (reader.damage !== undefined) return reader.damage;
    return undefined;
  }

  /** Returns the partitions that gather records. */
  landings(): UpcomingLanding[] {
    return [...this.#loaded.values()].flatMap(({ reader, landsAt }) => {
      const { of, position, end } = reader;
      const records = end - position;
      return landsAt === undefined || records <= 0
        ? []
        : [{ stream: of.stream, partition: of.partition, records, dueAt: landsAt }];
    });
  }

  /** Reports the ends of the streams, so that lanes show the lag even during a long step. */
  reportEnds(): void {
    this.#reader.reportEnds();
  }

  endLanes(): void {
    this.#reader.close();
  }
}

function laneOf({ of, position, end }: PartitionReader, progress: ProgressReports): Lane {
  const lane = progress.lane({ kind: 'stream', reader: GROUP, of: shortPartitionName(of) }, { part: PART });
  lane.report({ position, end, state: 'landing' });
  return lane;
}
