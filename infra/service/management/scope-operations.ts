import { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import { oauthProviders } from '../connections/providers.ts';
import type { ScopeRequirements } from '../teams/team-preferences.ts';
import { managedOperation, type Owners, teamParams } from './managed-operation.ts';

const tag = 'scope requirement';
const REQUIREMENTS = '/v1/org/{org_id}/team/{team_id}/scope_requirements';

/** A list without repeated values, in the order of the request. */
const setOf = (names: readonly string[]) => z.array(z.enum(names)).transform((given) => [...new Set(given)]);

const givenSchema = (names: readonly string[]) =>
  z.object({ user_must_grant: setOf(names), user_may_grant: setOf(names) }).nullish();

const googleFit = 'https://www.googleapis.com/auth/fitness';
const googleHealth = 'https://www.googleapis.com/auth/googlehealth';
const identity: readonly string[] = ['openid', 'email'];

/** The permissions that users can grant, by the provider. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  fitbit: [
    'heartrate',
    'oxygen_saturation',
    'cardio_fitness',
    'respiratory_rate',
    'activity',
    'location',
    'nutrition',
    'profile',
    'settings',
    'sleep',
    'social',
    'weight',
    'temperature',
  ],
  google_fit: [
    ...identity,
    ...['activity', 'body', 'sleep', 'blood_glucose', 'blood_pressure', 'heart_rate', 'nutrition', 'location'].map(
      (name) => `${googleFit}.${name}.read`,
    ),
  ],
  google_health: [
    ...identity,
    ...[
      'activity_and_fitness',
      'sleep',
      'health_metrics_and_measurements',
      'nutrition',
      'ecg',
      'irn',
      'location',
      'profile',
      'settings',
    ].map((name) => `${googleHealth}.${name}.readonly`),
  ],
  oura: ['email', 'personal', 'daily', 'heartrate', 'workout', 'tag', 'session'],
  strava: ['activity:read_all', 'activity:write', 'profile:write', 'profile:read_all'],
  withings: ['user.activity', 'user.metrics', 'user.sleepevents'],
  wahoo: ['email', 'user_read', 'workouts_read', 'offline_data'],
  whoop_v2: ['read:recovery', 'read:cycles', 'read:workout', 'read:sleep', 'read:profile', 'read:body_measurement', 'offline'],
  my_fitness_pal_v2: ['diary', 'measurements', 'private-exercises', 'subscriptions'],
};

const bodySchema = z
  .object(Object.fromEntries(Object.entries(scopes).map(([provider, names]) => [provider, givenSchema(names)])))
  .meta({ id: 'ScopeRequirementsRequest' });

const requirementSchema = z
  .object({
    team_id: z.uuid(),
    provider: z.enum(oauthProviders),
    user_must_grant: z.array(z.string()),
    user_may_grant: z.array(z.string()),
  })
  .meta({ id: 'ScopeRequirement' });

/** The operations on the permissions that users must or may grant to a team. */
export function scopeOperations(owners: Owners, requirements: ScopeRequirements): Operation[] {
  return [
    managedOperation(owners, {
      id: 'list_scope_requirements',
      method: 'GET',
      path: REQUIREMENTS,
      tag,
      summary: 'Lists the scope requirements that the team has set.',
      managed: 'teams',
      params: teamParams,
      query: z.object({ provider: z.enum(oauthProviders).nullish() }),
      answers: {
        200: { description: 'The requirements.', schema: z.object({ requirements: z.array(requirementSchema) }) },
      },
      handle: ({ params: { team_id }, query: { provider } }) => ({
        status: 200,
        body: { requirements: requirements.of(team_id, provider ?? undefined) },
      }),
    }),
    managedOperation(owners, {
      id: 'set_scope_requirements',
      method: 'POST',
      path: REQUIREMENTS,
      tag,
      summary: 'Sets the permissions that users must or may grant. Null keeps the requirement for a provider.',
      managed: 'teams',
      params: teamParams,
      body: bodySchema,
      answers: { 200: { description: 'Done.', schema: z.null() } },
      handle: ({ params: { team_id }, body }) => {
        for (const [provider, requirement] of Object.entries(body))
          if (requirement != null) requirements.set(team_id, provider, requirement);
        return { status: 200, body: null };
      },
    }),
  ];
}
