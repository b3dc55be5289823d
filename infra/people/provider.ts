const resources = [
  'profile',
  'activity',
  'sleep',
  'workouts',
  'workout_stream',
  'body',
  'heartrate',
  'steps',
  'glucose',
  'blood_pressure',
  'hrv',
  'blood_oxygen',
  'respiratory_rate',
  'weight',
  'fat',
] as const;

/** A resource that synthetic people have, as in event types. */
export type Resource = (typeof resources)[number];

/** A provider from the service's list, and how it sends data. */
export interface Provider {
  /** position in the list of providers. Ids depend on this position, so add new providers at the end */
  readonly number: number;
  readonly slug: string;
  readonly name: string;
  readonly resources: readonly Resource[];
  /** heart rate, sleep and the activity summary come from the first source type. Scales have one of their own */
  readonly sourceTypes: readonly [string, ...string[]];
  /**
   * `zoned`: UTC with the local offset. `floating`: local time written as if it were UTC, offset null. `none`: UTC,
   * offset null
   */
  readonly clock: 'zoned' | 'floating' | 'none';
  readonly heartRateSeconds: number;
  readonly bucketMinutes: 15 | 60;
  readonly glucoseMinutes: 5 | 15;
  /** number of syncs per day */
  readonly syncs: number;
  /** whether the completion marker is sent before the data. If so, it does not mean that the pull is complete */
  readonly markerFirst: boolean;
  /** whether sleep is first sent as tentative and later as confirmed */
  readonly confirmsSleep: boolean;
  /** whether samples have irregular times with millisecond precision, instead of evenly spaced times */
  readonly irregular: boolean;
}

const usual = {
  clock: 'zoned',
  heartRateSeconds: 60,
  bucketMinutes: 15,
  glucoseMinutes: 15,
  syncs: 8,
  markerFirst: false,
  confirmsSleep: false,
  irregular: false,
} as const;

const nights = ['hrv', 'blood_oxygen', 'respiratory_rate'] as const;
const scales = ['weight', 'fat', 'body'] as const;

/** The providers that have generated data, in the order in which they were added. */
export const wearables: readonly Provider[] = [
  {
    ...usual,
    number: 0,
    slug: 'fitbit',
    name: 'Fitbit',
    resources: ['profile', 'activity', 'sleep', 'workouts', 'workout_stream', 'heartrate', 'steps', ...nights, ...scales],
    sourceTypes: ['watch'],
    syncs: 10,
  },
  {
    ...usual,
    number: 1,
    slug: 'oura',
    name: 'Oura',
    resources: ['profile', 'activity', 'sleep', 'workouts', 'heartrate', ...nights],
    sourceTypes: ['ring'],
    heartRateSeconds: 300,
    syncs: 5,
    confirmsSleep: true,
  },
  {
    ...usual,
    number: 2,
    slug: 'garmin',
    name: 'Garmin',
    resources: ['profile', 'activity', 'sleep', 'workouts', 'workout_stream', 'heartrate', 'steps', ...nights],
    sourceTypes: ['watch'],
    heartRateSeconds: 120,
    markerFirst: true,
    confirmsSleep: true,
  },
  {
    ...usual,
    number: 3,
    slug: 'apple_health_kit',
    name: 'Apple HealthKit',
    resources: ['profile', 'activity', 'sleep', 'workouts', 'heartrate', 'steps', ...nights],
    sourceTypes: ['watch', 'phone'],
    heartRateSeconds: 240,
    bucketMinutes: 60,
    syncs: 12,
    irregular: true,
  },
  {
    ...usual,
    number: 4,
    slug: 'freestyle_libre',
    name: 'Freestyle Libre',
    resources: ['glucose'],
    sourceTypes: ['automatic', 'manual_scan'],
    clock: 'floating',
    syncs: 6,
  },
  {
    ...usual,
    number: 5,
    slug: 'withings',
    name: 'Withings',
    resources: ['profile', 'blood_pressure', ...scales],
    sourceTypes: ['cuff'],
  },
  { ...usual, number: 6, slug: 'omron', name: 'Omron', resources: ['blood_pressure'], sourceTypes: ['cuff'], clock: 'none' },
  {
    ...usual,
    number: 7,
    slug: 'polar',
    name: 'Polar',
    resources: ['profile', 'activity', 'sleep', 'workouts', 'workout_stream', 'heartrate', 'hrv'],
    sourceTypes: ['watch'],
    syncs: 6,
  },
  {
    ...usual,
    number: 8,
    slug: 'strava',
    name: 'Strava',
    resources: ['workouts', 'workout_stream'],
    sourceTypes: ['app'],
    syncs: 6,
  },
  {
    ...usual,
    number: 9,
    slug: 'whoop_v2',
    name: 'WHOOP',
    resources: ['profile', 'activity', 'sleep', 'workouts', ...nights],
    sourceTypes: ['watch'],
    confirmsSleep: true,
  },
  {
    ...usual,
    number: 10,
    slug: 'dexcom_v3',
    name: 'Dexcom',
    resources: ['glucose'],
    sourceTypes: ['automatic'],
    glucoseMinutes: 5,
  },
];

/** Returns the provider with a slug. Throws {@link RangeError} if it has no generated data. */
export function providerOf(slug: string): Provider {
  const provider = wearables.find((one) => one.slug === slug);
  if (provider === undefined)
    throw new RangeError(`no generated data for this provider; choose one of ${wearables.map((one) => one.slug).join(', ')}`);
  return provider;
}

/** Returns the resource with this name. Throws {@link RangeError} if the provider does not have it. */
export function resourceOf({ slug, resources: list }: Provider, name: string): Resource {
  const resource = list.find((one) => one === name);
  if (resource === undefined) throw new RangeError(`${slug} has no generated ${name}; it has ${list.join(', ')}`);
  return resource;
}
