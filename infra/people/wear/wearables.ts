import { providerOf, type Resource } from '../provider.ts';
import { scale } from '../weigh-in.ts';

/** The resources that a wearer's connection has. Recordings contain fewer. */
export type WornResource =
  | Resource
  | 'workouts'
  | 'workout_stream'
  | 'weight'
  | 'fat'
  | 'body'
  | 'hrv'
  | 'blood_oxygen'
  | 'respiratory_rate'
  | 'profile';

export interface Wearable {
  readonly slug: string;
  readonly name: string;
  /** resources, as in event types */
  readonly resources: readonly WornResource[];
  readonly sourceTypes: readonly string[];
  /** how many past days the provider keeps */
  readonly historyDays: number;
}

const nights = ['hrv', 'blood_oxygen', 'respiratory_rate'] as const;
const scales = ['weight', 'fat', 'body'] as const;

const resources: Readonly<Record<string, readonly WornResource[]>> = {
  fitbit: ['profile', 'activity', 'sleep', 'workouts', 'workout_stream', 'heartrate', 'steps', ...nights, ...scales],
  oura: ['profile', 'activity', 'sleep', 'workouts', 'heartrate', ...nights],
  garmin: ['profile', 'activity', 'sleep', 'workouts', 'workout_stream', 'heartrate', 'steps', ...nights],
  apple_health_kit: ['profile', 'activity', 'sleep', 'workouts', 'heartrate', 'steps', ...nights],
  freestyle_libre: ['glucose'],
  withings: ['profile', 'blood_pressure', ...scales],
  omron: ['blood_pressure'],
  polar: ['profile', 'activity', 'sleep', 'workouts', 'workout_stream', 'heartrate', 'hrv'],
  strava: ['workouts', 'workout_stream'],
  whoop_v2: ['profile', 'activity', 'sleep', 'workouts', ...nights],
  dexcom_v3: ['glucose'],
};

/** The providers that have generated data, in the order in which they were added. */
export const wearables: readonly Wearable[] = Object.entries(resources).map(([slug, list]) => {
  const { name, sourceTypes, historyDays } = providerOf(slug);
  return {
    slug,
    name,
    resources: list,
    sourceTypes: list.includes('weight') ? [...sourceTypes, scale] : sourceTypes,
    historyDays,
  };
});

const bySlug = new Map(wearables.map((wearable) => [wearable.slug, wearable]));

/** Returns the wearable of a provider. Throws {@link RangeError} if the provider has no generated data. */
export function wearableOf(slug: string): Wearable {
  const wearable = bySlug.get(slug);
  if (wearable === undefined)
    throw new RangeError(`no generated data for this provider; choose one of ${[...bySlug.keys()].join(', ')}`);
  return wearable;
}
