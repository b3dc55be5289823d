import { z } from 'zod';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import { notFound, success, UNKNOWN, type Users, userIdParams } from '../users/users.ts';
import { type Connections, connectionForm, connectionSchema } from './connections.ts';
import { demoProviders } from './providers.ts';

const WEEK_MS = 7 * 86_400_000;

/** The operations on connections, and the metrics of a team. `countOrders` returns the number of a team's orders. */
export function connectionOperations(users: Users, connections: Connections, countOrders: (team: string) => number): Operation[] {
  return [
    operation({
      id: 'list_connections',
      method: 'GET',
      path: '/v2/user/providers/{user_id}',
      tag: 'user',
      summary: 'Lists the connections of a user.',
      params: userIdParams,
      answers: {
        200: { description: 'The connections.', schema: z.object({ providers: z.array(connectionSchema) }) },
        404: notFound,
      },
      handle: ({ team, params: { user_id } }) =>
        users.find(team.team_id, user_id) === undefined
          ? UNKNOWN
          : { status: 200, body: { providers: connections.of(user_id).map(connectionForm) } },
    }),
    operation({
      id: 'deregister_provider',
      method: 'DELETE',
      path: '/v2/user/{user_id}/{provider}',
      tag: 'user',
      summary: 'Removes a connection.',
      params: userIdParams.extend({ provider: z.string() }),
      answers: { 200: success, 404: problem('There is no such user or connection.') },
      handle: ({ team, params: { user_id, provider } }) => {
        if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
        return connections.deregister(user_id, provider)
          ? { status: 200, body: { success: true } }
          : { status: 404, body: { detail: 'The user has no such connection' } };
      },
    }),
    operation({
      id: 'connect_demo_provider',
      method: 'POST',
      path: '/v2/link/connect/demo',
      tag: 'link',
      summary: 'Connects a provider with simulated data.',
      body: z.object({ user_id: uuidSchema, provider: z.enum(demoProviders) }),
      answers: {
        200: { description: 'Connected.', schema: z.object({ success: z.literal(true), detail: z.string() }) },
        400: problem('The user has connections to real devices.'),
        404: notFound,
      },
      handle: ({ team, body: { user_id, provider } }) => {
        const user = users.find(team.team_id, user_id);
        if (user === undefined) return UNKNOWN;
        const connection = connections.connect(user, { provider, isDemo: true });
        return connection === 'real and demo'
          ? { status: 400, body: { detail: 'A user with connections to real devices cannot have a demo connection' } }
          : { status: 200, body: { success: true, detail: `Connected user ${user_id} to provider ${provider}` } };
      },
    }),
    operation({
      id: 'get_metrics',
      method: 'GET',
      path: '/v2/user/metrics',
      tag: 'user',
      summary: 'Counts the users and connections of the team.',
      answers: { 200: { description: 'The counts.', schema: metricsSchema } },
      handle: ({ team: { team_id } }) => {
        const all = connections.ofTeam(team_id);
        return {
          status: 200,
          body: {
            team_id,
            number_of_users: users.count(team_id),
            number_of_connected_sources: all.length,
            number_of_errored_connected_sources: all.filter(({ error_type }) => error_type !== null).length,
            number_of_connected_sources_by_week: byWeek(all.map(({ created_on }) => created_on)),
            number_of_ordered_tests: countOrders(team_id),
          },
        };
      },
    }),
  ];
}

const metricsSchema = z
  .object({
    team_id: z.uuid(),
    number_of_users: z.int(),
    number_of_connected_sources: z.int(),
    number_of_errored_connected_sources: z.int(),
    number_of_connected_sources_by_week: z.array(z.object({ date: instantSchema, value: z.number(), all: z.number() })),
    number_of_ordered_tests: z.int(),
  })
  .meta({ id: 'Metrics' });

/** Counts times by week, beginning on Monday: those of the week, and all up to its end. */
export function byWeek(times: readonly number[]): { date: string; value: number; all: number }[] {
  // 1970-01-05 was a Monday.
  const weekOf = (time: number): number => Math.floor((time - 4 * 86_400_000) / WEEK_MS);
  let all = 0;
  return [...Map.groupBy(times, weekOf)]
    .sort(([a], [b]) => a - b)
    .map(([week, some]) => {
      all += some.length;
      return { date: instant(week * WEEK_MS + 4 * 86_400_000), value: some.length, all };
    });
}
