import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { type Deprecation, type Operation, operation } from '../api/operation.ts';
import type { Team } from '../teams/teams.ts';
import { notFound, UNKNOWN, userIdParams } from '../users/user-answers.ts';
import type { Users } from '../users/users.ts';
import type { Json, Source } from './arrival.ts';
import { sourceSchema } from './forms/source-form.ts';
import { endOf, rangeQuery } from './query.ts';
import { type Position, positionOf, type StoredSample } from './sample-store.ts';
import { sourceForm } from './source-generations.ts';
import type { Timeseries } from './timeseries.ts';

const positionSchema: z.ZodType<Position> = z.tuple([z.number(), z.string(), z.string(), z.string()]);

/** Returns the operation that pages through the samples of a resource, grouped by provider and source. */
export function groupedTimeseries(
  users: Users,
  { name, apiName, form, page }: Timeseries,
  { cursors, pageSize, deprecated }: { readonly cursors: Cursors; readonly pageSize: number; readonly deprecated?: Deprecation },
): Operation {
  const scope = `${apiName} samples`;
  const cursor = cursors.schema(scope, positionSchema).optional();
  const group = z.object({ source: sourceSchema, data: z.array(form) });
  return operation({
    id: `get_${apiName}_grouped`,
    method: 'GET',
    path: `/v2/timeseries/{user_id}/${apiName}/grouped`,
    tag: 'timeseries',
    summary: `Returns the ${apiName} samples of a user, grouped by provider and source.`,
    params: userIdParams,
    query: rangeQuery.extend({
      next_cursor: cursor.describe('Cursor of the page before. Default: the first page.'),
      cursor: cursor.meta({ deprecated: true, description: 'The earlier name of next_cursor.' }),
    }),
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
    ...(deprecated === undefined ? {} : { deprecated }),
    handle: ({ team, params: { user_id }, query: { start_date: from, end_date, provider, next_cursor, cursor: earlier } }) => {
      if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
      const asked = { user: user_id, resource: name, from, to: endOf(end_date), provider };
      const found = page({ ...asked, after: next_cursor ?? earlier, limit: pageSize });
      const last = found.length < pageSize ? undefined : found.at(-1);
      const next = last === undefined ? null : cursors.of(scope, positionOf(last));
      return { status: 200, body: { groups: groupsOf(found, team), next_cursor: next, next } };
    },
  });
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
      data: some.map(({ body }) => body),
    });
  }
  return groups;
}
