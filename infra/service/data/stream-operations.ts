import { z } from 'zod';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { Json } from './arrival.ts';
import { sleepStreamSchema } from './forms/sleep-stream-form.ts';
import { workoutStreamSchema } from './forms/stream-form.ts';
import type { SleepStreams } from './sleep-streams.ts';
import type { WorkoutStreams } from './workout-streams.ts';

const tag = 'timeseries';

/** The operations that return the streams of single workouts and sleeps. */
export function streamOperations(workouts: WorkoutStreams, sleeps: SleepStreams): Operation[] {
  return [
    operation({
      id: 'get_workout_stream',
      method: 'GET',
      path: '/v2/timeseries/workouts/{workout_id}/stream',
      tag,
      summary: 'Returns the stream of a workout.',
      params: z.object({ workout_id: uuidSchema }),
      answers: {
        200: { description: 'Parallel arrays, with one element for each point.', schema: workoutStreamSchema },
        404: problem('There is no stream of this workout.'),
      },
      handle: ({ team, params: { workout_id } }) => found('Workout', workouts.find(team.team_id, workout_id)),
    }),
    operation({
      id: 'get_sleep_stream',
      method: 'GET',
      path: '/v2/timeseries/sleep/{sleep_id}/stream',
      tag,
      summary: 'Returns the samples of a sleep.',
      params: z.object({ sleep_id: uuidSchema.describe('The id of a sleep summary.') }),
      answers: {
        200: { description: 'The samples from the session, by resource.', schema: sleepStreamSchema },
        404: problem('There is no such sleep.'),
      },
      handle: ({ team, params: { sleep_id } }) => found('Sleep', sleeps.find(team.team_id, sleep_id)),
    }),
  ];
}

const found = (what: string, stream: Json | undefined) =>
  stream === undefined ? { status: 404, body: { detail: `${what} stream not found` } } : { status: 200, body: stream };
