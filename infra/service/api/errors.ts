import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { refusalOf } from '@aorta/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hasCome } from '../versions/versions.ts';
import { type AnswerForm, type Operation, type SentAnswer, sentAnswer } from './operation.ts';

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

/** Refuses a request whose value the current state does not allow. The answer is that of a malformed value. */
export class InvalidInput extends Error {
  readonly validation: Validation;

  constructor(loc: readonly string[], msg: string) {
    super(msg);
    this.validation = { detail: [{ loc: [...loc], msg, type: 'value_error' }] };
  }
}

const stepOf = (step: PropertyKey): string | number => (typeof step === 'symbol' ? String(step) : step);

/** Maximum milliseconds for which the answer to an oversized body waits for the rest of the body. */
const REST_MS = 1_000;

/** Body of the 404 answer to a request that matches no operation. */
export const NOT_FOUND = { detail: 'Not Found' };

/** Answers requests that a page in a browser may have sent from another site. Needed before all hooks that note requests. */
export function refusePages(app: FastifyInstance, allowedHosts: readonly string[] | undefined): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const detail = refusalOf(raw, allowedHosts);
    return detail === undefined ? undefined : reply.code(403).header('connection', 'close').send({ detail });
  });
}

/** Answers requests that no operation takes, and requests that fail. No answer repeats the path, which may hold an id. */
export function refuseOthers(app: FastifyInstance, operations: readonly Pick<Operation, 'method' | 'path'>[]): void {
  const paths = operations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  // A hook answers before the body is read, which may be of any form.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined;
    const path = request.url.split('?', 1)[0]!;
    const methods = paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) return reply.code(404).send(NOT_FOUND);
    return reply.code(405).header('allow', methods.join(', ')).send({ detail: 'Method Not Allowed' });
  });
  app.setErrorHandler(async (error: Error & { readonly statusCode?: number }, request, reply) => {
    if (error instanceof InvalidInput) return reply.code(422).send(error.validation);
    const status = error.statusCode ?? 500;
    if (status === 413) await dropRest(request.raw);
    if (status >= 500) return reply.code(500).send({ detail: 'Internal Server Error' });
    return reply.code(status).send({ detail: error.message });
  });
}

/** Drops what follows of a body. The answer closes the connection, and a client that still sends would not read the answer. */
async function dropRest(request: IncomingMessage): Promise<void> {
  await finished(request.resume(), { signal: AbortSignal.timeout(REST_MS) }).catch(() => {});
}

/** Returns the body of the answer to an address that cannot be decoded. */
export const notDecoded = (part: 'path' | 'query'): Validation => ({
  detail: [{ loc: [part], msg: 'URL decode error', type: 'url_invalid' }],
});

/** Answers a request whose path cannot be decoded. */
export function refusePath(_error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  void reply.code(422).send(notDecoded('path'));
}

const CLOSED_BETA = 'This endpoint is in closed beta, and your team is not enabled for it';

/** Returns the answer to a team that is not enabled for an operation in closed beta, at a date of the interface (ms since 1970). */
export const closedBetaAnswer = (at: number): SentAnswer =>
  sentAnswer(403, hasCome('closed betas in JSON', at) ? { detail: CLOSED_BETA } : CLOSED_BETA);
