import Fastify, { type FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { validationOf } from '../api/errors.ts';

/**
 * An operation of the control port. It answers with JSON. Its input has the members of the request's JSON object, of its query
 * and of its path.
 */
export interface ControlOperation {
  readonly method: 'GET' | 'POST';
  /** With parameters in braces, such as `/webhooks/{endpoint_id}`. */
  readonly path: string;
  readonly body: z.ZodType<Record<string, unknown>> | undefined;
  handle(body: Record<string, unknown>): unknown;
}

/** Each answer has this header, so that a client can tell a control port from other servers. */
const MARK = 'aorta-control';

/** Scripted data may be the stream of a long workout, which has more than ten megabytes. */
const BODY_BYTES = 64 * 1024 * 1024;

/** Declares an operation with input. Its only purpose is that `handle` gets the type of the input. */
export function controlOperation<Input extends z.ZodType<Record<string, unknown>>>(declared: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: Input;
  handle(input: z.output<Input>): unknown;
}): ControlOperation {
  return declared as unknown as ControlOperation;
}

/** The request is well formed, but the state of the service does not allow it. */
export class ControlError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/**
 * The server of the control port. It has no keys, so it listens on loopback only. A browser on this machine must not reach it
 * either: it refuses requests with an `Origin`.
 */
export function createControl(operations: readonly ControlOperation[]): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: BODY_BYTES });
  app.addHook('onRequest', async (request, reply) => {
    reply.header(MARK, '1');
    if (request.headers.origin !== undefined) return reply.code(403).send({ message: 'The control port is not for browsers.' });
    return undefined;
  });
  for (const { method, path, body: schema, handle } of operations) {
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        if (schema === undefined) return reply.send(await handle({}));
        const { body, query, params } = request as { body: object | undefined; query: object; params: object };
        const parsed = schema.safeParse(method === 'GET' ? { ...query, ...params } : { ...body, ...params });
        if (!parsed.success) return reply.code(422).send(validationOf(method === 'GET' ? 'query' : 'body', parsed.error));
        return reply.send(await handle(parsed.data));
      },
    });
  }
  return app;
}
