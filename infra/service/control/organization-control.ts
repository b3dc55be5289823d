import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { dateSchema, instant } from '../api/times.ts';
import { nameSchema } from '../management/team-forms.ts';
import type { Service } from '../service.ts';
import type { ManagementKey } from '../teams/management-keys.ts';
import { type Organization, plans } from '../teams/organizations.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

const idSchema = z.strictObject({ org_id: uuidSchema });
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
      handle: () => ({ organizations: organizations.list().map(formOf) }),
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
        return { ...formOf(made), management_key: newKey(made.org_id, null).management_key };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/organizations/{org_id}/plan',
      summary: 'Sets the plan of an organization.',
      body: idSchema.extend({ plan: z.enum(plans) }),
      handle: ({ org_id, plan }) => {
        known(org_id);
        organizations.setPlan(org_id, plan);
        return formOf(known(org_id));
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/organizations/{org_id}/keys',
      summary: 'Creates a further management key of an organization.',
      body: idSchema,
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

const formOf = ({ created_at, ...organization }: Organization) => ({ ...organization, created_at: instant(created_at) });

const keyForm = ({ key_id, org_id, team_ids, key }: ManagementKey & { readonly key: string }) => ({
  ...{ key_id, org_id, management_key: key },
  ...(team_ids === null ? {} : { team_ids }),
});
