import { wearables } from '@aorta/people';

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
  /** The provider has local times without a time zone, which the service writes as if they were in UTC. */
  readonly isFloating: boolean;
}

const usual = { historyDays: 90, hasDemo: false, pushesHistory: false, isFloating: false };

const catalogue: readonly Omit<Provider, 'resources'>[] = [
  { ...usual, slug: 'apple_health_kit', name: 'Apple HealthKit', historyDays: 30, hasDemo: true },
  { ...usual, slug: 'fitbit', name: 'Fitbit', hasDemo: true },
  { ...usual, slug: 'freestyle_libre', name: 'Freestyle Libre', hasDemo: true, isFloating: true },
  { ...usual, slug: 'oura', name: 'Oura', historyDays: 180, hasDemo: true },
  { ...usual, slug: 'garmin', name: 'Garmin', pushesHistory: true },
  { ...usual, slug: 'whoop_v2', name: 'WHOOP', historyDays: 180 },
  { ...usual, slug: 'withings', name: 'Withings' },
  { ...usual, slug: 'omron', name: 'Omron', historyDays: 30 },
  { ...usual, slug: 'polar', name: 'Polar', historyDays: 28 },
  { ...usual, slug: 'strava', name: 'Strava', historyDays: 14 },
  { ...usual, slug: 'dexcom_v3', name: 'Dexcom', historyDays: 30 },
];

/** Each provider has the resources of its generated data. */
const bySlug = new Map<string, Provider>(
  catalogue.map((provider) => [
    provider.slug,
    { ...provider, resources: wearables.find(({ slug }) => slug === provider.slug)!.resources },
  ]),
);

export const providerSlugs: readonly string[] = [...bySlug.keys()];
export const demoProviders: readonly string[] = catalogue.filter(({ hasDemo }) => hasDemo).map(({ slug }) => slug);

export function providerOf(slug: string): Provider | undefined {
  return bySlug.get(slug);
}

/** Providers that requests may name. The service knows more of them than its catalogue describes. */
export const providerNames: readonly string[] = [
  'oura',
  'fitbit',
  'garmin',
  'whoop',
  'strava',
  'renpho',
  'peloton',
  'wahoo',
  'zwift',
  'freestyle_libre',
  'abbott_libreview',
  'tandem_source',
  'freestyle_libre_ble',
  'eight_sleep',
  'withings',
  'apple_health_kit',
  'manual',
  'ihealth',
  'google_fit',
  'beurer_api',
  'beurer_ble',
  'omron',
  'omron_ble',
  'onetouch_ble',
  'accuchek_ble',
  'contour_ble',
  'dexcom',
  'dexcom_v3',
  'hammerhead',
  'my_fitness_pal',
  'health_connect',
  'samsung_health',
  'polar',
  'cronometer',
  'kardia',
  'whoop_v2',
  'ultrahuman',
  'my_fitness_pal_v2',
  'map_my_fitness',
  'runkeeper',
  'google_health',
];

/** Providers that users connect with OAuth. Only their historical pulls can be triggered. */
export const oauthProviders: readonly string[] = [
  'oura',
  'fitbit',
  'garmin',
  'strava',
  'wahoo',
  'ihealth',
  'withings',
  'google_fit',
  'dexcom_v3',
  'polar',
  'cronometer',
  'omron',
  'whoop_v2',
  'my_fitness_pal_v2',
  'ultrahuman',
  'runkeeper',
  'google_health',
];

/** Labs, which the introspection of historical pulls accepts in place of a provider. */
export const labNames: readonly string[] = [
  'ayumetrix',
  'spiriplex',
  'ussl',
  'quest',
  'sonora_quest',
  'labcorp',
  'bioreference',
  'us_biotek',
  'manual',
  'sanocardio',
  'ihd',
  'nexus',
  'my_uti',
  'crl',
  'mtl',
];

/** Companies that carry kits, print labels or call patients. */
export const labPartners: readonly string[] = ['aftership', 'shippo', 'sanocardio', 'supera', 'twilio', 'telnyx', 'mtl'];

export const appointmentProviders: readonly string[] = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'];
