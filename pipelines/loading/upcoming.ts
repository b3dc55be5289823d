import type { TimedWait, WaitingMerge } from '@aorta/connectors';
import type { StreamName } from '@aorta/schemas';

/** Work that the loader does when its time has come: why nothing happens now, and until when. Times are in milliseconds since 1970. */
export interface Upcoming {
  /** Partitions that gather records until they are landed. */
  readonly landings: readonly UpcomingLanding[];
  readonly merges: readonly WaitingMerge[];
  /** What the warehouse itself waits for now. */
  readonly waits: readonly TimedWait[];
  /** When the next copy for readers is due; null if there is nothing new, or if readers have no copy. */
  readonly publicationDueAt: number | null;
}

/** A partition that gathers records, and when they are landed. */
export interface UpcomingLanding {
  readonly stream: StreamName;
  readonly partition: number;
  readonly records: number;
  readonly dueAt: number;
}
