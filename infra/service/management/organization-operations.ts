import { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import { managedOperation, type Owners, orgParams } from './managed-operation.ts';
import { nameSchema } from './team-forms.ts';

const tag = 'organization';

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
      ...{ id: 'get_organization', method: 'GET', path: '/v1/org/{org_id}', tag, summary: 'Returns the organization.' },
      managed: 'organization',
      params: orgParams,
      answers,
      handle: ({ params: { org_id } }) => ({ status: 200, body: form(org_id) }),
    }),
    managedOperation(owners, {
      ...{ id: 'update_organization', method: 'PATCH', path: '/v1/org/{org_id}', tag, summary: 'Renames the organization.' },
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
