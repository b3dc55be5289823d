import { z } from 'zod';
import { PAGE, Pages } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import type { Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import { appointmentProviders, labNames, labPartners, oauthProviders, providerNames } from '../connections/providers.ts';
import { detailsSchema, type TeamCredential, type TeamCredentials } from '../teams/team-credentials.ts';
import { managedOperation, type Owners, Refusal, regionParams } from './managed-operation.ts';
import { deletionSchema } from './team-key-operations.ts';

const tag = 'team credential';
const CREDENTIALS = '/v1/org/{org_id}/team_custom_credentials/{env}/{region}';

const sources = [...new Set([...providerNames, ...labNames, ...labPartners, ...appointmentProviders])];

const credentialSchema = z
  .object({
    id: z.uuid(),
    team_id: z.uuid(),
    source: z.enum(sources),
    client_id: z.string().nullable(),
    client_secret_hash: z.string().nullable().describe('SHA-256 in hexadecimal digits.'),
    details: detailsSchema.nullable().describe('Secrets are replaced by `***`.'),
    redirect_url_override: z.string().nullable(),
    app_url: z.null().describe('This service has no app.'),
    created_at: instantSchema,
    updated_at: instantSchema,
  })
  .meta({ id: 'TeamCredential' });

const stepSchema = z.object({
  type: z.enum(['redirect_uri', 'webhook_uri', 'iam_principal']),
  key: z.string().nullable(),
  value: z.string(),
  description: z.string().nullable(),
});

/** Something to set at a provider before a team uses its own credential there. */
interface PreparationStep {
  readonly type: 'redirect_uri' | 'webhook_uri' | 'iam_principal';
  readonly key: null;
  readonly value: string;
  readonly description: string;
}

/** Providers that report new data by a webhook. */
const pushing: readonly string[] = [
  'oura',
  'fitbit',
  'garmin',
  'strava',
  'withings',
  'polar',
  'whoop_v2',
  'wahoo',
  'omron',
  'ihealth',
];

const PRINCIPAL = 'serviceAccount:health-data@example.com';

/** Returns what to set at a provider, or nothing for one without OAuth. `base` is the address of the service. */
function preparationOf(provider: string, base: string): PreparationStep[] {
  if (!oauthProviders.includes(provider)) return [];
  const step = (type: PreparationStep['type'], value: string, description: string) => ({ type, key: null, value, description });
  return [
    step('redirect_uri', `${base}/oauth/${provider}/redirect`, 'Allow this redirect address in the OAuth application.'),
    ...(pushing.includes(provider)
      ? [step('webhook_uri', `${base}/webhook/${provider}`, 'Let the provider send its webhooks to this address.')]
      : []),
    ...(provider === 'google_health'
      ? [step('iam_principal', PRINCIPAL, 'Let this principal read the subscriptions of the project.')]
      : []),
  ];
}

/** The operations on the credentials that teams have at providers and labs. The service never contacts them. */
export function credentialOperations(owners: Owners, credentials: TeamCredentials, address: () => string): Operation[] {
  const pages = new Pages(owners.cursors, 'credentials');
  return [
    managedOperation(owners, {
      id: 'list_team_credentials',
      method: 'GET',
      path: CREDENTIALS,
      tag,
      summary: 'Lists the credentials of teams, the oldest first.',
      managed: 'teams',
      params: regionParams,
      query: z.object({
        team_id: z.array(uuidSchema).nullish().describe('Default: all teams that the key controls.'),
        provider: z.enum([...new Set([...oauthProviders, ...labNames, 'freestyle_libre'])]).nullish(),
        next_cursor: pages.parameter,
      }),
      answers: {
        200: {
          description: 'A page of credentials.',
          schema: z.object({ credentials: z.array(credentialSchema), next_cursor: z.string().nullable() }),
        },
      },
      handle: ({ teams, query: { team_id, provider, next_cursor: after } }) => {
        const ids = teams(team_id ?? undefined).map((team) => team.team_id);
        const found = credentials.list({ teams: ids, source: provider ?? undefined, after }, PAGE + 1);
        const { page, next_cursor } = pages.of(found);
        return { status: 200, body: { credentials: page.map(form), next_cursor } };
      },
    }),
    managedOperation(owners, {
      id: 'set_team_credential',
      method: 'POST',
      path: CREDENTIALS,
      tag,
      summary: 'Sets the credential of a team at a provider or lab. Missing members stay as they are, and null removes one.',
      managed: 'teams',
      params: regionParams,
      body: z
        .object({
          team_id: uuidSchema,
          provider: z.enum(sources),
          client_id: z.string().nullish(),
          client_secret: z.string().nullish(),
          details: detailsSchema.nullish(),
          redirect_url_override: z.string().nullish(),
        })
        .meta({ id: 'TeamCredentialRequest' }),
      answers: {
        200: { description: 'The credential.', schema: credentialSchema },
        400: problem('The first credential at an OAuth provider lacks the id or the secret of the client.'),
      },
      handle: ({ team, body: { team_id, provider, ...given } }) => {
        team(team_id);
        const isOAuth = oauthProviders.includes(provider);
        const isComplete = given.client_id != null && given.client_secret != null;
        if (isOAuth && !isComplete && credentials.of(team_id, provider) === undefined)
          throw new Refusal(400, 'An OAuth provider needs client_id and client_secret');
        return { status: 200, body: form(credentials.set(team_id, provider, given)) };
      },
    }),
    managedOperation(owners, {
      id: 'delete_team_credentials',
      method: 'DELETE',
      path: CREDENTIALS,
      tag,
      summary: 'Deletes credentials of teams.',
      managed: 'teams',
      params: regionParams,
      query: z.object({ credential_id: z.array(uuidSchema).min(1) }),
      answers: { 200: { description: 'What became of each credential.', schema: deletionSchema } },
      handle: ({ teams, query: { credential_id } }) => {
        const controlled = new Set(teams().map(({ team_id }) => team_id));
        const known = [...new Set(credential_id)].filter((id) => controlled.has(credentials.find(id)?.team_id ?? ''));
        for (const id of known) credentials.delete(id);
        const not_found = credential_id.filter((id) => !known.includes(id));
        return { status: 200, body: { success: known, failure: [], not_found } };
      },
    }),
    managedOperation(owners, {
      id: 'prepare_team_credential',
      since: 'preparation of credentials',
      method: 'POST',
      path: '/v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}',
      tag,
      summary: 'Tells what to set at a provider before a team uses its own credential there.',
      managed: 'teams',
      params: regionParams,
      body: z
        .object({ team_id: uuidSchema, provider: z.enum([...new Set([...providerNames, ...labNames])]) })
        .meta({ id: 'TeamCredentialPreparationRequest' }),
      answers: {
        200: {
          description: 'The steps. There are none for providers without OAuth, and for labs.',
          schema: z
            .object({
              status: z.enum(['no_action_needed', 'preparations_required']),
              preparation_steps: z.array(stepSchema),
            })
            .meta({ id: 'TeamCredentialPreparation' }),
        },
      },
      handle: ({ team, body: { team_id, provider } }) => {
        team(team_id);
        const preparation_steps = preparationOf(provider, address());
        const status = preparation_steps.length === 0 ? 'no_action_needed' : 'preparations_required';
        return { status: 200, body: { status, preparation_steps } };
      },
    }),
  ];
}

function form(credential: TeamCredential): z.input<typeof credentialSchema> {
  const { number: _, credential_id, source, created_at, updated_at, ...rest } = credential;
  return {
    id: credential_id,
    source,
    ...rest,
    app_url: null,
    created_at: instant(created_at),
    updated_at: instant(updated_at),
  };
}
