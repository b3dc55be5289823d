import Fastify, { type FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { validationOf } from '../api/errors.ts';

/** An operation of the control port. It takes a JSON object, and answers with JSON. */
export interface ControlOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: z.ZodType<Record<string, unknown>> | undefined;
  handle(body: Record<string, unknown>): unknown;
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
  const app = Fastify({ logger: false, forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin !== undefined) return reply.code(403).send({ message: 'The control port is not for browsers.' });
    return undefined;
  });
  for (const { method, path, body: schema, handle } of operations) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        if (schema === undefined) return reply.send(await handle({}));
        const parsed = schema.safeParse(request.body ?? {});
        return parsed.success ? reply.send(await handle(parsed.data)) : reply.code(422).send(validationOf('body', parsed.error));
      },
    });
  }
  return app;
}
