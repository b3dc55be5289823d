import { z } from 'zod';
import { detailSchema, problem } from '../api/errors.ts';
import type { Answer, AnswerForm } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';

/* Answers and parameters that the operations on orders, their results and their appointments share. */

export const orderIdParams = z.object({ order_id: uuidSchema });
export const NO_ORDER: Answer = { status: 404, body: { detail: 'Order not found' } };
export const noOrder: AnswerForm = { description: 'The team has no such order.', schema: detailSchema, example: NO_ORDER.body };

/** An answer about something that the state of the order does not allow, or that a laboratory does not offer. */
export const refused: AnswerForm = problem('The order does not allow this.');
export const refuse = (detail: string): Answer => ({ status: 400, body: { detail } });

export const NO_TRANSACTION: Answer = { status: 404, body: { detail: 'Order transaction not found' } };
export const noTransaction: AnswerForm = {
  description: 'The team has no such transaction.',
  schema: detailSchema,
  example: NO_TRANSACTION.body,
};
