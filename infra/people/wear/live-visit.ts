import type { ProviderConnection } from '../connection.ts';
import { Ingestion, syncTimes } from '../ingestion.ts';

/** One visit of the service to a provider that the service polls. Instants are in ms. */
export interface LiveVisit {
  readonly ingestion: Ingestion;
  /** the local day for which the visit was planned. The last visits of a day may take place after midnight */
  readonly day: number;
  readonly firstOfDay: boolean;
  /** the previous visit. For the first visit: the beginning of the connection */
  readonly since: number;
  /** the visit before the previous one. For the first two visits: the beginning of the connection */
  readonly before: number;
}

/** Returns when a connection begins (ms). */
export function beginning({ periods }: ProviderConnection): number {
  return periods[0]!.from;
}

/** Returns the visits that take place during a local day. */
export function liveVisits(connection: ProviderConnection, day: number): LiveVisit[] {
  const { zone } = connection.person;
  const from = beginning(connection);
  // A visit after midnight belongs to the day before, and needs the two visits before it.
  const planned = [day - 2, day - 1, day].flatMap((of) =>
    syncTimes(connection, of).map((instant, number) => ({ instant, day: of, firstOfDay: number === 0 })),
  );
  const visits = planned.filter(({ instant }) => instant >= from);
  return visits.flatMap(({ instant, ...visit }, i) => {
    if (zone.localDay(instant) !== day) return [];
    const since = visits[i - 1]?.instant ?? from;
    const before = visits[i - 2]?.instant ?? from;
    return [{ ...visit, ingestion: new Ingestion(connection, instant), since, before }];
  });
}
