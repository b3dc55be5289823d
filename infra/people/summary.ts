import { dayText, instantText, microText } from './calendar.ts';
import { type Connection, isConnected } from './connection.ts';
import { stableUuid } from './identifier.ts';
import { stream } from './random.ts';
import { syncTimes } from './sync.ts';

/** Which summary: an activity of a day, a night, a nap. Part of its stable id. */
export const summaryKind = { activity: 1, night: 2, nap: 3 } as const;
export type SummaryKind = (typeof summaryKind)[keyof typeof summaryKind];

/** The id of a summary over all its versions: a function of user, provider, kind and local day. */
export function summaryId(connection: Connection, kind: SummaryKind, day: number): string {
  return stableUuid(stream.summary, connection.seed, kind, day);
}

/**
 * When a period's first pull takes in a day: newest first, ten days a minute, within half an hour even for a year. In ms.
 */
export function pulledAt(connection: Connection, periodStart: number, day: number): number {
  const back = Math.max(0, connection.person.zone.localDay(periodStart) - day);
  return periodStart + 25_000 + back * 5_900 + ((connection.seed >>> 3) % 4_000);
}

/**
 * When the service first heard of something of a local day that began or was finished at an instant (ms): at the first visit after it or by
 * the pull of a new connection, whichever came first.
 */
export function discoveredAt(connection: Connection, day: number, known: number): number {
  const visit = syncTimes(connection, day).find((instant) => instant >= known) ?? syncTimes(connection, day + 1)[0]!;
  const pulls = connection.periods.filter(({ from }) => from >= known).map(({ from }) => pulledAt(connection, from, day));
  const candidates = isConnected(connection, visit) ? [visit, ...pulls] : pulls;
  return candidates.length === 0 ? visit : Math.min(...candidates);
}

/** `created_at` and `updated_at`: times of ingestion at the service. The oldest generation has none. Instants in ms. */
export function versionTimes(
  connection: Connection,
  discovered: number,
  updated: number,
): { created_at?: string; updated_at?: string } {
  if (connection.generation === 'old') return {};
  const created = Math.min(discovered, updated);
  if (connection.generation === 'both')
    return { created_at: instantText(created, 'offset'), updated_at: instantText(updated, 'offset') };
  // The digits below a millisecond are a function of the instant, so that equal instants are spelled equally.
  const text = (instant: number) => microText(instant * 1000 + (instant % 997), '+00:00');
  return { created_at: text(created), updated_at: text(updated) };
}

/** The deprecated `date` of a summary: its calendar date at midnight UTC. Gone in the current generation. */
export function deprecatedDate(connection: Connection, calendarDay: number): { date?: string } {
  return connection.generation === 'current' ? {} : { date: `${dayText(calendarDay)}T00:00:00+00:00` };
}
