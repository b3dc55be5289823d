import { z } from 'zod';
import { type AnswerForm, type Operation, operation } from '../api/operation.ts';
import { endOf, providerQuery, rangeQuery } from '../api/parameters.ts';
import { notFound, UNKNOWN, type Users, userIdParams } from '../users/users.ts';
import { listName, type SummaryResource, summaryForms, summaryResources } from './forms/summary-forms.ts';
import type { Ingestion } from './ingestion.ts';
import { summaryForm } from './summary-store.ts';

const tag = 'summary';

/** The operations that return summaries: one for each resource. */
export function summaryOperations(users: Users, { summaries }: Ingestion): Operation[] {
  const listed = summaryResources.filter((resource) => resource !== 'profile');
  return [...listed.map(listOperation), profileOperation()];

  function listOperation(resource: SummaryResource): Operation {
    const list = listName(resource);
    const answer: AnswerForm = {
      description: 'The summaries, in the order of their dates.',
      schema: z.object({ [list]: z.array(summaryForms[resource]) }),
    };
    return operation({
      id: `get_${resource}_summaries`,
      method: 'GET',
      path: `/v2/summary/${resource}/{user_id}`,
      tag,
      summary: `Returns the ${resource} summaries of a user in a range of dates.`,
      params: userIdParams,
      query: rangeQuery,
      answers: { 200: answer, 404: notFound },
      handle: ({ team, params: { user_id }, query: { start_date, end_date, provider } }) => {
        if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
        const found = summaries.range({ user: user_id, resource, from: start_date, to: endOf(end_date), provider });
        return { status: 200, body: { [list]: found.map((one) => summaryForm(one, team.generation)) } };
      },
    });
  }

  function profileOperation(): Operation {
    return operation({
      id: 'get_profile',
      method: 'GET',
      path: '/v2/summary/profile/{user_id}',
      tag,
      summary: 'Returns the profile of a user, as the provider knows it.',
      params: userIdParams,
      query: providerQuery,
      answers: { 200: { description: 'The newest profile.', schema: summaryForms.profile }, 404: notFound },
      handle: ({ team, params: { user_id }, query: { provider } }) => {
        if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
        const found = summaries
          .range({ user: user_id, resource: 'profile', from: 0, to: endOf(undefined), provider })
          .sort((a, b) => b.updated_at - a.updated_at)[0];
        return found === undefined
          ? { status: 404, body: { detail: 'The user has no profile' } }
          : { status: 200, body: summaryForm(found, team.generation) };
      },
    });
  }
}
