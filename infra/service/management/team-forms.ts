import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import { changedEnvironmentSchema, environmentSchema } from '../teams/environment.ts';
import { regions, type TeamRecord } from '../teams/teams.ts';
import { environmentNameSchema } from './managed-operation.ts';

const NAME = /^[A-Za-zÀ-ÖØ-öø-ÿ0-9(),/:'|&_\- ’]{0,80}$/;
export const nameSchema = z.string().regex(NAME, 'at most 80 letters, digits and signs of a name');
export const searchSchema = nameSchema.nullish();

const LONGEST_INTEGRATION_ID = 256;
export const integrationIdSchema = z.string().max(LONGEST_INTEGRATION_ID);

export const newTeamSchema = z
  .strictObject({
    ...environmentSchema.shape,
    id: uuidSchema.nullish(),
    name: nameSchema,
    region: z.enum(regions),
    integration_team_id: integrationIdSchema.nullish(),
  })
  .meta({ id: 'NewTeam' });

export const changedTeamSchema = z
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

export const teamSchema = listedTeamSchema
  .extend({
    environments: z.array(environmentNameSchema),
    sandbox: environmentSchema.meta({ id: 'TeamEnvironment' }).nullable(),
    production: z.null().describe('This service has the sandbox environment only.'),
  })
  .meta({ id: 'Team' });

export const teamsSchema = z.object({ teams: z.array(listedTeamSchema), next_cursor: z.string().nullable() });

export function listedTeamForm({ team_id, name, created_at, region, integration_team_id }: TeamRecord) {
  return { id: team_id, name, created_on: instant(created_at), region, integration_team_id };
}

/** Returns a team, with its settings if they are asked for. */
export function teamForm(team: TeamRecord, withEnvironment = true): z.input<typeof teamSchema> {
  return {
    ...listedTeamForm(team),
    environments: ['sandbox'],
    sandbox: withEnvironment ? team.environment : null,
    production: null,
  };
}
