import type { ProviderConnection } from '../connection.ts';
import { dayRhythm } from '../day-rhythm.ts';
import type { DataEvent, PlannedEvent, Verb } from '../ingestion.ts';
import { liveActivity, liveSleep } from './day-summary-events.ts';
import { liveGlucose } from './glucose-events.ts';
import { liveHeartRate, liveSteps } from './heart-rate-events.ts';
import { beginning, type LiveVisit, liveVisits } from './live-visit.ts';
import { cuffVisits, liveReadings, scaleVisits } from './reading-events.ts';
import { wearableOf } from './wearables.ts';
import { liveStreams, liveWorkouts } from './workout-events.ts';

/** The resources that a visit fetches, in this order. A workout's stream follows the workout. */
const fetched: Readonly<Record<string, (visit: LiveVisit) => void>> = {
  heartrate: liveHeartRate,
  steps: liveSteps,
  glucose: liveGlucose,
  sleep: liveSleep,
  hrv: (visit) => liveReadings(visit, 'hrv'),
  blood_oxygen: (visit) => liveReadings(visit, 'blood_oxygen'),
  respiratory_rate: (visit) => liveReadings(visit, 'respiratory_rate'),
  workouts: liveWorkouts,
  workout_stream: liveStreams,
  activity: liveActivity,
};

function planned(connection: ProviderConnection, day: number): PlannedEvent[] {
  const { start, end } = dayRhythm(connection.person, day);
  const has = new Set<string>(wearableOf(connection.provider.slug).resources);
  const fetches = Object.entries(fetched).filter(([resource]) => has.has(resource));
  const visits = fetches.length === 0 ? [] : liveVisits(connection, day);
  for (const visit of visits) for (const [, fetch] of fetches) fetch(visit);
  const isLive = (at: number) => at >= Math.max(start, beginning(connection)) && at < end;
  return [
    ...visits.map(({ ingestion }) => ingestion),
    ...(has.has('blood_pressure') ? cuffVisits(connection, day, isLive) : []),
    ...(has.has('weight') ? scaleVisits(connection, day, isLive) : []),
  ].flatMap(({ events }) => events);
}

function dataEvent({ at, eventType, data, stream }: PlannedEvent): DataEvent {
  const [, , resource = '', verb] = eventType.split('.');
  return { at: Math.floor(at / 1000), resource, verb: verb as Verb, data, ...(stream === undefined ? {} : { stream }) };
}

/**
 * Returns the events with the data of a local day (days since 1970) after the beginning of the connection, in order of
 * `at`. A few events arrive up to two hours after the end of the day.
 */
export function liveEvents(connection: ProviderConnection, day: number): DataEvent[] {
  return planned(connection, day)
    .map(dataEvent)
    .sort((a, b) => a.at - b.at);
}
