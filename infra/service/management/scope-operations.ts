import { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import { oauthProviders } from '../connections/providers.ts';
import type { ScopeRequirements } from '../teams/scope-requirements.ts';
import { scopes } from '../teams/scopes.ts';
import { managedOperation, type Owners, teamParams } from './managed-operation.ts';

const tag = 'scope requirement';
const REQUIREMENTS = '/v1/org/{org_id}/team/{team_id}/scope_requirements';

/** A list without repeated values, in the order of the request. */
const setOf = (names: readonly string[]) => z.array(z.enum(names)).transform((given) => [...new Set(given)]);

const givenSchema = (names: readonly string[]) =>
  z.object({ user_must_grant: setOf(names), user_may_grant: setOf(names) }).nullish();

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
      ...{ id: 'list_scope_requirements', method: 'GET', path: REQUIREMENTS, tag },
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
      ...{ id: 'set_scope_requirements', method: 'POST', path: REQUIREMENTS, tag },
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
