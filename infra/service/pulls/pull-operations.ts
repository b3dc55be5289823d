import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { type Operation, operation } from '../api/operation.ts';
import { decimal, uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import type { Connections } from '../connections/connections.ts';
import { labNames, oauthProviders, providerNames, providerOf } from '../connections/providers.ts';
import type { DataCount, DataCounts } from '../data/ingestion.ts';
import type { State } from '../state.ts';
import { success } from '../users/users.ts';
import type { HistoricalPulls } from './historical-pulls.ts';
import { orNull, pullForm, pullSchema } from './pull.ts';
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

/** The vendor's page size has no bound. A page has at most this many users, and a request may ask for more. */
const MOST_USERS = 500;

/** The number of the last user of a page. Pages follow users by age, so users who are added or deleted do not move it. */
const positionSchema = z.tuple([z.int()]);

/** The query of both introspection operations. `scope`: the operation's cursors. `providers`: accepted slugs. */
function pageQuery(cursors: Cursors, scope: string, providers: readonly string[]) {
  const cursor = cursors.schema(scope, positionSchema).optional();
  return z.object({
    user_id: uuidSchema.optional(),
    provider: z.enum(providers).optional(),
    user_limit: decimal(z.int().min(1)).default(50),
    next_cursor: cursor,
    cursor: cursor.meta({ deprecated: true }),
  });
}

type PageQuery = z.output<ReturnType<typeof pageQuery>>;

/** An answer with a page. `item`: the form of a user. */
function pageSchema(item: z.ZodType) {
  return z.object({
    data: z.array(item),
    next: z.string().nullable().meta({ deprecated: true }),
    next_cursor: z.string().nullable(),
  });
}

/**
 * Returns a page of the team's users, the oldest first, each in the form that `item` gives. With a provider, it lists only
 * users with a connection to it or data of it.
 */
function pageOf<Item>(
  { database, cursors }: State,
  { scope, team, query }: { readonly scope: string; readonly team: string; readonly query: PageQuery },
  item: (user: string) => Item,
) {
  const { user_id = null, provider = null, user_limit } = query;
  const [after] = query.next_cursor ?? query.cursor ?? [0];
  const limit = Math.min(user_limit, MOST_USERS);
  const found = database.all<{ readonly number: number; readonly user_id: string }>(
    `select number, user_id from users u where team_id = ?1 and deleted_at is null and number > ?2
       and (?3 is null or user_id = ?3)
       and (?4 is null or exists (select 1 from connections c where c.user_id = u.user_id and c.provider = ?4)
                       or exists (select 1 from data_counts d where d.user_id = u.user_id and d.provider = ?4))
     order by number limit ?5`,
    ...[team, after, user_id, provider, limit + 1],
  );
  const users = found.slice(0, limit);
  const next = found.length > limit ? cursors.of(scope, [users.at(-1)!.number]) : null;
  return { data: users.map((user) => item(user.user_id)), next, next_cursor: next };
}

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

/** How long a request waits for the pulls, in milliseconds of real time. */
const LONGEST_WAIT_MS = 20_000;

/** The operation that pulls the history of many users again. */
export function bulkOperations(pulls: HistoricalPulls, longestWait = LONGEST_WAIT_MS): Operation[] {
  return [
    operation({
      id: 'bulk_trigger_historical_pull',
      method: 'POST',
      path: '/v2/link/bulk_trigger_historical_pull',
      tag: 'link',
      summary: 'Pulls the history of users again. Users without a working connection to the provider are ignored.',
      body: z
        .object({
          user_ids: z.array(uuidSchema),
          provider: z.enum(oauthProviders),
          wait_for_completion: z.boolean().default(false),
        })
        .meta({ id: 'BulkTriggerHistoricalPull' }),
      answers: {
        200: { ...success, description: 'All pulls have ended. Only with `wait_for_completion`.' },
        202: { description: 'The pulls are planned.' },
      },
      handle: async ({ team, body: { user_ids, provider, wait_for_completion } }) => {
        const planned = pulls.trigger(team.team_id, user_ids, provider);
        if (!wait_for_completion || !(await pulls.whenEnded(planned, longestWait))) return { status: 202 };
        return { status: 200, body: { success: true } };
      },
    }),
  ];
}
