/** A provider of health data, as the service describes it. */
export interface Provider {
  readonly slug: string;
  readonly name: string;
  /** Resources that the provider has, as in event types. */
  readonly resources: readonly string[];
  /** How many past days a historical pull covers. */
  readonly historyDays: number;
  /** Demo connections exist only for some providers. */
  readonly hasDemo: boolean;
  /** The provider sends data by itself, and its historical pull ends before its data arrives. */
  readonly pushesHistory: boolean;
}

const wearable = ['profile', 'activity', 'sleep', 'workouts', 'body', 'heartrate', 'hrv', 'blood_oxygen', 'steps', 'weight'];
const usual = { resources: wearable, historyDays: 90, hasDemo: false, pushesHistory: false };

const catalogue: readonly Provider[] = [
  { ...usual, slug: 'apple_health_kit', name: 'Apple HealthKit', historyDays: 30, hasDemo: true },
  { ...usual, slug: 'fitbit', name: 'Fitbit', hasDemo: true },
  { ...usual, slug: 'freestyle_libre', name: 'Freestyle Libre', resources: ['glucose'], hasDemo: true },
  { ...usual, slug: 'oura', name: 'Oura', historyDays: 180, hasDemo: true },
  { ...usual, slug: 'garmin', name: 'Garmin', pushesHistory: true },
  { ...usual, slug: 'whoop_v2', name: 'WHOOP', historyDays: 180 },
  { ...usual, slug: 'withings', name: 'Withings', resources: ['profile', 'body', 'weight', 'fat', 'blood_pressure'] },
  { ...usual, slug: 'omron', name: 'Omron', resources: ['blood_pressure'], historyDays: 30 },
  { ...usual, slug: 'polar', name: 'Polar', resources: ['activity', 'sleep', 'workouts', 'heartrate'], historyDays: 28 },
  { ...usual, slug: 'strava', name: 'Strava', resources: ['workouts'], historyDays: 14 },
  { ...usual, slug: 'dexcom_v3', name: 'Dexcom', resources: ['glucose'], historyDays: 30 },
];

const bySlug = new Map(catalogue.map((provider) => [provider.slug, provider]));

export const providerSlugs: readonly string[] = [...bySlug.keys()];
export const demoProviders: readonly string[] = catalogue.filter(({ hasDemo }) => hasDemo).map(({ slug }) => slug);

export function providerOf(slug: string): Provider | undefined {
  return bySlug.get(slug);
}
