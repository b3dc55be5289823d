import { z } from 'zod';
import { PAGE, Pages } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import type { Answer, AnswerForm, Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import {
  changedEnvironment,
  changedEnvironmentSchema,
  completeEnvironment,
  type Environment,
  environmentSchema,
} from '../teams/environment.ts';
import type { ManagementKey } from '../teams/management-keys.ts';
import { type AccessTokens, TOKEN_SECONDS } from '../teams/team-keys.ts';
import { regions, type TeamRecord } from '../teams/teams.ts';
import {
  environmentNameSchema,
  managedOperation,
  NO_PRODUCTION,
  NO_TEAM,
  type Owners,
  orgParams,
  Refusal,
  teamParams,
} from './managed-operation.ts';

const tag = 'team';
const TEAMS = '/v1/org/{org_id}/team';
const TEAM = `${TEAMS}/{team_id}`;

const NAME = /^[A-Za-zÀ-ÖØ-öø-ÿ0-9(),/:'|&_\- ’]{0,80}$/;
export const nameSchema = z.string().regex(NAME, 'at most 80 letters, digits and signs of a name');
const searchSchema = nameSchema.nullish();

const LONGEST_INTEGRATION_ID = 256;
const integrationIdSchema = z.string().max(LONGEST_INTEGRATION_ID);

/** If callers could choose ids, a refusal would reveal that another organization has the id. */
const ASSIGNED = 'the service assigns the ids of teams: leave out id, and use integration_team_id for your own';

const newTeamSchema = z
  .strictObject({
    ...environmentSchema.shape,
    id: z.null(ASSIGNED).optional().describe('The service assigns the ids of teams.'),
    name: nameSchema,
    region: z.enum(regions),
    integration_team_id: integrationIdSchema.nullish(),
  })
  .meta({ id: 'NewTeam' });

const changedTeamSchema = z
  .strictObject({
    name: nameSchema.nullish(),
    integration_team_id: integrationIdSchema.nullish(),
    sandbox: changedEnvironmentSchema.nullish(),
    production: changedEnvironmentSchema.nullish(),
  })
  .meta({ id: 'ChangedTeam' });

const listedTeamSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    created_on: instantSchema,
    region: z.enum(regions),
    integration_team_id: z.string().nullable(),
  })
  .meta({ id: 'ListedTeam' });

const teamSchema = listedTeamSchema
  .extend({
    environments: z.array(environmentNameSchema),
    sandbox: environmentSchema.meta({ id: 'TeamEnvironment' }).nullable(),
    production: z.null().describe('This service has the sandbox environment only.'),
  })
  .meta({ id: 'Team' });

const teamsSchema = z.object({ teams: z.array(listedTeamSchema), next_cursor: z.string().nullable() });

function listedTeamForm({ team_id, name, created_at, region, integration_team_id }: TeamRecord) {
  return { id: team_id, name, created_on: instant(created_at), region, integration_team_id };
}

/** Returns a team, with its settings if `withEnvironment` is set. */
function teamForm(team: TeamRecord, withEnvironment = true): z.input<typeof teamSchema> {
  return {
    ...listedTeamForm(team),
    environments: ['sandbox'],
    sandbox: withEnvironment ? team.environment : null,
    production: null,
  };
}

const theTeam: AnswerForm = { description: 'The team.', schema: teamSchema };
const taken: AnswerForm = {
  description: 'Another team of the organization has this integration id. The answer names the team.',
  schema: z.object({ team_id: z.uuid() }).meta({ id: 'TakenTeamId' }),
};
const incompleteBrand = problem('A brand needs the name of the company and a logo.');
const nothing: AnswerForm = { description: 'Done.', schema: z.null() };

/** The operations on teams, and on access tokens for them. */
export function teamOperations(owners: Owners, tokens: AccessTokens): Operation[] {
  const { teams } = owners;
  const pages = new Pages(owners.cursors, 'teams');
  const found = (org: string, id: string): Answer => ({ status: 200, body: teamForm(teams.record(org, id)!) });
  /** Returns the answer to an integration id that another team has. */
  const conflict = (key: ManagementKey, id: string | null | undefined, own?: string): Answer | undefined => {
    const other = id == null ? undefined : teams.withIntegrationId(key.org_id, id)?.team_id;
    if (other === undefined || other === own) return undefined;
    if (key.team_ids?.includes(other) === false) throw new Refusal(403, 'A team that the key does not control has this id');
    return { status: 409, body: { team_id: other } };
  };
  return [
    managedOperation(owners, {
      id: 'list_teams',
      method: 'GET',
      path: TEAMS,
      tag,
      summary: 'Lists the teams that the key controls, the oldest first.',
      managed: 'teams',
      params: orgParams,
      query: z.object({
        team_id: uuidSchema.nullish(),
        region: z.array(z.enum(regions)).nullish(),
        search_query: searchSchema.describe('A part of the name, in any letter case.'),
        next_cursor: pages.parameter,
      }),
      answers: { 200: { description: 'A page of teams.', schema: teamsSchema } },
      handle: (call) => {
        const { team_id, region, search_query, next_cursor: after } = call.query;
        const part = search_query?.toLowerCase() ?? '';
        const all = call
          .teams(team_id == null ? undefined : [team_id])
          .filter((team) => team.number > after && team.name.toLowerCase().includes(part))
          .filter((team) => region == null || region.includes(team.region));
        const { page, next_cursor } = pages.of(all.slice(0, PAGE + 1));
        return { status: 200, body: { teams: page.map(listedTeamForm), next_cursor } };
      },
    }),
    managedOperation(owners, {
      id: 'create_team',
      method: 'POST',
      path: TEAMS,
      tag,
      summary: 'Creates a team with the sandbox environment.',
      managed: 'organization',
      params: orgParams,
      body: newTeamSchema,
      answers: { 200: theTeam, 400: incompleteBrand, 409: taken },
      handle: ({ key, params: { org_id }, body: { id: _, name, region, integration_team_id, ...given } }) => {
        const environment = accepted(completeEnvironment(given));
        const other = conflict(key, integration_team_id);
        if (other !== undefined) return other;
        const { team_id } = teams.add(name, { org_id, region, integration_team_id, environment });
        return found(org_id, team_id);
      },
    }),
    managedOperation(owners, {
      id: 'get_team',
      method: 'GET',
      path: TEAM,
      tag,
      summary: 'Returns a team.',
      managed: 'teams',
      params: teamParams,
      query: z.object({
        include_environment: z.array(environmentNameSchema).default([]).describe('Environments whose settings are returned.'),
      }),
      answers: { 200: theTeam },
      handle: ({ team, params: { team_id }, query: { include_environment } }) => ({
        status: 200,
        body: teamForm(team(team_id), include_environment.includes('sandbox')),
      }),
    }),
    managedOperation(owners, {
      id: 'update_team',
      method: 'PATCH',
      path: TEAM,
      tag,
      summary: 'Changes a team and its settings.',
      managed: 'teams',
      params: teamParams,
      body: changedTeamSchema,
      answers: { 200: theTeam, 400: incompleteBrand, 409: taken },
      handle: ({ key, team, params: { org_id, team_id }, body: { name, integration_team_id, sandbox, production } }) => {
        if (production != null) throw new Refusal(404, NO_PRODUCTION);
        const before = team(team_id);
        const other = conflict(key, integration_team_id, team_id);
        if (other !== undefined) return other;
        teams.change(team_id, {
          name: name ?? before.name,
          integration_team_id: integration_team_id === undefined ? before.integration_team_id : integration_team_id,
          environment: environmentOf(before, sandbox),
        });
        return found(org_id, team_id);
      },
    }),
    managedOperation(owners, {
      id: 'delete_team',
      method: 'DELETE',
      path: TEAM,
      tag,
      summary: 'Deletes a team with its users, keys and data at once.',
      managed: 'organization',
      params: teamParams,
      answers: { 200: nothing },
      handle: ({ params: { team_id } }) => {
        teams.delete(team_id);
        return { status: 200, body: null };
      },
    }),
    managedOperation(owners, {
      id: 'resolve_team',
      method: 'POST',
      path: '/v1/org/{org_id}/resolve_team',
      tag,
      summary: "Returns the team with the organization's own id.",
      managed: 'teams',
      params: orgParams,
      body: z.object({ integration_team_id: integrationIdSchema }),
      answers: { 200: theTeam },
      handle: ({ key, params: { org_id }, body: { integration_team_id } }) => {
        const team = teams.withIntegrationId(org_id, integration_team_id);
        if (team === undefined || key.team_ids?.includes(team.team_id) === false) throw new Refusal(404, NO_TEAM);
        return { status: 200, body: teamForm(team) };
      },
    }),
    managedOperation(owners, {
      id: 'create_access_token',
      method: 'POST',
      path: `${TEAM}/create_api_access_token`,
      tag,
      summary: 'Creates a token that stands for a key of the team for some minutes, in `Authorization: Bearer`.',
      managed: 'teams',
      params: teamParams,
      body: z.object({ env: environmentNameSchema }),
      answers: {
        200: {
          description: 'The token.',
          schema: z.object({ access_token: z.string(), expires_in: z.int().describe('Seconds.') }).meta({ id: 'AccessToken' }),
        },
      },
      handle: ({ params: { team_id }, body: { env } }) => {
        if (env === 'production') throw new Refusal(404, NO_PRODUCTION);
        return { status: 200, body: { access_token: tokens.create(team_id), expires_in: TOKEN_SECONDS } };
      },
    }),
  ];
}

function environmentOf({ environment }: TeamRecord, given: z.output<typeof changedTeamSchema>['sandbox']) {
  if (given == null) return environment;
  return accepted(changedEnvironment(environment, given));
}

function accepted(environment: Environment | string): Environment {
  if (typeof environment === 'string') throw new Refusal(400, environment);
  return environment;
}

const organizationTag = 'organization';

const organizationSchema = z
  .object({ id: z.uuid(), name: z.string(), expires_at: z.null().describe('Organizations of this service do not expire.') })
  .meta({ id: 'Organization' });

/** The operations on the organization itself. */
export function organizationOperations(owners: Owners): Operation[] {
  const { organizations } = owners;
  const form = (id: string): z.input<typeof organizationSchema> => ({
    id,
    name: organizations.find(id)!.name,
    expires_at: null,
  });
  const answers = { 200: { description: 'The organization.', schema: organizationSchema } };
  return [
    managedOperation(owners, {
      id: 'get_organization',
      method: 'GET',
      path: '/v1/org/{org_id}',
      tag: organizationTag,
      summary: 'Returns the organization.',
      managed: 'organization',
      params: orgParams,
      answers,
      handle: ({ params: { org_id } }) => ({ status: 200, body: form(org_id) }),
    }),
    managedOperation(owners, {
      id: 'update_organization',
      method: 'PATCH',
      path: '/v1/org/{org_id}',
      tag: organizationTag,
      summary: 'Renames the organization.',
      managed: 'organization',
      params: orgParams,
      body: z.strictObject({ name: nameSchema }).meta({ id: 'ChangedOrganization' }),
      answers,
      handle: ({ params: { org_id }, body: { name } }) => {
        organizations.rename(org_id, name);
        return { status: 200, body: form(org_id) };
      },
    }),
  ];
}
