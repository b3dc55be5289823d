import { z } from 'zod';
import { requisitionUrl } from '../api/deprecation.ts';
import { detailSchema, problem } from '../api/errors.ts';
import { type Answer, type AnswerForm, type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { type OrderForm, orderSchema } from '../orders/order-forms.ts';
import type { OrderRow } from '../orders/orders.ts';
import type { State } from '../state.ts';
import { type ReviewRow, reviewForm, reviewSchema } from './review-forms.ts';
import { reviewsPage, reviewsQuery } from './review-list.ts';
import type { MatchReviews } from './reviews.ts';

const params = z.object({ raw_result_id: uuidSchema });
const NO_RESULT: Answer = { status: 404, body: { detail: 'Unmatched result not found' } };
const noResult: AnswerForm = { description: 'The team has no such result.', schema: detailSchema, example: NO_RESULT.body };
const theResult: AnswerForm = { description: 'The result.', schema: reviewSchema };
const closed: AnswerForm = problem('The result does not wait for the team.');
const noteSchema = z.string().nullish();

/** The operations on results that the service cannot match to an order with certainty. */
export function reviewOperations(
  state: State,
  { reviews, orderForm }: { readonly reviews: MatchReviews; readonly orderForm: (order: OrderRow) => OrderForm },
): Operation[] {
  const tag = 'unmatched_result';
  const form = (review: ReviewRow) => reviewForm(review, reviews.candidatesOf(review), reviews.labTestOf(review));
  return [
    operation({
      id: 'list_unmatched_results',
      method: 'GET',
      path: '/v3/unmatched_result',
      tag,
      summary: 'Lists the unmatched results of the team, the newest first.',
      query: reviewsQuery(state.cursors),
      answers: {
        200: {
          description: 'A page of results.',
          schema: z.object({ data: z.array(reviewSchema), next_cursor: z.string().nullable(), total: z.int() }),
        },
      },
      handle: ({ team, query }) => {
        const { reviews: found, total, next } = reviewsPage(state, team.team_id, query);
        return { status: 200, body: { data: found.map(form), next_cursor: next, total } };
      },
    }),
    operation({
      id: 'get_unmatched_result',
      method: 'GET',
      path: '/v3/unmatched_result/{raw_result_id}',
      tag,
      summary: 'Returns an unmatched result.',
      params,
      answers: { 200: theResult, 404: noResult },
      handle: ({ team, params: { raw_result_id } }) => {
        const review = reviews.find(team.team_id, raw_result_id);
        return review === undefined ? NO_RESULT : { status: 200, body: form(review) };
      },
    }),
    operation({
      id: 'accept_unmatched_result',
      method: 'POST',
      path: '/v3/unmatched_result/{raw_result_id}/accept',
      tag,
      summary: 'Gives an unmatched result to an order or to a user.',
      params,
      body: z
        .object({
          user_id: uuidSchema
            .nullish()
            .describe('Without `order_id`: the result goes to the candidate order of this user, or else to a new order.'),
          order_id: uuidSchema
            .nullish()
            .describe(
              'A candidate, or an order of the same laboratory that may get results. A candidate that may not is ordered again.',
            ),
          note: noteSchema,
        })
        .meta({ id: 'AcceptedResult' }),
      answers: {
        200: { description: 'The order with the results.', schema: orderSchema },
        400: problem('The order does not allow this.'),
        404: problem('The team has no such result, order or user.'),
        409: closed,
      },
      deprecatedParts: [requisitionUrl],
      handle: ({ team, params: { raw_result_id }, body }) => {
        const review = reviews.find(team.team_id, raw_result_id);
        if (review === undefined) return NO_RESULT;
        const order = reviews.accept(review, body);
        return 'refused' in order ? order.refused : { status: 200, body: orderForm(order) };
      },
    }),
    operation({
      id: 'resolve_unmatched_result',
      method: 'POST',
      path: '/v3/unmatched_result/{raw_result_id}/resolve',
      tag,
      summary: "Rejects an unmatched result, or leaves it to the service's staff.",
      params,
      body: z
        .object({
          action: z.enum(['reject', 'unsure']).describe("`unsure`: the service's staff reviews the result within two days."),
          note: noteSchema,
        })
        .meta({ id: 'ResolvedResult' }),
      answers: { 200: theResult, 404: noResult, 409: closed },
      handle: ({ team, params: { raw_result_id }, body: { action, note } }) => {
        const review = reviews.find(team.team_id, raw_result_id);
        if (review === undefined) return NO_RESULT;
        const refusal = reviews.resolve(review, action, note);
        return refusal?.refused ?? { status: 200, body: form(reviews.find(team.team_id, raw_result_id)!) };
      },
    }),
  ];
}
