import type { ProviderConnection } from '../connection.ts';
import type { DataEvent } from '../ingestion.ts';
import { pastActivity, pastProfile, pastSleep } from './day-summary-events.ts';
import { pastGlucose } from './glucose-events.ts';
import { pastHeartRate, pastSteps } from './heart-rate-events.ts';
import { beginning } from './live-visit.ts';
import type { EventContents, PastRange, Pull } from './pull.ts';
import { pastBloodPressure, pastBody, pastReadings } from './reading-events.ts';
import { type WornResource, wearableOf } from './wearables.ts';
import { pastStreams, pastWorkouts } from './workout-events.ts';

const past: Readonly<Record<WornResource, (pull: Pull) => EventContents[]>> = {
  profile: pastProfile,
  activity: pastActivity,
  sleep: pastSleep,
  workouts: pastWorkouts,
  workout_stream: pastStreams,
  body: pastBody,
  heartrate: pastHeartRate,
  steps: pastSteps,
  glucose: pastGlucose,
  blood_pressure: pastBloodPressure,
  hrv: (pull) => pastReadings(pull, 'hrv'),
  blood_oxygen: (pull) => pastReadings(pull, 'blood_oxygen'),
  respiratory_rate: (pull) => pastReadings(pull, 'respiratory_rate'),
  weight: (pull) => pastReadings(pull, 'weight'),
  fat: (pull) => pastReadings(pull, 'fat'),
};

/**
 * Returns a resource's data in a range of the past, the newest first. The values are final: they include the corrections
 * that live events send as `updated`. Adjacent ranges neither overlap nor leave a gap, and a range that ends at
 * `connectedAt` ends where the live events begin.
 *
 * Throws {@link RangeError} if the provider does not have the resource.
 */
export function pastEvents(connection: ProviderConnection, resource: string, range: PastRange): DataEvent[] {
  const { slug, resources } = wearableOf(connection.provider.slug);
  const known = resources.find((one) => one === resource);
  if (known === undefined) throw new RangeError(`${slug} has no generated ${resource}; it has ${resources.join(', ')}`);
  const { from, until, asOf = beginning(connection) } = range;
  if (!(from < until)) return [];
  return past[known]({ connection, from, until, asOf }).map((contents) => ({
    at: until,
    resource,
    verb: 'created',
    ...contents,
  }));
}
