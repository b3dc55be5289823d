import { dayText } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { stableUuid, stream } from './random.ts';

/** The kinds of summaries. A kind's number is part of a summary's id, so it must not change. */
export const summaryKind = { activity: 1, night: 2, nap: 3, workout: 4, body: 5, profile: 6 } as const;
export type SummaryKind = (typeof summaryKind)[keyof typeof summaryKind];

/** Returns the id that all versions of a summary share. It depends on user, provider, kind and local day. */
export function summaryId(connection: ProviderConnection, kind: SummaryKind, day: number): string {
  return stableUuid(stream.summary, connection.seed, kind, day);
}

/** Returns a summary's calendar date, and the deprecated `date`: the same date at midnight UTC. */
export function datesOf(day: number): { date: string; calendar_date: string } {
  const calendar_date = dayText(day);
  return { date: `${calendar_date}T00:00:00+00:00`, calendar_date };
}
