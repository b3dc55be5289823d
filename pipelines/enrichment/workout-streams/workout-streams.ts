import type { ServiceClient } from '@aorta/connectors/service';
import { type AnnouncedOptions, openAnnounced } from '../announced/announced.ts';
import type { OpenJob } from '../workers/job.ts';

/** Options that all jobs have in common if they fetch data after an event has announced it. */
export type Surrounding = Pick<
  AnnouncedOptions<'workout_stream'>,
  'openLog' | 'openEmitter' | 'state' | 'logger' | 'metrics' | 'now'
> & {
  readonly client: ServiceClient;
};

/** Suffix of an event type that the service no longer sends. Such an event reports that a workout has no stream. */
const UNAVAILABLE = '.unavailable';

/** Opens a job that fetches the data points of a workout after an event has announced that they are available. */
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
