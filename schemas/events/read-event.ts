import type { Receipt, StreamName } from '../streams/streams.generated.ts';
import { readConnection, readDevice, readHistoricalCompletion } from './connection-events.ts';
import { readLabMarker, readLabResults } from './lab.ts';
import type { ReadResult } from './read-result.ts';
import { readContinuousQuery, readDeliveryFailure, readRawEvent } from './service-events.ts';
import { type Reader, summaryReader } from './summary.ts';
import { timeseriesReader } from './timeseries.ts';
import { readWorkoutPoints } from './workout-points.ts';

/** Streams whose records do not come from events. Jobs create them from the service's responses or other streams. */
type FetchedStream = 'introspection_polls' | 'historical_pull_tracks';

/** The streams with a reader. The other streams keep whole deliveries or are written by jobs. */
export type EventStream = Exclude<StreamName, 'unrouted' | 'redelivered' | 'dead_letters' | FetchedStream>;

const readers: { readonly [S in EventStream]: Reader<S> } = {
  activity: summaryReader('activity'),
  body: summaryReader('body'),
  electrocardiogram: summaryReader('electrocardiogram'),
  meal: summaryReader('meal'),
  menstrual_cycle: summaryReader('menstrual_cycle'),
  profile: summaryReader('profile'),
  sleep: summaryReader('sleep'),
  sleep_cycle: summaryReader('sleep_cycle'),
  workouts: summaryReader('workouts'),
  workout_stream: summaryReader('workout_stream'),
  timeseries: timeseriesReader('timeseries'),
  blood_pressure: timeseriesReader('blood_pressure'),
  notes: timeseriesReader('notes'),
  connections: readConnection,
  historical_completions: readHistoricalCompletion,
  devices: readDevice,
  lab_orders: summaryReader('lab_orders'),
  lab_appointments: summaryReader('lab_appointments'),
  lab_critical_results: summaryReader('lab_critical_results'),
  lab_match_reviews: summaryReader('lab_match_reviews'),
  lab_report_parsing_jobs: summaryReader('lab_report_parsing_jobs'),
  continuous_query_results: readContinuousQuery,
  raw_events: readRawEvent,
  delivery_failures: readDeliveryFailure,
  workout_streams: readWorkoutPoints,
  users: summaryReader('users'),
  user_states: summaryReader('user_states'),
  user_connections: summaryReader('user_connections'),
  lab_results: readLabResults,
  lab_markers: readLabMarker,
  lab_tests: summaryReader('lab_tests'),
  sent_resources: summaryReader('sent_resources'),
  backfills: summaryReader('backfills'),
};

/**
 * Reads the parsed body of an event into the record of its stream. It is a pure function of its arguments. It refuses an
 * event that cannot be identified, such as an event without a user or id, and an event whose data has the wrong form.
 */
export function readEvent<S extends EventStream>(stream: S, eventType: string, body: unknown, receipt: Receipt): ReadResult<S> {
  return readers[stream](eventType, body, receipt);
}
