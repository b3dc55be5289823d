import { z } from 'zod';
import type { AnswerForm } from './operation.ts';

/** Body of errors that are about one thing. */
export const detailSchema = z
  .object({ detail: z.string().meta({ examples: ['What is wrong, for people.'] }) })
  .meta({ id: 'Error' });

/** Returns the form of an answer that is about one thing. */
export const problem = (description: string): AnswerForm => ({ description, schema: detailSchema });

/** Body of answers to requests that do not have the documented form. */
export const validationSchema = z
  .object({
    detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() })),
  })
  .meta({
    id: 'ValidationError',
    examples: [{ detail: [{ loc: ['query', 'limit'], msg: 'not a number', type: 'invalid_type' }] }],
  });

export type Validation = z.infer<typeof validationSchema>;

/** Describes what is wrong with one part of a request. The values of the request are not repeated. */
export function validationOf(part: 'path' | 'query' | 'header' | 'body', error: z.ZodError): Validation {
  return {
    detail: error.issues.map((issue) => ({
      // A client that writes a header badly may put its value into the name.
      loc: [part, ...(issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path).map(stepOf)],
      msg: issue.message,
      type: issue.code === 'invalid_type' && issue.input === undefined ? 'missing' : issue.code,
    })),
  };
}

const stepOf = (step: PropertyKey): string | number => (typeof step === 'symbol' ? String(step) : step);
