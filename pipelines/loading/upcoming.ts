import type { TimedWait, WaitingMerge } from '@aorta/connectors';
import type { StreamName } from '@aorta/schemas';

/** Work that is not due yet. It shows why the loader is idle, and until when. Times are in milliseconds since 1970. */
export interface Upcoming {
  /** Partitions that are gathering records. */
  readonly landings: readonly UpcomingLanding[];
  readonly merges: readonly WaitingMerge[];
  /** Current waits in the warehouse adapter. */
  readonly waits: readonly TimedWait[];
  /** Time at which the next publication is due; null if there are no new rows, or if the warehouse publishes no copy. */
  readonly publicationDueAt: number | null;
}

/** A partition that is gathering records until `dueAt`. */
export interface UpcomingLanding {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: number;
  readonly dueAt: number;
}
