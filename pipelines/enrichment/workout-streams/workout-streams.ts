import type { ServiceClient } from '@aorta/connectors/service';
import { type AnnouncedOptions, openAnnounced } from '../announced/announced.ts';
import type { OpenJob } from '../workers/job.ts';

/** Options shared by all jobs that fetch announced data. */
export type Surrounding = Pick<
  AnnouncedOptions<'workout_stream'>,
  'openLog' | 'openEmitter' | 'state' | 'logger' | 'metrics' | 'now'
> & {
  readonly client: ServiceClient;
};

/** Ending of a retired event type for workouts without a stream. */
const UNAVAILABLE = '.unavailable';

/** Opens a job that fetches the points of a workout when an event announces them. */
export function openWorkoutStreams({ client, ...surrounding }: Surrounding): Promise<OpenJob> {
  return openAnnounced({
    ...surrounding,
    name: 'service-workout-streams',
    file: 'workout-streams.json',
    stream: 'workout_stream',
    announces: ({ event, workout_id: key }) =>
      event.event_type.endsWith(UNAVAILABLE) ? undefined : { key, userId: event.user_id },
    fetch: (workoutId, signal) => client.workoutStream(workoutId, signal),
    event: 'service.workout_stream',
    data: (workout_id, stream) => ({ workout_id, ...(stream === undefined ? {} : { stream }) }),
  });
}
