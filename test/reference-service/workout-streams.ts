import type { Json } from './control.ts';
import type { Team } from './team.ts';

/** A workout stream with this many points takes more than ten megabytes as JSON. */
export const BIG_POINTS = 80_000;

const fractions = ['cadence', 'altitude', 'velocity_smooth', 'distance', 'power', 'lat', 'lng'];

export function bigStream(): Json {
  const column = (make: (index: number) => number): number[] => Array.from({ length: BIG_POINTS }, (_, index) => make(index));
  return {
    time: column((index) => 1_767_225_600 + index),
    heartrate: column((index) => 100 + (index % 80)),
    ...Object.fromEntries(fractions.map((name) => [name, column((index) => 100.125 + (index * 7) / 11)])),
  };
}

/** Gives a user the stream of a workout. */
export async function addWorkoutStream({ control }: Team, userId: string, workout: string, stream: Json): Promise<void> {
  const data = { workout_id: workout, provider_id: 'p', source: { provider: 'oura' } };
  await control.ask('/data', { user_id: userId, provider: 'oura', resource: 'workout_stream', data, stream });
}
