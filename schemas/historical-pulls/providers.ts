/**
 * What single providers do differently. Everything that is not named here announces the end of each
 * pull, and means by it that the data is there.
 */

/** The service announces the end of the pull as soon as the connection stands, before there is any data. */
const announcesEarly: ReadonlySet<string> = new Set(['garmin']);

/** Resources that are pulled at all; of the others nothing is ever heard. */
const pullsOnly: Readonly<Record<string, readonly string[]>> = { polar: ['sleep', 'sleep_stream'], dexcom: [] };

/** A connection that is made again is not pulled again, unless the user was deregistered before: of that only introspection tells. */
const pulledOnce: ReadonlySet<string> = new Set(['garmin']);

/** Whether a connection that is made again lets expect no further pull. */
export function pullsOnce(provider: string): boolean {
  return pulledOnce.has(provider);
}

export function completesEarly(provider: string): boolean {
  return announcesEarly.has(provider);
}

/** Whether the end, or anything else, of a pull of this resource can be heard of at all. */
export function reports(provider: string, resource: string): boolean {
  return pullsOnly[provider]?.includes(resource) ?? true;
}

/** Providers that a user connects by OAuth, as the service lists them: it triggers the pulls of no others again. */
const triggered: ReadonlySet<string> = new Set([
  ...['oura', 'fitbit', 'garmin', 'strava', 'wahoo', 'ihealth', 'withings', 'google_fit', 'dexcom_v3', 'polar', 'cronometer'],
  ...['omron', 'whoop_v2', 'my_fitness_pal_v2', 'ultrahuman', 'runkeeper', 'google_health'],
]);

/** Whether the service can be asked to pull the history of a provider again. */
export function canTrigger(provider: string): boolean {
  return triggered.has(provider);
}

/** From this instant (microseconds since 1970) on, connections know `retrying`: in earlier ones a `failure` may be a temporary one. */
export const RETRYING_SINCE = Date.UTC(2025, 4, 9) * 1000;
