import { type Workout, workoutsOf } from '../workout.ts';
import { shallowStreamData, workoutData, workoutStream } from '../workout-summary.ts';
import type { LiveVisit } from './live-visit.ts';
import { coversEnd, type EventContents, type Pull, pulledDays } from './pull.ts';

/** Returns the workouts that ended since the previous visit. */
function ended({ ingestion, day, since }: LiveVisit): Workout[] {
  const { connection, instant } = ingestion;
  return [day - 1, day].flatMap((of) => workoutsOf(connection, of)).filter(({ stop }) => stop > since && stop <= instant);
}

/** Adds the workouts that ended since the previous visit. */
export function liveWorkouts(visit: LiveVisit): void {
  const { connection, instant } = visit.ingestion;
  for (const workout of ended(visit))
    visit.ingestion.add('daily.data.workouts.created', () => workoutData(connection, workout, instant));
}

/** Adds the streams of the workouts that ended since the previous visit. */
export function liveStreams(visit: LiveVisit): void {
  const { connection } = visit.ingestion;
  for (const workout of ended(visit)) {
    const event = visit.ingestion.add('daily.data.workout_stream.created', () => shallowStreamData(connection, workout));
    event.stream = () => workoutStream(connection, workout);
  }
}

function pulled(pull: Pull): Workout[] {
  return pulledDays(pull)
    .flatMap((day) => workoutsOf(pull.connection, day))
    .filter(({ stop }) => coversEnd(pull, stop));
}

/** Returns the workouts of a pull. */
export function pastWorkouts(pull: Pull): EventContents[] {
  const { connection, until, asOf } = pull;
  return pulled(pull).map((workout) => ({ data: () => workoutData(connection, workout, Math.max(until, asOf)) }));
}

/** Returns the workout streams of a pull. */
export function pastStreams(pull: Pull): EventContents[] {
  const { connection } = pull;
  return pulled(pull).map((workout) => ({
    data: () => shallowStreamData(connection, workout),
    stream: () => workoutStream(connection, workout),
  }));
}
