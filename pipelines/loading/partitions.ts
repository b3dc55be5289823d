import { type ReadableLog, shortPartitionName, type Warehouse } from '@aorta/connectors';
import { type PartitionReader, StreamReader } from '@aorta/connectors/streams';
import type { AortaError, Lane, Logger, ProgressReports } from '@aorta/runtime';
import { GROUP, PART } from './names.ts';
import type { UpcomingLanding } from './upcoming.ts';

/** What the loader knows of a partition, for as long as it has it. */
export interface LoadedPartition {
  /** Its position is the one up to which the partition is landed. */
  readonly reader: PartitionReader;
  /** Its end was looked at. */
  examined: boolean;
  /** When what it gathers is landed, in milliseconds since 1970; undefined if it gathers nothing. */
  landsAt: number | undefined;
}

interface LoadedPartitionsOptions {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly logger: Logger;
  readonly progress: ProgressReports;
}

/** The partitions that are assigned to the loader, how far each is landed, and their lanes. */
export class LoadedPartitions {
  readonly #log: ReadableLog;
  readonly #reader: StreamReader;
  /** As they were when {@link present} was last called. */
  #loaded = new Map<PartitionReader, LoadedPartition>();

  constructor({ log, warehouse, logger, progress }: LoadedPartitionsOptions) {
    this.#log = log;
    this.#reader = new StreamReader({
      log,
      // The warehouse keeps the position with the rows.
      positions: { get: (of) => warehouse.landed(of) },
      dropped: 'refuse',
      logger,
      lane: (partition) => laneOf(partition, progress),
    });
  }

  /** Partitions with records, and those that had some: a partition that has lost all of them is noticed only here. */
  present(): LoadedPartition[] {
    const before = this.#loaded;
    const known = (reader: PartitionReader): LoadedPartition =>
      before.get(reader) ?? { reader, examined: false, landsAt: undefined };
    this.#loaded = new Map(this.#reader.partitions().map((reader) => [reader, known(reader)]));
    return [...this.#loaded.values()].filter(({ reader }) => reader.position > 0 || reader.end > 0);
  }

  /** Records that are durable in the streams and not landed, of the partitions that can be read. */
  behind(): number {
    return this.present().reduce((sum, { reader }) => sum + (reader.damage === undefined ? reader.end - reader.position : 0), 0);
  }

  /** Whether everything that is durable in the streams is landed. A reader that has no partition yet has not caught up. */
  caughtUp(): boolean {
    return this.#log.assigned().length > 0 && this.present().every(({ reader }) => reader.position >= reader.end);
  }

  /** Where the partitions end now: what {@link isShort} compares with. */
  ends(): Map<LoadedPartition, number> {
    return new Map(this.present().map((partition) => [partition, partition.reader.end]));
  }

  /** Whether a partition that is still ours, and can be read, is not landed up to `end` and examined there. */
  isShort({ reader, examined }: LoadedPartition, end: number): boolean {
    return reader.isAssigned && reader.damage === undefined && (reader.position < end || !examined);
  }

  /** The first error that makes a partition unreadable. */
  damage(): AortaError | undefined {
    for (const { reader } of this.#loaded.values()) if (reader.damage !== undefined) return reader.damage;
    return undefined;
  }

  /** The partitions that gather records until they are landed. */
  landings(): UpcomingLanding[] {
    return [...this.#loaded.values()].flatMap(({ reader, landsAt }) => {
      const { of, position, end } = reader;
      const records = end - position;
      return landsAt === undefined || records <= 0
        ? []
        : [{ stream: of.stream, partition: of.partition, records, dueAt: landsAt }];
    });
  }

  /** Reports how far the streams have grown: even while a step takes long, readers of the lanes see what waits behind it. */
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
