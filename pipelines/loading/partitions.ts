import { type ReadableLog, type StreamPartition, shortPartitionName, type Warehouse } from '@aorta/connectors';
import type { AortaError, Lane, ProgressReports } from '@aorta/runtime';
import { GROUP, PART } from './names.ts';
import type { StreamReading } from './stream-reading.ts';
import type { UpcomingLanding } from './upcoming.ts';

/** What the loader knows of a partition, for as long as it has it. */
export interface LoadedPartition {
  readonly of: StreamPartition;
  /** The stream position up to which it is landed. */
  position: number;
  lane: Lane | undefined;
  /** Why it cannot be read to its end: the others go on. */
  broken: AortaError | undefined;
  /** Its end was looked at. */
  examined: boolean;
  /** When what it gathers is landed, in milliseconds since 1970; undefined if it gathers nothing. */
  landsAt?: number | undefined;
}

interface LoadedPartitionsOptions {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly reading: StreamReading;
  readonly progress: ProgressReports;
}

/** The partitions that are assigned to the loader, how far each is landed, and their lanes. */
export class LoadedPartitions {
  readonly #options: LoadedPartitionsOptions;
  /** By the object that stands for the partition: one that was lost and has come back is another one. */
  readonly #partitions = new Map<StreamPartition, LoadedPartition>();

  constructor(options: LoadedPartitionsOptions) {
    this.#options = options;
  }

  /** Partitions with records, and those that had some: a partition that has lost all of them is noticed only here. */
  present(): LoadedPartition[] {
    const { log } = this.#options;
    const assigned = log.assigned();
    this.#forgetAllBut(new Set(assigned));
    return assigned.map((of) => this.#partition(of)).filter(({ of, position }) => position > 0 || log.end(of) > 0);
  }

  /** Records that are durable in the streams and not landed, of the partitions that can be read. */
  behind(): number {
    const { log } = this.#options;
    return this.present().reduce((sum, { of, position, broken }) => sum + (broken === undefined ? log.end(of) - position : 0), 0);
  }

  /** Whether everything that is durable in the streams is landed. A reader that has no partition yet has not caught up. */
  caughtUp(): boolean {
    const { log } = this.#options;
    return log.assigned().length > 0 && this.present().every(({ of, position }) => position >= log.end(of));
  }

  /** Where the partitions end now: what {@link isShort} compares with. */
  ends(): Map<LoadedPartition, number> {
    return new Map(this.present().map((partition) => [partition, this.#options.log.end(partition.of)]));
  }

  /** Whether a partition that is still ours, and can be read, is not landed up to `end` and examined there. */
  isShort(partition: LoadedPartition, end: number): boolean {
    const { of, broken, position, examined } = partition;
    return this.#options.reading.isOurs(of) && broken === undefined && (position < end || !examined);
  }

  /** The first error that makes a partition unreadable. */
  damage(): AortaError | undefined {
    for (const { broken } of this.#partitions.values()) if (broken !== undefined) return broken;
    return undefined;
  }

  /** The partitions that gather records until they are landed. */
  landings(): UpcomingLanding[] {
    return [...this.#partitions.values()].flatMap(({ of, position, landsAt }) => {
      const records = this.#options.log.end(of) - position;
      return landsAt === undefined || records <= 0
        ? []
        : [{ stream: of.stream, partition: of.partition, records, dueAt: landsAt }];
    });
  }

  lane(loaded: LoadedPartition): Lane {
    if (loaded.lane === undefined) {
      const { log, progress } = this.#options;
      const { of, position } = loaded;
      loaded.lane = progress.lane({ kind: 'stream', reader: GROUP, of: shortPartitionName(of) }, { part: PART });
      loaded.lane.report({ position, end: log.end(of), state: 'landing' });
    }
    return loaded.lane;
  }

  /** Reports how far the streams have grown: even while a step takes long, readers of the lanes see what waits behind it. */
  reportEnds(): void {
    for (const { of, lane } of this.#partitions.values()) lane?.report({ end: this.#options.log.end(of) });
  }

  endLanes(): void {
    for (const { lane } of this.#partitions.values()) lane?.end();
  }

  #forgetAllBut(ours: ReadonlySet<StreamPartition>): void {
    for (const [of, { lane }] of this.#partitions) {
      if (ours.has(of)) continue;
      this.#partitions.delete(of);
      lane?.end();
    }
  }

  #partition(of: StreamPartition): LoadedPartition {
    let partition = this.#partitions.get(of);
    if (partition === undefined) {
      const { reading, warehouse } = this.#options;
      // The warehouse knows how far it is, since it keeps the position with the rows.
      const position = reading.resumeAt(of, warehouse.landed(of));
      partition = { of, position, lane: undefined, broken: undefined, examined: false };
      this.#partitions.set(of, partition);
    }
    return partition;
  }
}
