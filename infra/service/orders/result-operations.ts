import { z } from 'zod';
import { resultValue } from '../api/deprecation.ts';
import { problem } from '../api/errors.ts';
import { type Answer, type AnswerForm, type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import type { LabTest } from '../labs/catalogue.ts';
import { interpretationOf } from '../labs/result.ts';
import { metadataForm, metadataSchema, orderResultForm, orderResultSchema } from '../labs/result-forms.ts';
import { reportFactsOf, reportOf, requisitionOf } from './order-documents.ts';
import { NO_ORDER, NO_TRANSACTION, type OrderForm, orderIdParams, transactionSchema } from './order-forms.ts';
import type { OrderResults, StoredResults } from './order-results.ts';
import type { OrderRow, Orders } from './orders.ts';

const resultSchema = orderResultSchema.extend({ order_transaction: transactionSchema });
const pdf: AnswerForm = { description: 'The PDF.', type: 'application/pdf', schema: z.instanceof(Buffer) };
const noResults: AnswerForm = problem('There is no such order, or it has no results yet.');
const NO_RESULTS: Answer = { status: 404, body: { detail: 'The order has no results yet' } };
const NO_REQUISITION: Answer = { status: 404, body: { detail: 'The order has no requisition form' } };

interface Parts {
  readonly orders: Orders;
  readonly results: OrderResults;
  readonly labTestOf: (order: OrderRow) => LabTest;
  readonly transactionOf: (order: OrderRow) => OrderForm['order_transaction'];
}

type Show = (order: OrderRow, stored: StoredResults) => Answer | Promise<Answer>;

/** The operations on the results of orders, and on their papers. */
export function resultOperations({ orders, results, labTestOf, transactionOf }: Parts): Operation[] {
  /** Answers with the results of an order. */
  const answer = (order: OrderRow | undefined, missing: Answer, show: Show): Answer | Promise<Answer> => {
    if (order === undefined) return missing;
    const stored = results.of(order.order_id);
    return stored === undefined ? NO_RESULTS : show(order, stored);
  };
  const whole: Show = (order, stored) => ({
    status: 200,
    body: {
      ...orderResultForm(reportFactsOf(order, labTestOf(order), stored), stored),
      order_transaction: transactionOf(order),
    },
  });
  const metadata: Show = (order, stored) => ({
    status: 200,
    body: metadataForm(reportFactsOf(order, labTestOf(order), stored), interpretationOf(stored.results)),
  });
  const report: Show = async (order, stored) => ({ status: 200, body: await reportOf(order, labTestOf(order), stored) });
  const shown = [
    {
      part: 'result',
      what: 'results',
      form: { description: 'The results.', schema: resultSchema },
      show: whole,
      deprecatedParts: [resultValue],
    },
    { part: 'result/pdf', what: "laboratory's report", form: pdf, show: report, deprecatedParts: [] },
  ];
  const ofOrder = [
    ...shown,
    {
      part: 'result/metadata',
      what: 'facts about the results, without the results,',
      form: { description: 'The facts.', schema: metadataSchema },
      show: metadata,
      deprecatedParts: [],
    },
  ];
  return [
    ...ofOrder.map(({ part, what, form, show, deprecatedParts }) =>
      operation({
        id: `get_order_${part.replace('/', '_')}`,
        method: 'GET',
        path: `/v3/order/{order_id}/${part}`,
        tag: 'order',
        summary: `Returns the ${what} of an order.`,
        params: orderIdParams,
        answers: { 200: form, 404: noResults },
        deprecatedParts,
        handle: ({ team, params: { order_id } }) => answer(orders.find(team.team_id, order_id), NO_ORDER, show),
      }),
    ),
    ...shown.map(({ part, what, form, show, deprecatedParts }) =>
      operation({
        id: `get_order_transaction_${part.replace('/', '_')}`,
        method: 'GET',
        path: `/v3/order_transaction/{transaction_id}/${part}`,
        tag: 'order',
        summary: `Returns the ${what} of a transaction.`,
        params: z.object({ transaction_id: uuidSchema }),
        answers: { 200: form, 404: noResults },
        deprecatedParts,
        handle: ({ team, params: { transaction_id } }) =>
          answer(orders.ofTransaction(team.team_id, transaction_id), NO_TRANSACTION, show),
      }),
    ),
    operation({
      id: 'get_requisition_pdf',
      method: 'GET',
      path: '/v3/order/{order_id}/requisition/pdf',
      tag: 'order',
      summary: 'Returns the requisition form of an order.',
      params: orderIdParams,
      answers: {
        200: pdf,
        404: problem('There is no such order, or it has no requisition form yet.'),
      },
      handle: async ({ team, params: { order_id } }) => {
        const order = orders.find(team.team_id, order_id);
        if (order === undefined) return NO_ORDER;
        return order.has_requisition === 0 ? NO_REQUISITION : { status: 200, body: await requisitionOf(order, labTestOf(order)) };
      },
    }),
  ];
}
