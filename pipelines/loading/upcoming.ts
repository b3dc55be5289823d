import type { TimedWait, WaitingMerge } from '@aorta/connectors';
import type { StreamName } from '@aorta/schemas';

/** Work that is not due yet. It explains why and until when the loader is idle. Times are in milliseconds since 1970. */
export interface Upcoming {
  /** Partitions that delay landing to gather records. */
  readonly landings: readonly UpcomingLanding[];
  readonly merges: readonly WaitingMerge[];
  /** Current waits in the warehouse adapter. */
  readonly waits: readonly TimedWait[];
  /** Time at which the next publication is due; null if there are no new rows, or if the warehouse publishes no copy. */
  readonly publicationDueAt: number | null;
}

/** A partition that delays landing until `dueAt` to gather records. */
export interface UpcomingLanding {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: number;
  readonly dueAt: number;
}
