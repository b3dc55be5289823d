import { z } from 'zod';
import { detailSchema } from '../api/errors.ts';
import type { Answer, AnswerForm } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';

/** Forms and answers that the operations about one user share. */

export const userIdParams = z.object({ user_id: uuidSchema });

export const success: AnswerForm = { description: 'Done.', schema: z.object({ success: z.literal(true) }) };
export const UNKNOWN: Answer = { status: 404, body: { detail: 'User not found' } };
export const notFound: AnswerForm = { description: 'The team has no such user.', schema: detailSchema, example: UNKNOWN.body };
