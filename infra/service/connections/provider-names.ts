/** Providers that requests may name. The service knows more of them than its catalogue describes. */
export const providerNames: readonly string[] = [
  ...['oura', 'fitbit', 'garmin', 'whoop', 'strava', 'renpho', 'peloton', 'wahoo', 'zwift', 'freestyle_libre'],
  ...['abbott_libreview', 'tandem_source', 'freestyle_libre_ble', 'eight_sleep', 'withings', 'apple_health_kit', 'manual'],
  ...['ihealth', 'google_fit', 'beurer_api', 'beurer_ble', 'omron', 'omron_ble', 'onetouch_ble', 'accuchek_ble'],
  ...['contour_ble', 'dexcom', 'dexcom_v3', 'hammerhead', 'my_fitness_pal', 'health_connect', 'samsung_health', 'polar'],
  ...['cronometer', 'kardia', 'whoop_v2', 'ultrahuman', 'my_fitness_pal_v2', 'map_my_fitness', 'runkeeper', 'google_health'],
];

/** Providers that users connect with OAuth. Only their historical pulls can be triggered. */
export const oauthProviders: readonly string[] = [
  ...['oura', 'fitbit', 'garmin', 'strava', 'wahoo', 'ihealth', 'withings', 'google_fit', 'dexcom_v3', 'polar', 'cronometer'],
  ...['omron', 'whoop_v2', 'my_fitness_pal_v2', 'ultrahuman', 'runkeeper', 'google_health'],
];

/** Labs, which the introspection of historical pulls accepts in place of a provider. */
export const labNames: readonly string[] = [
  ...['ayumetrix', 'spiriplex', 'ussl', 'quest', 'sonora_quest', 'labcorp', 'bioreference', 'us_biotek', 'manual'],
  ...['sanocardio', 'ihd', 'nexus', 'my_uti', 'crl', 'mtl'],
];

/** Companies that carry kits, print labels or call patients. */
export const labPartners: readonly string[] = ['aftership', 'shippo', 'sanocardio', 'supera', 'twilio', 'telnyx', 'mtl'];

export const appointmentProviders: readonly string[] = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'];
