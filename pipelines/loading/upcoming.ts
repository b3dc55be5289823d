import type { TimedWait, WaitingMerge } from '@aorta/connectors';
import type { StreamName } from '@aorta/schemas';

/** Work that is not due yet. It explains why and until when the loader is idle. Times are in milliseconds since 1970. */
export interface Upcoming {
  /** Partitions for which the loader is gathering records that it will land later. */
  readonly landings: readonly UpcomingLanding[];
  readonly merges: readonly WaitingMerge[];
  /** The current waits of the warehouse adapter. */
  readonly waits: readonly TimedWait[];
  /** Time at which the next publication is due. Null if there are no new rows, or if the warehouse never publishes its tables. */
  readonly publicationDueAt: number | null;
}

/** A partition for which the loader is gathering records. The loader lands them at `dueAt`. */
export interface UpcomingLanding {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: number;
  readonly dueAt: number;
}
