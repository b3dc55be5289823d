/*
 * Exceptions for individual providers. For all other providers, the service announces the end of each pull when the data is
 * complete.
 */

/** For these providers, the service announces the end of the pull as soon as the user connects, before there is any data. */
const announcesEarly: ReadonlySet<string> = new Set(['garmin']);

/** The only resources that the service pulls from these providers. The service never reports on pulls of other resources. */
const pullsOnly: Readonly<Record<string, readonly string[]>> = { polar: ['sleep', 'sleep_stream'], dexcom: [] };

/**
 * For these providers, a new connection does not start a new pull, unless the user was deregistered before. Only
 * introspection shows whether a new pull has started.
 */
const pulledOnce: ReadonlySet<string> = new Set(['garmin']);

/**
 * The service reports `retrying` for connections made at or after this instant (in microseconds since 1970). For older
 * connections, a `failure` may be temporary.
 */
export const RETRYING_SINCE = Date.UTC(2025, 4, 9) * 1000;

/** Returns true if a new connection of the same user starts no new pull. */
export function pullsOnce(provider: string): boolean {
  return pulledOnce.has(provider);
}

export function completesEarly(provider: string): boolean {
  return announcesEarly.has(provider);
}

/** Whether the service ever reports on pulls of this resource. */
export function reports(provider: string, resource: string): boolean {
  return pullsOnly[provider]?.includes(resource) ?? true;
}

/** The service's list of providers with OAuth. The service can start new pulls only for these providers. */
const triggered: ReadonlySet<string> = new Set([
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
]);

/** Whether the service accepts a request to pull the history of a provider again. */
export function canTrigger(provider: string): boolean {
  return triggered.has(provider);
}
