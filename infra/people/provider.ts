/** The resources that synthetic people have. */
export const resources = ['activity', 'sleep', 'heartrate', 'steps', 'glucose', 'blood_pressure'] as const;
export type Resource = (typeof resources)[number];

/** One provider and its habits, as in the service's provider list. */
export interface Provider {
  /** position in the catalogue; ids depend on it, so add new providers at the end */
  number: number;
  slug: string;
  name: string;
  resources: readonly Resource[];
  /** the first source type measures heart rate, sleep and the activity summary */
  sourceTypes: readonly [string, ...string[]];
  /** `zoned`: UTC with the local offset. `floating`: local time written as if it were UTC, offset null. `none`: UTC, offset null */
  clock: 'zoned' | 'floating' | 'none';
  heartRateSeconds: number;
  bucketMinutes: 15 | 60;
  /** syncs per day */
  syncs: number;
  /** days of summaries and spot readings in the first pull */
  historyDays: number;
  /** days of dense series in the first pull */
  seriesDays: number;
  /** the end marker is sent before the data, so it does not mean that the pull is complete */
  markerFirst: boolean;
  /** sleep is first sent as tentative, then as confirmed */
  confirmsSleep: boolean;
  /** samples have exact times in milliseconds instead of a regular grid */
  irregular: boolean;
  /** never uses the oldest source object, which cannot distinguish its two source types */
  neverOld: boolean;
}

const wearable = ['activity', 'sleep', 'heartrate', 'steps'] as const;
const usual = {
  clock: 'zoned',
  heartRateSeconds: 60,
  bucketMinutes: 15,
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
];

export function providerOf(slug: string): Provider {
  const provider = providers.find((one) => one.slug === slug);
  if (provider === undefined) throw new RangeError('the catalogue has no provider with this slug');
  return provider;
}

/** The providers that one person connects. The entries are dealt out so that every ten people have all of them. */
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
