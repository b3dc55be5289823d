import type { Connection } from '../connections/connections.ts';
import { providerOf } from '../connections/providers.ts';
import type { Database } from '../storage/database.ts';

/** How many past days the historical pulls of a provider cover. */
export interface PullPreference {
  readonly days: number;
  /** Overrides `days` for some resources. */
  readonly overrides: Readonly<Record<string, number>>;
}

export interface TeamPullPreferences {
  /** Number of the team. */
  readonly number: number;
  readonly team_id: string;
  readonly providers: Readonly<Record<string, PullPreference>>;
}

/** The preferences that a search looks for. An undefined list stands for all providers. */
interface Wanted {
  readonly teams: readonly string[];
  readonly providers?: readonly string[] | undefined;
}

interface Row {
  readonly number: number;
  readonly team_id: string;
  readonly provider: string;
  readonly days: number;
  readonly overrides: string;
}

const chosen = 'team_id in (select value from json_each(?1)) and (?2 is null or provider in (select value from json_each(?2)))';

/** The days that teams want historical pulls to cover. */
export class PullPreferences {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the preference of a team for a provider. */
  set(team: string, provider: string, { days, overrides }: PullPreference): void {
    this.#database.run(
      'insert or replace into team_pull_preferences values (?, ?, ?, ?)',
      ...[team, provider, days, JSON.stringify(overrides)],
    );
  }

  of(team: string, provider: string): PullPreference | undefined {
    return this.list({ teams: [team], providers: [provider] })[0]?.providers[provider];
  }

  /** Returns the teams that have preferences, the oldest first. */
  list(wanted: Wanted): TeamPullPreferences[] {
    const rows = this.#database.all<Row>(
      `select number, team_id, provider, days, overrides from team_pull_preferences join teams using (team_id)
       where ${chosen} order by number, provider`,
      ...bound(wanted),
    );
    return [...Map.groupBy(rows, ({ number }) => number)].map(([number, own]) => ({
      number,
      team_id: own[0]!.team_id,
      providers: Object.fromEntries(
        own.map(({ provider, days, overrides }) => [
          provider,
          { days, overrides: JSON.parse(overrides) as PullPreference['overrides'] },
        ]),
      ),
    }));
  }

  remove(wanted: Wanted): void {
    this.#database.run(`delete from team_pull_preferences where ${chosen}`, ...bound(wanted));
  }
}

const bound = ({ teams, providers }: Wanted) =>
  [JSON.stringify(teams), providers === undefined ? null : JSON.stringify(providers)] as const;

const DEMO_DAYS = 30;

/** No historical pull covers more days. */
const MOST_DAYS = 365;

/** Dense series have a shorter history at Fitbit. */
const FITBIT_SERIES_DAYS = 14;
const fitbitSeries: ReadonlySet<string> = new Set([
  'heartrate',
  'steps',
  'distance',
  'floors_climbed',
  'calories_active',
  'calories_basal',
]);

/** Returns the maximum number of days that a team can choose for a resource, or as the default of a provider. */
export function mostDaysOf(provider: string, resource?: string): number {
  return provider === 'fitbit' && fitbitSeries.has(resource ?? '') ? FITBIT_SERIES_DAYS : MOST_DAYS;
}

/** Returns how many past days a pull covers. `chosen` is the preference of the team. */
export function daysOf({ provider, is_demo }: Connection, resource: string, chosen: PullPreference | undefined): number {
  const usual = is_demo === 1 ? DEMO_DAYS : providerOf(provider)!.historyDays;
  const days = chosen?.overrides[resource] ?? chosen?.days ?? usual;
  return Math.min(days, mostDaysOf(provider, resource));
}
