import { z } from 'zod';
import { type Operation, operation } from '../api/operation.ts';
import { instant, instantSchema } from '../api/times.ts';
import type { Connections } from '../connections/connections.ts';
import { providerOf } from '../connections/provider-catalogue.ts';
import { labNames, providerNames } from '../connections/provider-names.ts';
import type { Database } from '../storage/database.ts';
import { pageOf, pageQuery, pageSchema } from './introspection-page.ts';
import { orNull, pullForm, pullSchema } from './pull-forms.ts';
import type { PullStore } from './pull-store.ts';

const userPullsSchema = z
  .object({
    user_id: z.uuid(),
    provider: z.record(z.string(), z.object({ pulled: z.record(z.string(), pullSchema), not_pulled: z.array(z.string()) })),
  })
  .meta({ id: 'UserHistoricalPulls' });

const countsSchema = z
  .object({
    last_attempt: z.object({ timestamp: instantSchema, status: z.enum(['success', 'failure']) }),
    oldest_data: instantSchema.nullable(),
    newest_data: instantSchema.nullable(),
    sent_count: z.int(),
  })
  .meta({ id: 'ResourceStatistics' });

const userResourcesSchema = z
  .object({ user_id: z.uuid(), provider: z.record(z.string(), z.record(z.string(), countsSchema)) })
  .meta({ id: 'UserResources' });

interface Counts {
  readonly provider: string;
  readonly resource: string;
  readonly sent_count: number;
  readonly oldest_data: number | null;
  readonly newest_data: number | null;
  readonly last_attempt_at: number;
  readonly last_attempt_status: 'success' | 'failure';
}

/** The operations that show the state of the historical pulls, and what the service has sent of each resource. */
export function introspectionOperations(database: Database, connections: Connections, pulls: PullStore): Operation[] {
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
      query: pageQuery([...new Set([...providerNames, ...labNames])]),
      answers: { 200: { description: 'A page of users.', schema: pageSchema(userPullsSchema) } },
      handle: ({ team, query }) => {
        const ofProvider = (user: string, provider: string) => {
          const found = pulls.of(user, provider);
          const pulled = Object.fromEntries(found.map((pull) => [pull.resource, pullForm(pull)]));
          return { pulled, not_pulled: providerOf(provider)!.resources.filter((resource) => !Object.hasOwn(pulled, resource)) };
        };
        const body = pageOf(database, team.team_id, query, (user_id) => ({
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
      query: pageQuery(providerNames),
      answers: { 200: { description: 'A page of users.', schema: pageSchema(userResourcesSchema) } },
      handle: ({ team, query }) => {
        const body = pageOf(database, team.team_id, query, (user_id) => {
          const provider: Record<string, Record<string, object>> = Object.fromEntries(
            providersOf(user_id, query.provider).map((slug) => [slug, {}]),
          );
          for (const counts of countsOf(database, user_id, query.provider))
            provider[counts.provider] = { ...provider[counts.provider], [counts.resource]: countsForm(counts) };
          return { user_id, provider };
        });
        return { status: 200, body };
      },
    }),
  ];
}

function countsOf(database: Database, user: string, provider: string | undefined): Counts[] {
  return database.all(
    `select provider, resource, sent_count, oldest_data, newest_data, last_attempt_at, last_attempt_status
     from data_counts where user_id = ?1 and (?2 is null or provider = ?2) order by provider, resource`,
    user,
    provider ?? null,
  );
}

function countsForm(counts: Counts): z.input<typeof countsSchema> {
  const { sent_count, oldest_data, newest_data, last_attempt_at, last_attempt_status } = counts;
  return {
    last_attempt: { timestamp: instant(last_attempt_at), status: last_attempt_status },
    oldest_data: orNull(oldest_data),
    newest_data: orNull(newest_data),
    sent_count,
  };
}
