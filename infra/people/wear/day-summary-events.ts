import { activityData, ingestActivity } from '../activity.ts';
import { dayRhythm } from '../day-rhythm.ts';
import { defaultRates } from '../options.ts';
import { ingestSleep, sleepData, sleepSessions } from '../sleep.ts';
import { profileData } from '../weigh-in.ts';
import type { LiveVisit } from './live-visit.ts';
import { coversEnd, type EventContents, type Pull, pulledDays } from './pull.ts';

/** Adds the day's summary, and at the first visit of a day the final summary of the day before. */
export function liveActivity({ ingestion, day, firstOfDay }: LiveVisit): void {
  ingestActivity(ingestion, day, firstOfDay, defaultRates.summaryUpdate);
}

/** Adds the sleep that has ended since the previous visit, and confirms earlier sleep. */
export function liveSleep({ ingestion, day, firstOfDay, since, before }: LiveVisit): void {
  // A nap may end after the last visit of its day.
  for (const of of firstOfDay ? [day - 1, day] : [day])
    ingestSleep(ingestion, of, { since, before }, defaultRates.summaryUpdate / 10);
}

/** Returns the activity summaries of a pull: of the days that are over, and of the current day. */
export function pastActivity(pull: Pull): EventContents[] {
  const { connection, until, asOf } = pull;
  const today = coversEnd(pull, asOf) ? connection.person.zone.localDay(asOf) : undefined;
  return pulledDays(pull)
    .filter((day) => coversEnd(pull, dayRhythm(connection.person, day).end) || day === today)
    .map((day) => ({ data: () => activityData(connection, day, Math.max(until, asOf)) }));
}

/** Returns the sleep of a pull, in its final version. */
export function pastSleep(pull: Pull): EventContents[] {
  const { connection, until, asOf } = pull;
  return pulledDays(pull)
    .flatMap((day) => sleepSessions(connection, day).reverse())
    .filter(({ stop }) => coversEnd(pull, stop))
    .map((session) => ({ data: () => sleepData(connection, session, Math.max(until, asOf), false) }));
}

/** Returns the profile if the pull covers the present. */
export function pastProfile(pull: Pull): EventContents[] {
  return coversEnd(pull, pull.asOf) ? [{ data: () => profileData(pull.connection, pull.until) }] : [];
}
