import { dayText, instantText, microText } from './calendar.ts';
import { isConnected, type ProviderConnection } from './connection.ts';
import { syncTimes } from './ingestion.ts';
import { stableUuid, stream } from './random.ts';

/** The kinds of summaries. A kind's number is part of a summary's id, so it must not change. */
export const summaryKind = { activity: 1, night: 2, nap: 3, workout: 4, body: 5, profile: 6 } as const;
export type SummaryKind = (typeof summaryKind)[keyof typeof summaryKind];

/** Returns the id that all versions of a summary share. It depends on user, provider, kind and local day. */
export function summaryId(connection: ProviderConnection, kind: SummaryKind, day: number): string {
  return stableUuid(stream.summary, connection.seed, kind, day);
}

/**
 * Returns the time (ms) at which the pull at the start of a connection period fetches the data of a day. The pull starts
 * with the newest day and fetches about ten days per minute.
 */
export function pulledAt(connection: ProviderConnection, periodStart: number, day: number): number {
  const back = Math.max(0, connection.person.zone.localDay(periodStart) - day);
  return periodStart + 25_000 + back * 5_900 + ((connection.seed >>> 3) % 4_000);
}

/**
 * Returns the time (ms) at which the service first learns of a local day's data that becomes available at `known`. That is
 * the time of the first visit after `known`, or the time of a new connection's pull if that is earlier.
 */
export function discoveredAt(connection: ProviderConnection, day: number, known: number): number {
  const visit = syncTimes(connection, day).find((instant) => instant >= known) ?? syncTimes(connection, day + 1)[0]!;
  const pulls = connection.periods.filter(({ from }) => from >= known).map(({ from }) => pulledAt(connection, from, day));
  const candidates = isConnected(connection, visit) ? [visit, ...pulls] : pulls;
  return candidates.length === 0 ? visit : Math.min(...candidates);
}

/**
 * Returns `created_at` and `updated_at`, the times at which the service ingested the data. The oldest format has neither
 * member. Arguments are in ms.
 */
export function versionTimes(
  connection: ProviderConnection,
  discovered: number,
  updated: number,
): { created_at?: string; updated_at?: string } {
  if (connection.generation === 'old') return {};
  const created = Math.min(discovered, updated);
  if (connection.generation === 'both')
    return { created_at: instantText(created, 'offset'), updated_at: instantText(updated, 'offset') };
  // The digits below a millisecond depend only on the instant, so that equal instants are formatted the same.
  const text = (instant: number) => microText(instant * 1000 + (instant % 997), '+00:00');
  return { created_at: text(created), updated_at: text(updated) };
}

/** Returns the deprecated `date` of a summary: its calendar date at midnight UTC. The current format has no such member. */
export function deprecatedDate(connection: ProviderConnection, calendarDay: number): { date?: string } {
  return connection.generation === 'current' ? {} : { date: `${dayText(calendarDay)}T00:00:00+00:00` };
}
