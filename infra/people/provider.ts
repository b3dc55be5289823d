/** The resources that synthetic people have. */
const resources = ['activity', 'sleep', 'heartrate', 'steps', 'glucose', 'blood_pressure'] as const;
export type Resource = (typeof resources)[number];

/** A provider from the service's list, and how it sends data. */
export interface Provider {
  /** position in the list of providers. Ids depend on this position, so add new providers at the end */
  number: number;
  slug: string;
  name: string;
  /** resources in a recording. The list is empty if the provider does not occur in recordings */
  resources: readonly Resource[];
  /** heart rate, sleep and the activity summary come from the first source type */
  sourceTypes: readonly [string, ...string[]];
  /**
   * `zoned`: UTC with the local offset. `floating`: local time written as if it were UTC, offset null. `none`: UTC,
   * offset null
   */
  clock: 'zoned' | 'floating' | 'none';
  heartRateSeconds: number;
  bucketMinutes: 15 | 60;
  glucoseMinutes: 5 | 15;
  /** number of syncs per day */
  syncs: number;
  /** number of days that the first pull goes back for summaries and spot readings */
  historyDays: number;
  /** number of days that the first pull goes back for dense series */
  seriesDays: number;
  /** whether the completion marker is sent before the data. If so, it does not mean that the pull is complete */
  markerFirst: boolean;
  /** whether sleep is first sent as tentative and later as confirmed */
  confirmsSleep: boolean;
  /** whether samples have irregular times with millisecond precision, instead of evenly spaced times */
  irregular: boolean;
  /** whether the provider never uses the oldest form of the source object, which cannot distinguish two source types */
  neverOld: boolean;
}

const wearable = ['activity', 'sleep', 'heartrate', 'steps'] as const;
const usual = {
  clock: 'zoned',
  heartRateSeconds: 60,
  bucketMinutes: 15,
  glucoseMinutes: 15,
  syncs: 8,
  historyDays: 90,
  seriesDays: 14,
  markerFirst: false,
  confirmsSleep: false,
  irregular: false,
  neverOld: false,
} as const;

const providers: readonly Provider[] = [
  { ...usual, number: 0, slug: 'fitbit', name: 'Fitbit', resources: wearable, sourceTypes: ['watch'], syncs: 10 },
  {
    ...usual,
    number: 1,
    slug: 'oura',
    name: 'Oura',
    resources: ['activity', 'sleep', 'heartrate'],
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
    resources: wearable,
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
    resources: wearable,
    sourceTypes: ['watch', 'phone'],
    heartRateSeconds: 240,
    bucketMinutes: 60,
    syncs: 12,
    historyDays: 30,
    irregular: true,
    neverOld: true,
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
    seriesDays: 30,
    neverOld: true,
  },
  { ...usual, number: 5, slug: 'withings', name: 'Withings', resources: ['blood_pressure'], sourceTypes: ['cuff'] },
  {
    ...usual,
    number: 6,
    slug: 'omron',
    name: 'Omron',
    resources: ['blood_pressure'],
    sourceTypes: ['cuff'],
    clock: 'none',
    historyDays: 30,
  },
  { ...usual, number: 7, slug: 'polar', name: 'Polar', resources: [], sourceTypes: ['watch'], syncs: 6, historyDays: 28 },
  { ...usual, number: 8, slug: 'strava', name: 'Strava', resources: [], sourceTypes: ['app'], syncs: 6, historyDays: 14 },
  {
    ...usual,
    number: 9,
    slug: 'whoop_v2',
    name: 'WHOOP',
    resources: [],
    sourceTypes: ['watch'],
    historyDays: 180,
    confirmsSleep: true,
  },
  {
    ...usual,
    number: 10,
    slug: 'dexcom_v3',
    name: 'Dexcom',
    resources: [],
    sourceTypes: ['automatic'],
    glucoseMinutes: 5,
    historyDays: 30,
  },
];

/** Returns the provider with a slug. Throws {@link RangeError} if there is none. */
export function providerOf(slug: string): Provider {
  const provider = providers.find((one) => one.slug === slug);
  if (provider === undefined) throw new RangeError('the catalogue has no provider with this slug');
  return provider;
}

/** Sets of providers. Each person connects the providers of one set. Each block of ten people uses every set. */
export const wardrobes: readonly (readonly string[])[] = [
  ['fitbit'],
  ['oura', 'withings'],
  ['garmin'],
  ['apple_health_kit', 'oura'],
  ['apple_health_kit', 'freestyle_libre'],
  ['fitbit', 'withings'],
  ['garmin', 'omron'],
  ['fitbit', 'freestyle_libre', 'omron'],
  ['apple_health_kit'],
  ['oura'],
];

/** All event types in a recording: two for the life cycle of a connection, and three for each resource. */
export const peopleEventTypes: readonly string[] = [
  'provider.connection.created',
  'provider.connection.error',
  ...resources.flatMap((resource) => [
    `daily.data.${resource}.created`,
    `daily.data.${resource}.updated`,
    `historical.data.${resource}.created`,
  ]),
];
