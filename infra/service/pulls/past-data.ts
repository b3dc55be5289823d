import type { Connection } from '../connections/connections.ts';
import type { Arrival } from '../data/arrival.ts';
import type { User } from '../users/users.ts';

/** From `from` up to but not including `until`, in milliseconds since 1970. */
export interface Range {
  readonly from: number;
  readonly until: number;
}

/** A range for which a pull asks the provider at `asOf`. A range that ends at `asOf` includes the unfinished day. */
export interface PastRange extends Range {
  readonly asOf: number;
}

/** Returns the data that a provider has of a resource in a range, the newest first. */
export type Past = (user: User, connection: Connection, resource: string, range: PastRange) => readonly Arrival[];

/** Stores arrivals and plans their events, in the caller's transaction. Returns the dates that had data. */
export type Take = (user: User, provider: string, arrivals: readonly Arrival[], isHistorical: boolean) => readonly string[];
