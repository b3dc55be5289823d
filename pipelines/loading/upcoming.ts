import type { TimedWait, WaitingMerge } from '@aorta/connectors';
import type { StreamName } from '@aorta/schemas';

/** Work that waits for its due time. Explains why the loader is idle, and until when. Times are in milliseconds since 1970. */
export interface Upcoming {
  /** Partitions that gather records. */
  readonly landings: readonly UpcomingLanding[];
  readonly merges: readonly WaitingMerge[];
  /** Current waits of the warehouse itself. */
  readonly waits: readonly TimedWait[];
  /** Time when the next published copy is due; null if no new rows exist, or if the warehouse publishes no copy. */
  readonly publicationDueAt: number | null;
}

/** A partition that gathers records until `dueAt`. */
export interface UpcomingLanding {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: number;
  readonly dueAt: number;
}
