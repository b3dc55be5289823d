import { z } from 'zod';
import { type Operation, operation } from '../api/operation.ts';
import { instant, instantSchema } from '../api/times.ts';
import type { Connections } from '../connections/connections.ts';
import { providerOf } from '../connections/provider-catalogue.ts';
import { labNames, providerNames } from '../connections/provider-names.ts';
import type { DataCount, DataCounts } from '../data/data-counts.ts';
import type { State } from '../state.ts';
import { pageOf, pageQuery, pageSchema } from './introspection-page.ts';
import { orNull, pullForm, pullSchema } from './pull-forms.ts';
import type { PullStore } from './pull-store.ts';

const userPullsSchema = z
  .object({
    user_id: z.uuid(),
    provider: z.record(z.string(), z.object({ pulled: z.record(z.string(), pullSchema), not_pulled: z.array(z.string()) })),
  })
  .meta({ id: 'UserHistoricalPulls' });

const countSchema = z
  .object({
    last_attempt: z.object({ timestamp: instantSchema, status: z.enum(['success', 'failure']) }),
    oldest_data: instantSchema.nullable(),
    newest_data: instantSchema.nullable(),
    sent_count: z.int(),
  })
  .meta({ id: 'ResourceStatistics' });

const userResourcesSchema = z
  .object({ user_id: z.uuid(), provider: z.record(z.string(), z.record(z.string(), countSchema)) })
  .meta({ id: 'UserResources' });

/** The scopes of the cursors. */
const PULLS = 'historical pulls';
const RESOURCES = 'resources';

/** The operations that show the state of the historical pulls, and what the service has sent of each resource. */
export function introspectionOperations(
  state: State,
  { connections, counts, pulls }: { readonly connections: Connections; readonly counts: DataCounts; readonly pulls: PullStore },
): Operation[] {
  const tag = 'introspect';
  const providersOf = (user: string, only: string | undefined): string[] =>
    connections
      .of(user)
      .map(({ provider }) => provider)
      .filter((provider) => only === undefined || provider === only);
  return [
    operation({
      id: 'introspect_historical_pulls',
      method: 'GET',
      path: '/v2/introspect/historical_pull',
      tag,
      summary: 'Shows the last historical pull of each resource, by user.',
      query: pageQuery(state.cursors, PULLS, [...new Set([...providerNames, ...labNames])]),
      answers: { 200: { description: 'A page of users.', schema: pageSchema(userPullsSchema) } },
      handle: ({ team, query }) => {
        const ofProvider = (user: string, provider: string) => {
          const found = pulls.of(user, provider);
          const pulled = Object.fromEntries(found.map((pull) => [pull.resource, pullForm(pull)]));
          return { pulled, not_pulled: providerOf(provider)!.resources.filter((resource) => !Object.hasOwn(pulled, resource)) };
        };
        const body = pageOf(state, { scope: PULLS, team: team.team_id, query }, (user_id) => ({
          user_id,
          provider: Object.fromEntries(
            providersOf(user_id, query.provider).map((provider) => [provider, ofProvider(user_id, provider)]),
          ),
        }));
        return { status: 200, body };
      },
    }),
    operation({
      id: 'introspect_resources',
      method: 'GET',
      path: '/v2/introspect/resources',
      tag,
      summary: 'Shows how much data of each resource the service has sent, by user.',
      query: pageQuery(state.cursors, RESOURCES, providerNames),
      answers: { 200: { description: 'A page of users.', schema: pageSchema(userResourcesSchema) } },
      handle: ({ team, query }) => {
        const body = pageOf(state, { scope: RESOURCES, team: team.team_id, query }, (user_id) => {
          const provider: Record<string, Record<string, object>> = Object.fromEntries(
            providersOf(user_id, query.provider).map((slug) => [slug, {}]),
          );
          for (const count of counts.of(user_id, query.provider))
            provider[count.provider] = { ...provider[count.provider], [count.resource]: countForm(count) };
          return { user_id, provider };
        });
        return { status: 200, body };
      },
    }),
  ];
}

function countForm(count: DataCount): z.input<typeof countSchema> {
  const { sent_count, oldest_data, newest_data, last_attempt_at, last_attempt_status } = count;
  return {
    last_attempt: { timestamp: instant(last_attempt_at), status: last_attempt_status },
    oldest_data: orNull(oldest_data),
    newest_data: orNull(newest_data),
    sent_count,
  };
}
