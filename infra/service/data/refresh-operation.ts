import { z } from 'zod';
import { problem } from '../api/errors.ts';
import { type Answer, type Operation, operation } from '../api/operation.ts';
import { decimal } from '../api/parameters.ts';
import type { Connection, Connections } from '../connections/connections.ts';
import { providerOf } from '../connections/providers.ts';
import type { State } from '../state.ts';
import { notFound, UNKNOWN, type Users, userIdParams } from '../users/users.ts';
import type { LiveFeed } from './live-feed.ts';

const HOUR_MS = 3_600_000;
const MOST_PER_HOUR = 8;

const sources = z.array(z.string()).describe('Pairs such as oura/sleep.');

/** The operation that asks all providers of a user for new data. */
export function refreshOperation(
  { database, clock }: State,
  {
    users,
    connections,
    feed,
    isPulling,
  }: {
    readonly users: Users;
    readonly connections: Connections;
    readonly feed: LiveFeed;
    /** Whether a historical pull of this resource runs. */
    readonly isPulling: (connection: Connection, resource: string) => boolean;
  },
): Operation {
  return operation({
    id: 'refresh_user',
    method: 'POST',
    path: '/v2/user/refresh/{user_id}',
    tag: 'user',
    summary: 'Fetches new data of a user from all connected providers, at most 8 times an hour.',
    params: userIdParams,
    query: z.object({ timeout: decimal(z.number().min(5).max(60)).default(10).describe('Seconds.') }),
    answers: {
      200: { description: 'All providers were asked.', schema: refreshed },
      202: { description: 'Historical pulls still run.', schema: refreshed },
      400: {
        description: 'The user has no connection.',
        schema: z
          .object({ success: z.literal(false), user_id: z.uuid(), error: z.string(), failed_sources: sources })
          .meta({ id: 'RefreshError' }),
      },
      404: notFound,
      429: problem('The user was refreshed 8 times within an hour.'),
    },
    handle: ({ team, params: { user_id } }) => database.transaction(() => refresh(team.team_id, user_id)),
  });

  function refresh(team: string, user_id: string): Answer {
    const user = users.find(team, user_id);
    if (user === undefined) return UNKNOWN;
    const all = connections.of(user_id);
    if (all.length === 0) {
      const error = 'user has no connected sources';
      return { status: 400, body: { success: false, user_id, error, failed_sources: [] } };
    }
    const now = clock.now();
    database.run('delete from refreshes where user_id = ? and requested_at <= ?', user_id, now - HOUR_MS);
    const { n, oldest } = database.get<{ n: number; oldest: number }>(
      'select count(*) as n, min(requested_at) as oldest from refreshes where user_id = ?',
      user_id,
    )!;
    if (n >= MOST_PER_HOUR)
      return {
        status: 429,
        headers: { 'retry-after': String(Math.ceil((oldest + HOUR_MS - now) / 1000)) },
        body: { detail: 'A user can be refreshed 8 times an hour' },
      };
    database.run('insert into refreshes values (?, ?)', user_id, now);
    const worked = new Set(all.filter((connection) => feed.refresh(user, connection)));
    const named = (chosen: readonly Connection[], which: (connection: Connection, resource: string) => boolean): string[] =>
      chosen.flatMap((connection) =>
        providerOf(connection.provider)!
          .resources.filter((resource) => which(connection, resource))
          .map((resource) => `${connection.provider}/${resource}`),
      );
    const running = named([...worked], isPulling);
    return {
      status: running.length === 0 ? 200 : 202,
      body: {
        success: true,
        user_id,
        refreshed_sources: named([...worked], (connection, resource) => !isPulling(connection, resource)),
        in_progress_sources: running,
        failed_sources: named(
          all.filter((connection) => !worked.has(connection)),
          () => true,
        ),
      },
    };
  }
}

const refreshed = z
  .object({
    success: z.literal(true),
    user_id: z.uuid(),
    refreshed_sources: sources,
    in_progress_sources: sources,
    failed_sources: sources,
  })
  .meta({ id: 'Refreshed' });
