import type { z } from 'zod';
import { timeZoneSchema } from '../../api/time-zone.ts';
import { activitySchema } from './activity-form.ts';
import { bodySchema } from './body-form.ts';
import { electrocardiogramSchema } from './electrocardiogram-form.ts';
import { mealSchema } from './meal-form.ts';
import { menstrualCycleSchema } from './menstrual-cycle-form.ts';
import { profileSchema } from './profile-form.ts';
import { sleepCycleSchema } from './sleep-cycle-form.ts';
import { sleepSchema } from './sleep-form.ts';
import { workoutSchema } from './workout-form.ts';

/**
 * The forms of the summaries, by their names in event types. A form has no unknown members. It accepts what the real service
 * could send. Members that the service itself can add may be missing: `created_at`, `updated_at` and most deprecated members.
 */
export const summaryForms = {
  activity: activitySchema,
  sleep: sleepSchema,
  sleep_cycle: sleepCycleSchema,
  workouts: workoutSchema,
  body: bodySchema,
  meal: mealSchema,
  menstrual_cycle: menstrualCycleSchema,
  electrocardiogram: electrocardiogramSchema,
  profile: profileSchema,
} satisfies Record<string, z.ZodObject>;

export type SummaryResource = keyof typeof summaryForms;

export const summaryResources = Object.keys(summaryForms) as readonly SummaryResource[];

/** Returns the member of an answer that holds the list of summaries. A profile is an answer by itself. */
export function listName(resource: SummaryResource): string {
  return resource === 'meal' ? 'meals' : resource;
}

/**
 * Returns the date (YYYY-MM-DD) of a summary. A summary belongs to a range of dates if its date does. Summaries of a session
 * have the local date of its start, or the date in UTC if the time zone is unknown. A profile has no date.
 */
export function dayOfSummary(resource: SummaryResource, summary: Readonly<Record<string, unknown>>): string | undefined {
  switch (resource) {
    case 'profile':
      return undefined;
    case 'menstrual_cycle':
      return String(summary.period_start);
    case 'sleep_cycle':
    case 'electrocardiogram':
      return dateIn(summary.time_zone, new Date(String(summary.session_start)));
    default:
      return String(summary.calendar_date);
  }
}

function dateIn(zone: unknown, instant: Date): string {
  const known = timeZoneSchema.safeParse(zone);
  // The Swedish locale writes dates as YYYY-MM-DD.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: known.success ? known.data : 'UTC' }).format(instant);
}
