import { z } from 'zod';
import { detailSchema } from '../api/errors.ts';
import { type Answer, type Operation, operation } from '../api/operation.ts';
import type { Team } from '../teams/teams.ts';
import { notFound, UNKNOWN, userIdParams } from '../users/user-answers.ts';
import type { Users } from '../users/users.ts';
import type { Json, Source } from './arrival.ts';
import { cursorOf, cursorSchema } from './cursor.ts';
import { type TimeseriesResource, timeseriesResources } from './forms/samples.ts';
import { sourceSchema } from './forms/source-form.ts';
import { workoutStreamSchema } from './forms/stream-form.ts';
import type { Ingestion } from './ingestion.ts';
import { endOf, rangeQuery } from './query.ts';
import type { Position, StoredSample } from './sample-store.ts';
import { sourceForm } from './source-generations.ts';

const tag = 'timeseries';
/** Most samples of a page. */
const PAGE = 5_000;

const cursor = cursorSchema<Position>(z.tuple([z.number(), z.string(), z.string(), z.string()])).optional();
const groupedQuery = rangeQuery.extend({
  next_cursor: cursor.describe('Cursor of the page before. Default: the first page.'),
  cursor: cursor.meta({ deprecated: true, description: 'The earlier name of next_cursor.' }),
});

/** The operations that return samples, and the streams of workouts. */
export function timeseriesOperations(users: Users, { samples, workoutStreams }: Ingestion, pageSize = PAGE): Operation[] {
  return [
    ...timeseriesResources.map(groupedOperation),
    operation({
      id: 'get_workout_stream',
      method: 'GET',
      path: '/v2/timeseries/workouts/{workout_id}/stream',
      tag,
      summary: 'Returns the stream of a workout.',
      params: z.object({ workout_id: z.uuid() }),
      answers: {
        200: { description: 'Parallel arrays, with one element for each point.', schema: workoutStreamSchema },
        404: { description: 'There is no stream of this workout.', schema: detailSchema },
      },
      handle: ({ team, params: { workout_id } }): Answer => {
        const stream = workoutStreams.find(team.team_id, workout_id);
        return stream === undefined
          ? { status: 404, body: { detail: 'Workout stream not found' } }
          : { status: 200, body: stream };
      },
    }),
  ];

  function groupedOperation({ name, apiName, form }: TimeseriesResource): Operation {
    const group = z.object({ source: sourceSchema, data: z.array(form) });
    return operation({
      id: `get_${apiName}_grouped`,
      method: 'GET',
      path: `/v2/timeseries/{user_id}/${apiName}/grouped`,
      tag,
      summary: `Returns the ${apiName} samples of a user, grouped by provider and source.`,
      params: userIdParams,
      query: groupedQuery,
      answers: {
        200: {
          description: 'A page of samples, in the order of their time.',
          schema: z.object({
            groups: z.record(z.string(), z.array(group)),
            next_cursor: z.string().nullable(),
            next: z.string().nullable().meta({ deprecated: true }),
          }),
        },
        404: notFound,
      },
      handle: ({ team, params: { user_id }, query }) => {
        if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
        const after = query.next_cursor ?? query.cursor;
        const { start_date: from, provider } = query;
        const asked = { user: user_id, resource: name, from, to: endOf(query.end_date), provider };
        const page = samples.page({ ...asked, after, limit: pageSize });
        const last = page.length < pageSize ? undefined : page.at(-1);
        const next = last === undefined ? null : cursorOf([last.sampled_at, last.provider, last.source_type, last.variant]);
        return { status: 200, body: { groups: groupsOf(page, team), next_cursor: next, next } };
      },
    });
  }
}

type Groups = Record<string, { source: Json; data: Json[] }[]>;

/** Groups samples by provider, and then by source. */
function groupsOf(page: readonly StoredSample[], { generation }: Team): Groups {
  const bySource = Map.groupBy(page, ({ source }) => source);
  const groups: Groups = {};
  for (const [text, some] of bySource) {
    const source = JSON.parse(text) as Source;
    groups[source.provider] ??= [];
    groups[source.provider]!.push({
      source: sourceForm(source, generation),
      data: some.map(({ body }) => JSON.parse(body) as Json),
    });
  }
  return groups;
}
