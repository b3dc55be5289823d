import { z } from 'zod';
import { Pages } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import type { Operation } from '../api/operation.ts';
import { decimal, uuidSchema } from '../api/parameters.ts';
import { mostDaysOf, type PullPreference, type PullPreferences, type TeamPullPreferences } from '../teams/pull-preferences.ts';
import { managedOperation, type Owners, Refusal, regionParams } from './managed-operation.ts';

const tag = 'data pull preference';
const PREFERENCES = '/v1/org/{org_id}/team_data_pull_preferences/{env}/{region}';
/** Teams on a page, unless the request chooses. */
const TEAMS = 5;
const MOST_TEAMS = 100;

/* The names that the preferences of historical pulls accept. This service pulls only some of them. */

const pullProviders: readonly string[] = [
  'oura',
  'fitbit',
  'garmin',
  'strava',
  'withings',
  'peloton',
  'wahoo',
  'zwift',
  'freestyle_libre',
  'abbott_libreview',
  'eight_sleep',
  'renpho',
  'omron',
  'dexcom_v3',
  'hammerhead',
  'polar',
  'cronometer',
  'kardia',
  'whoop_v2',
  'my_fitness_pal_v2',
  'map_my_fitness',
  'runkeeper',
  'apple_health_kit',
  'google_fit',
  'beurer_api',
  'ultrahuman',
  'google_health',
];

const pullResources: readonly string[] = [
  'profile',
  'activity',
  'sleep',
  'body',
  'workouts',
  'workout_stream',
  'connection',
  'order',
  'result',
  'match_review',
  'appointment',
  'result_table',
  'glucose',
  'heartrate',
  'hrv',
  'ige',
  'igg',
  'blood_oxygen',
  'blood_pressure',
  'cholesterol',
  'device',
  'device_legacy',
  'weight',
  'fat',
  'body_temperature',
  'body_temperature_delta',
  'meal',
  'water',
  'caffeine',
  'mindfulness_minutes',
  'steps',
  'calories_active',
  'distance',
  'floors_climbed',
  'respiratory_rate',
  'vo2_max',
  'calories_basal',
  'stress_level',
  'menstrual_cycle',
  'sleep_cycle',
  'electrocardiogram',
  'electrocardiogram_voltage',
  'afib_burden',
  'heart_rate_alert',
  'stand_hour',
  'stand_duration',
  'sleep_apnea_alert',
  'sleep_breathing_disturbance',
  'wheelchair_push',
  'forced_expiratory_volume_1',
  'forced_vital_capacity',
  'peak_expiratory_flow_rate',
  'inhaler_usage',
  'fall',
  'uv_exposure',
  'daylight_exposure',
  'handwashing',
  'basal_body_temperature',
  'heart_rate_recovery_one_minute',
  'body_mass_index',
  'lean_body_mass',
  'waist_circumference',
  'workout_distance',
  'workout_swimming_stroke',
  'workout_duration',
  'insulin_injection',
  'carbohydrates',
  'note',
  'sleep_stream',
  'hypnogram',
];

const overridesOf = <Days extends z.ZodType>(days: Days) => z.partialRecord(z.enum(pullResources), days);

const givenDays = z.object({ historical_days_to_pull: z.int().min(1) });
const givenSchema = z
  .object({ default: givenDays, resource_overrides: overridesOf(givenDays).nullish() })
  .meta({ id: 'DataPullPreferenceRequest' });

const shownDays = z
  .object({ historical_days_to_pull: z.int(), historical_days_to_pull_limit: z.int() })
  .meta({ id: 'HistoricalDays' });
const shownSchema = z
  .object({ default: shownDays, resource_overrides: overridesOf(shownDays).nullable() })
  .meta({ id: 'DataPullPreference' });

const pageSchema = z.object({
  data_pull_preferences: z.array(
    z
      .object({ team_id: z.uuid(), providers: z.partialRecord(z.enum(pullProviders), shownSchema) })
      .meta({ id: 'TeamDataPullPreferences' }),
  ),
  next_cursor: z.string().nullable(),
});

const filters = z.object({
  team_id: z.array(uuidSchema).nullish().describe('Default: all teams that the key controls.'),
  provider: z.array(z.enum(pullProviders)).nullish().describe('Default: all providers.'),
});

/** The operations on how many past days the historical pulls of teams cover. */
export function pullPreferenceOperations(owners: Owners, preferences: PullPreferences): Operation[] {
  const pages = new Pages(owners.cursors, 'pull preferences');
  return [
    managedOperation(owners, {
      id: 'list_data_pull_preferences',
      method: 'GET',
      path: PREFERENCES,
      tag,
      summary: 'Lists the preferences that teams have set, the oldest team first.',
      managed: 'teams',
      params: regionParams,
      query: filters.extend({
        next_cursor: pages.parameter,
        limit: decimal(z.int().min(1).max(MOST_TEAMS)).default(TEAMS).describe('Teams on a page.'),
      }),
      answers: { 200: { description: 'A page of teams with their preferences.', schema: pageSchema } },
      handle: ({ teams, query: { team_id, provider, next_cursor: after, limit } }) => {
        const ids = teams(team_id ?? undefined).filter(({ number }) => number > after);
        const found = preferences.list({ teams: ids.map((team) => team.team_id), providers: provider ?? undefined });
        const { page, next_cursor } = pages.of(found, limit);
        return { status: 200, body: { data_pull_preferences: page.map(form), next_cursor } };
      },
    }),
    managedOperation(owners, {
      id: 'set_data_pull_preferences',
      method: 'POST',
      path: PREFERENCES,
      tag,
      summary: 'Replaces the preferences of teams for providers. They apply to pulls that are planned later.',
      managed: 'teams',
      params: regionParams,
      body: z
        .object({ team_ids: z.array(uuidSchema), providers: z.partialRecord(z.enum(pullProviders), givenSchema) })
        .meta({ id: 'DataPullPreferencesRequest' }),
      answers: {
        200: { description: 'All preferences of these teams.', schema: pageSchema },
        400: problem('A provider or a resource cannot have so many days.'),
      },
      handle: ({ teams, body: { team_ids, providers } }) => {
        const ids = teams(team_ids).map((team) => team.team_id);
        const chosen = Object.entries(providers).map(([provider, given]) => [provider, preferenceOf(provider, given!)] as const);
        for (const id of ids) for (const [provider, preference] of chosen) preferences.set(id, provider, preference);
        return { status: 200, body: { data_pull_preferences: preferences.list({ teams: ids }).map(form), next_cursor: null } };
      },
    }),
    managedOperation(owners, {
      id: 'delete_data_pull_preferences',
      method: 'DELETE',
      path: PREFERENCES,
      tag,
      summary: 'Deletes preferences of teams. Later pulls cover the usual days again.',
      managed: 'teams',
      params: regionParams,
      query: filters,
      answers: { 200: { description: 'Done.', schema: z.null() } },
      handle: ({ teams, query: { team_id, provider } }) => {
        const ids = teams(team_id ?? undefined).map((team) => team.team_id);
        preferences.remove({ teams: ids, providers: provider ?? undefined });
        return { status: 200, body: null };
      },
    }),
  ];
}

/** Throws a {@link Refusal} if the days are above a limit. */
function preferenceOf(provider: string, { default: usual, resource_overrides }: z.output<typeof givenSchema>): PullPreference {
  const daysOf = ({ historical_days_to_pull: days }: z.output<typeof givenDays>, resource?: string): number => {
    const most = mostDaysOf(provider, resource);
    const what = resource === undefined ? provider : `${resource} of ${provider}`;
    if (days > most) throw new Refusal(400, `A historical pull of ${what} covers at most ${most} days`);
    return days;
  };
  const overrides = Object.entries(resource_overrides ?? {}).map(([resource, given]) => [resource, daysOf(given!, resource)]);
  return { days: daysOf(usual), overrides: Object.fromEntries(overrides) };
}

function form({ team_id, providers }: TeamPullPreferences): z.input<typeof pageSchema>['data_pull_preferences'][number] {
  const shown = Object.entries(providers).map(([provider, { days, overrides }]) => {
    const some = Object.entries(overrides).map(([resource, own]) => [resource, daysForm(own, mostDaysOf(provider, resource))]);
    const resource_overrides = some.length === 0 ? null : Object.fromEntries(some);
    return [provider, { default: daysForm(days, mostDaysOf(provider)), resource_overrides }];
  });
  return { team_id, providers: Object.fromEntries(shown) };
}

const daysForm = (days: number, most: number): z.input<typeof shownDays> => ({
  historical_days_to_pull: days,
  historical_days_to_pull_limit: most,
});
