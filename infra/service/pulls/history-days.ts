import type { Connection } from '../connections/connections.ts';
import { providerOf } from '../connections/providers.ts';
import type { PullPreference } from '../teams/pull-preferences.ts';

const DEMO_DAYS = 30;

/** No historical pull covers more days. */
const MOST_DAYS = 365;

/** Dense series have a shorter history at Fitbit. */
const FITBIT_SERIES_DAYS = 14;
const fitbitSeries: ReadonlySet<string> = new Set([
  ...['heartrate', 'steps', 'distance', 'floors_climbed', 'calories_active', 'calories_basal'],
]);

/** Returns how many days a team can choose at most, for a resource or as the default of a provider. */
export function mostDaysOf(provider: string, resource?: string): number {
  return provider === 'fitbit' && fitbitSeries.has(resource ?? '') ? FITBIT_SERIES_DAYS : MOST_DAYS;
}

/** Returns how many past days a pull covers. `chosen` is the preference of the team. */
export function daysOf({ provider, is_demo }: Connection, resource: string, chosen: PullPreference | undefined): number {
  const usual = is_demo === 1 ? DEMO_DAYS : providerOf(provider)!.historyDays;
  const days = chosen?.overrides[resource] ?? chosen?.days ?? usual;
  return Math.min(days, mostDaysOf(provider, resource));
}
