import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { dateSchema, instant } from '../api/times.ts';
import { nameSchema } from '../management/team-operations.ts';
import type { Service } from '../service.ts';
import type { ManagementKey } from '../teams/management-keys.ts';
import { type Organization, plans } from '../teams/organizations.ts';
import { generations, regions } from '../teams/teams.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

/** Smallest limit of a payload, in bytes. The largest sample still fits. */
const LEAST_PAYLOAD = 4_096;
/** Largest limit of a payload, in bytes: the control port accepts no larger data. */
const MOST_PAYLOAD = 64 * 1024 * 1024;

/** The operations on teams. */
export function teamControl({ teams, organizations, operations }: Service): ControlOperation[] {
  const betas = operations.filter(({ isClosedBeta }) => isClosedBeta === true).map(({ id }) => id);
  const mustExist = (team: string): void => {
    if (teams.find(team) === undefined) throw new ControlError(404, 'There is no such team.');
  };
  return [
    {
      method: 'GET',
      path: '/teams',
      summary: 'Lists the teams, the oldest first.',
      body: undefined,
      handle: () => ({ teams: teams.list() }),
    },
    controlOperation({
      method: 'POST',
      path: '/teams',
      summary: 'Creates a team with a key.',
      body: z.strictObject({
        name: z.string().min(1),
        org_id: uuidSchema.optional().describe('Organization of the team. Default: the one that is named `default`.'),
        region: z.enum(regions).optional().describe('Default: `us`.'),
        as_of: dateSchema
          .optional()
          .describe('Date of the interface that it sees, such as `2025-05-08`. Default: that of its organization.'),
        generation: z
          .enum(generations)
          .optional()
          .describe(
            'Form of the source object. `old` has the name, slug and logo of the provider, `current` has the provider, type, app and device. Default: `both`.',
          ),
        payload_limit: z
          .int()
          .min(LEAST_PAYLOAD)
          .max(MOST_PAYLOAD)
          .optional()
          .describe('Largest body of an event, in bytes. Larger batches of samples are split. Default: 262144.'),
        partial_webhooks_enabled: z
          .boolean()
          .optional()
          .describe('Whether the team gets events about partial results of orders. Default: `false`.'),
      }),
      handle: ({ name, ...settings }) => {
        if (settings.org_id !== undefined && organizations.find(settings.org_id) === undefined)
          throw new ControlError(404, 'There is no such organization.');
        return teams.create(name, settings);
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/teams/{team_id}/keys',
      summary: 'Creates a further key of a team. The other keys stay valid.',
      body: z.strictObject({ team_id: uuidSchema }),
      handle: ({ team_id }) => {
        mustExist(team_id);
        return { team_id, api_key: teams.addKey(team_id) };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/teams/{team_id}/betas',
      summary: 'Lets a team call an operation in closed beta, which refuses other teams with 403.',
      body: z.strictObject({
        team_id: uuidSchema,
        operation: z.enum(betas, `not an operation in closed beta: ${betas.join(', ')}`),
        enabled: z.boolean().default(true).describe('`false` refuses the team again.'),
      }),
      handle: ({ team_id, operation, enabled }) => {
        mustExist(team_id);
        teams.betas.set(team_id, operation, enabled);
        return { team_id, betas: teams.betas.of(team_id) };
      },
    }),
  ];
}

const orgIdSchema = z.strictObject({ org_id: uuidSchema });
const LABEL = 'created through the control port';

/** The operations on organizations, which the hosted service has on its dashboard. */
export function organizationControl({ organizations, teams, managementKeys }: Service): ControlOperation[] {
  const known = (id: string): Organization => {
    const found = organizations.find(id);
    if (found === undefined) throw new ControlError(404, 'There is no such organization.');
    return found;
  };
  const newKey = (org_id: string, team_ids: readonly string[] | null) =>
    keyForm(managementKeys.create({ org_id, label: LABEL, creator: 'vital_staff', team_ids }));
  return [
    {
      method: 'GET',
      path: '/organizations',
      summary: 'Lists the organizations, the oldest first.',
      body: undefined,
      handle: () => ({ organizations: organizations.list().map(organizationForm) }),
    },
    controlOperation({
      method: 'POST',
      path: '/organizations',
      summary: 'Creates an organization with a management key.',
      body: z.strictObject({
        name: nameSchema.min(1),
        plan: z.enum(plans).optional().describe('Only `scale` has the management API and pipelines. Default: `scale`.'),
        as_of: dateSchema
          .optional()
          .describe('Date of the interface that it sees, such as `2025-05-08`. Default: the date of the clock.'),
      }),
      handle: ({ name, plan, as_of }) => {
        const made = organizations.create(name, plan, as_of);
        return { ...organizationForm(made), management_key: newKey(made.org_id, null).management_key };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/organizations/{org_id}/plan',
      summary: 'Sets the plan of an organization.',
      body: orgIdSchema.extend({ plan: z.enum(plans) }),
      handle: ({ org_id, plan }) => {
        known(org_id);
        organizations.setPlan(org_id, plan);
        return organizationForm(known(org_id));
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/organizations/{org_id}/keys',
      summary: 'Creates a further management key of an organization.',
      body: orgIdSchema,
      handle: ({ org_id }) => newKey(known(org_id).org_id, null),
    }),
    controlOperation({
      method: 'POST',
      path: '/teams/{team_id}/management_keys',
      summary: 'Creates a management key that controls only this team.',
      body: z.strictObject({ team_id: uuidSchema }),
      handle: ({ team_id }) => {
        const team = teams.find(team_id);
        if (team === undefined) throw new ControlError(404, 'There is no such team.');
        return newKey(team.org_id, [team_id]);
      },
    }),
  ];
}

const organizationForm = ({ created_at, ...organization }: Organization) => ({
  ...organization,
  created_at: instant(created_at),
});

const keyForm = ({ key_id, org_id, team_ids, key }: ManagementKey & { readonly key: string }) => ({
  key_id,
  org_id,
  management_key: key,
  team_ids: team_ids ?? undefined,
});
