import type { ServiceClient } from '@aorta/service-client';
import { type AnnouncedOptions, openAnnounced } from '../fetching/announced.ts';
import type { FetchingJob } from '../fetching/fetched.ts';

/** What a job is given that fetches what a stream announces. */
export type Surrounding = Pick<
  AnnouncedOptions<'workout_stream'>,
  'openLog' | 'memory' | 'once' | 'logger' | 'metrics' | 'now'
> & {
  readonly client: ServiceClient;
};

/** A retired type of event, which says that a workout has no stream. */
const UNAVAILABLE = '.unavailable';

/** Fetches the points of a workout when an event says that there are some. */
export function openWorkoutStreams({ client, ...surrounding }: Surrounding): Promise<FetchingJob> {
  return openAnnounced({
    ...surrounding,
    name: 'service-workout-streams',
    stream: 'workout_stream',
    announces: ({ event, workout_id: key }) =>
      event.event_type.endsWith(UNAVAILABLE) ? undefined : { key, userId: event.user_id },
    fetch: (workoutId, signal) => client.workoutStream(workoutId, signal),
    event: 'service.workout_stream',
    data: (workout_id, stream) => ({ workout_id, ...(stream === undefined ? {} : { stream }) }),
  }) as Promise<FetchingJob>;
}
