/** The resources of the spine. */
export const resources = ['activity', 'sleep', 'heartrate', 'steps', 'glucose', 'blood_pressure'] as const;
export type Resource = (typeof resources)[number];

/** What makes one provider differ from the next. Slugs and habits are those of the service's provider list. */
export interface Provider {
  /** position in the catalogue: part of stable ids, so append only */
  number: number;
  slug: string;
  name: string;
  resources: readonly Resource[];
  /** source types, the leading one first: it measures heart rate, sleep and the activity summary */
  sourceTypes: readonly [string, ...string[]];
  /** `floating`: local time written as if it were UTC, offset always null. `none`: true UTC, offset null */
  clock: 'zoned' | 'floating' | 'none';
  heartRateSeconds: number;
  bucketMinutes: 15 | 60;
  /** synchronisations on a day */
  syncs: number;
  /** days of summaries and spot readings that the first pull brings */
  historyDays: number;
  /** days of dense series that it brings */
  seriesDays: number;
  /** the end marker is sent at once and promises nothing */
  markerFirst: boolean;
  /** sleep comes first as tentative, then confirmed */
  confirmsSleep: boolean;
  /** samples are stamped when they happen, to the millisecond, not on a grid */
  irregular: boolean;
  /** never the oldest source object: two source types would become one there */
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

/** The provider of a slug. */
export function providerOf(slug: string): Provider {
  const provider = providers.find((one) => one.slug === slug);
  if (provider === undefined) throw new RangeError('no such provider in the catalogue');
  return provider;
}

/** What people own: ten households' worth, dealt out so that any ten neighbours hold all of it. */
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
