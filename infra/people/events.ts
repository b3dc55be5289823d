import { liveActivity, pastActivity } from './activity.ts';
import { cuffVisits, pastBloodPressure } from './blood-pressure.ts';
import type { ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { liveGlucose, pastGlucose } from './glucose.ts';
import { liveHeartRate, pastHeartRate } from './heart-rate.ts';
import { type Resource, resourceOf } from './provider.ts';
import type { PastRange, Pull } from './pull.ts';
import { liveReadings, pastReadings, scaleVisits } from './readings.ts';
import { liveSleep, pastSleep } from './sleep.ts';
import { liveSteps, pastSteps } from './steps.ts';
import { type DataEvent, type EventContents, type Poll, polls } from './visit.ts';
import { pastBody, pastProfile } from './weigh-in.ts';
import { liveStreams, liveWorkouts, pastStreams, pastWorkouts } from './workout-summary.ts';

/** The resources that a poll fetches, in this order. A workout's stream follows the workout. */
const fetched: ReadonlyMap<Resource, (poll: Poll) => void> = new Map([
  ['heartrate', liveHeartRate],
  ['steps', liveSteps],
  ['glucose', liveGlucose],
  ['sleep', liveSleep],
  ['hrv', (poll: Poll) => liveReadings(poll, 'hrv')],
  ['blood_oxygen', (poll: Poll) => liveReadings(poll, 'blood_oxygen')],
  ['respiratory_rate', (poll: Poll) => liveReadings(poll, 'respiratory_rate')],
  ['workouts', liveWorkouts],
  ['workout_stream', liveStreams],
  ['activity', liveActivity],
]);

const past: Readonly<Record<Resource, (pull: Pull) => EventContents[]>> = {
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
 * Returns the events of a local day (days since 1970) in order of `at`, without data from before the connection. A few events
 * arrive up to two hours after the end of the day.
 */
export function liveEvents(connection: ProviderConnection, day: number): DataEvent[] {
  const { resources } = connection.provider;
  const { start, end } = dayRhythm(connection.person, day);
  const fetches = [...fetched].filter(([resource]) => resources.includes(resource));
  const polled = fetches.length === 0 ? [] : polls(connection, day);
  for (const poll of polled) for (const [, fetch] of fetches) fetch(poll);
  const isLive = (at: number) => at >= Math.max(start, connection.connectedAt) && at < end;
  return [
    ...polled.map(({ visit }) => visit),
    ...(resources.includes('blood_pressure') ? cuffVisits(connection, day, isLive) : []),
    ...(resources.includes('weight') ? scaleVisits(connection, day, isLive) : []),
  ]
    .flatMap(({ events }) => events)
    .sort((a, b) => a.at - b.at);
}

/**
 * Returns a resource's data in a range of the past, the newest first. The values are final: they include the corrections
 * that live events send as `updated`. Adjacent ranges neither overlap nor leave a gap, and a range that ends at
 * `connectedAt` ends where the live events begin.
 *
 * Throws {@link RangeError} if the provider does not have the resource.
 */
export function pastEvents(connection: ProviderConnection, resource: string, range: PastRange): DataEvent[] {
  const known = resourceOf(connection.provider, resource);
  const { from, until, asOf = connection.connectedAt } = range;
  if (!(from < until)) return [];
  return past[known]({ connection, from, until, asOf }).map((contents) => ({
    at: until,
    resource,
    verb: 'created',
    ...contents,
  }));
}
