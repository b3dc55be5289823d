import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuseOthers, refusePages, refusePath, type Validation, validationOf } from '../api/errors.ts';
import { malformedAddress } from '../api/malformed.ts';
import { acceptAnyBody, bodyOf } from '../api/request-body.ts';

/**
 * An operation of the control port. It answers with JSON. Its input has the members of the request's JSON object, of its query
 * and of its path.
 */
export interface ControlOperation {
  readonly method: 'GET' | 'POST';
  /** With parameters in braces, such as `/webhooks/{endpoint_id}`. */
  readonly path: string;
  /** One or two sentences that the page of the control port shows. */
  readonly summary: string;
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
  readonly summary: string;
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
 * The server of the control port. It has no keys, so it listens on loopback only. Pages in a browser on this machine must not
 * reach it either. `allowedHosts` are names that requests may have in `Host` and `Origin`, besides those of this machine. Errors
 * have the form of the API's.
 */
export function createControl(operations: readonly ControlOperation[], allowedHosts?: readonly string[]): FastifyInstance {
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: false,
    frameworkErrors: refusePath,
  });
  acceptAnyBody(app);
  app.addHook('onRequest', async (_, reply) => void reply.header(MARK, '1'));
  refusePages(app, allowedHosts);
  for (const operation of operations) {
    const { method, path, handle } = operation;
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const parsed = inputOf(operation, request);
        if ('refused' in parsed) return reply.code(422).send(parsed.refused);
        return reply.send(await handle(parsed.input));
      },
    });
  }
  refuseOthers(app, operations);
  return app;
}

type Input = Record<string, unknown>;
type Parsed = { readonly input: Input } | { readonly refused: Validation };

/** Validates the input of a request. An operation without input ignores it. */
function inputOf({ method, body: schema }: ControlOperation, request: FastifyRequest): Parsed {
  if (schema === undefined) return { input: {} };
  const params = request.params as Input;
  const refused = malformedAddress('path', request) ?? (method === 'GET' ? malformedAddress('query', request) : undefined);
  if (refused !== undefined) return { refused };
  const own = method === 'GET' ? { input: request.query as Input } : objectOf(request);
  if ('refused' in own) return own;
  // Without the input, an issue does not tell a missing value from one of another type.
  const { success, data, error } = schema.safeParse({ ...own.input, ...params }, { reportInput: true });
  if (success) return { input: data };
  const rest = method === 'GET' ? 'query' : 'body';
  const { detail } = validationOf(rest, error);
  // Members of the path come from the path, whatever else the request has.
  return { refused: { detail: detail.map((one) => (Object.hasOwn(params, one.loc[1] ?? '') ? inPath(one) : one)) } };
}

const inPath = (problem: Validation['detail'][number]) => ({ ...problem, loc: ['path', ...problem.loc.slice(1)] });

const objectSchema = z.looseObject({});

/** Returns the JSON object of a body. A request without a body has no members. */
function objectOf(request: FastifyRequest): Parsed {
  const given = bodyOf(request);
  if ('refused' in given) return given;
  if (given.value === undefined) return { input: {} };
  const { success, data, error } = objectSchema.safeParse(given.value, { reportInput: true });
  return success ? { input: data } : { refused: validationOf('body', error) };
}
