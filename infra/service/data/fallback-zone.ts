import type { User } from '../users/user.ts';
import type { Json } from './arrival.ts';
import { type SummaryResource, summaryForms } from './forms/summaries.ts';
import { offsetOf } from './time-zone-offset.ts';

/** The member with the instant that decides the offset of a summary. Other summaries use noon of their date. */
const instants: Partial<Record<SummaryResource, string>> = {
  sleep: 'bedtime_stop',
  workouts: 'time_start',
  sleep_cycle: 'session_start',
  electrocardiogram: 'session_start',
};

/**
 * Returns a summary with the user's fallback time zone, if its source carries neither a time zone nor an offset. Only the
 * members that the resource has are set: `time_zone`, and `timezone_offset` in seconds east of UTC.
 */
export function withFallbackZone(resource: SummaryResource, summary: Json, { fallback_time_zone: zone }: User): Json {
  if (zone === null || summary.time_zone != null || summary.timezone_offset != null) return summary;
  const members = summaryForms[resource].shape;
  return {
    ...summary,
    ...('time_zone' in members ? { time_zone: zone } : {}),
    ...('timezone_offset' in members ? { timezone_offset: offsetOf(zone, instantOf(resource, summary)) } : {}),
  };
}

/** A day has the offset of its noon. */
function instantOf(resource: SummaryResource, summary: Json): number {
  const member = instants[resource];
  return Date.parse(member === undefined ? `${summary.calendar_date}T12:00:00Z` : String(summary[member]));
}
