import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Clock } from '../time/clock.ts';
import { hasCome, withoutLater } from '../versions/versions.ts';
import type { Authentication } from './authentication.ts';
import { deprecationHeaders } from './deprecation.ts';
import { closedBetaAnswer, NOT_FOUND, refuseOthers, refusePath, type Validation, validationOf } from './errors.ts';
import { malformedAddress } from './malformed.ts';
import type { Answer, Operation } from './operation.ts';
import { acceptAnyBody, bodyOf, formOf, type Given, MULTIPART_BYTES } from './request-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the operation of a route. */
    operation?: string;
    /** Whether the operation needs a management key, in place of the key of a team. */
    isManaged?: boolean;
  }
}

/** More characters than Node reads of a request line, so that every parameter of a path reaches its operation. */
const LONGEST_PARAMETER = 1 << 16;

export interface ServedApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an API. `port` 0 lets the system pick one. */
export async function serveApi(
  app: FastifyInstance,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<ServedApi> {
  await app.listen({ host, port });
  const { port: found } = app.server.address() as AddressInfo;
  return { url: `http://${host}:${found}`, close: () => app.close() };
}

/** Creates the API with the operations, which all need a key. `prepare` adds hooks that come before all others. */
export function createApi(
  operations: readonly Operation[],
  authentication: Authentication,
  prepare: (app: FastifyInstance) => void = () => {},
): FastifyInstance {
  const app = Fastify({
    logger: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: refusePath,
  });
  acceptAnyBody(app);
  prepare(app);
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation: operation.id, isManaged: operation.managed !== undefined },
      bodyLimit: operation.multipart === undefined ? undefined : MULTIPART_BYTES,
      handler: (request, reply) => answer(operation, authentication, request, reply),
    });
  }
  refuseOthers(app, operations);
  return app;
}

async function answer(
  operation: Operation,
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sender = authentication.senderOf(request);
  const date = authentication.dateOf(sender);
  if (operation.since !== undefined && !hasCome(operation.since, date)) return reply.code(404).send(NOT_FOUND);
  if ('refused' in sender) return reply.code(401).send(sender.refused);
  if (operation.isClosedBeta === true && !authentication.isInBeta(sender, operation.id)) {
    const { status, headers, body } = closedBetaAnswer(date);
    return reply.code(status).headers(headers).send(body);
  }
  const body = operation.multipart === undefined ? bodyOf(request) : await fieldsOf(request, operation);
  const keyHeader = 'key' in sender ? sender.keyHeader : undefined;
  const value = 'value' in body ? body.value : undefined;
  reply.headers(deprecationHeaders(operation, { params: request.params as object, body: value, keyHeader, date }));
  const parsed = parse(operation, request, { body, date });
  if ('refused' in parsed) return reply.code(422).send(parsed.refused);
  return send(operation, { answer: await operation.handle({ ...sender, ...parsed.call } as never), date }, reply);
}

type Part = 'params' | 'query' | 'body' | 'headers';
const parts: readonly (readonly [part: Part, name: 'path' | 'query' | 'body' | 'header'])[] = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['body', 'body'],
];

/** Validates the parts of a request that the operation declares, and names what is wrong with all of them. */
function parse(
  operation: Operation,
  request: FastifyRequest,
  { body, date }: { readonly body: Given; readonly date: number },
): { call: Record<string, unknown> } | { refused: Validation } {
  const call: Record<string, unknown> = {};
  const wrong: Validation['detail'] = [];
  for (const [part, name] of parts) {
    const schema = operation[part] as z.ZodType | undefined;
    if (schema === undefined) continue;
    const given = part === 'body' ? body : givenIn(part, request, operation);
    if ('refused' in given) {
      wrong.push(...given.refused.detail);
      continue;
    }
    // Without the input, an issue does not tell a missing value from one of another type.
    const result = schema.safeParse(withoutLater(schema, given.value, date), { reportInput: true });
    if (result.success) call[part] = result.data;
    else wrong.push(...validationOf(name, result.error).detail);
  }
  return wrong.length === 0 ? { call } : { refused: { detail: wrong } };
}

/** Returns a part of a request other than its body. A parameter of a list that occurs once is a list of one. */
function givenIn(part: Exclude<Part, 'body'>, request: FastifyRequest, operation: Operation): Given {
  // Node refuses headers with a NUL, and no byte of a header becomes a surrogate.
  if (part === 'headers') return { value: request.headers };
  const refused = malformedAddress(part === 'params' ? 'path' : 'query', request);
  if (refused !== undefined) return { refused };
  return { value: part === 'params' ? request.params : withLists(request.query as object, operation.query!) };
}

/** Returns the fields of a multipart body. A field of a list that occurs once is a list of one. */
async function fieldsOf(request: FastifyRequest, { body }: Operation): Promise<Given> {
  const given = await formOf(request);
  return 'refused' in given ? given : { value: withLists(given.value, body as z.ZodObject) };
}

/** Makes each single value a list of one if the schema wants a list. */
function withLists(values: object, { shape }: z.ZodObject): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      !Array.isArray(value) && Object.hasOwn(shape, name) && isList(shape[name] as z.ZodType) ? [value] : value,
    ]),
  );
}

/** Returns whether a schema is a list, which may be optional or have a default. */
function isList(schema: z.ZodType): boolean {
  const { type, innerType } = schema.def as { readonly type: string; readonly innerType?: z.ZodType };
  return type === 'array' || (innerType !== undefined && isList(innerType));
}

/** Sends only what the operation declares. A body of another form is a defect of the service, and becomes status 500. */
function send(
  { id, answers }: Operation,
  { answer, date }: { readonly answer: Answer; readonly date: number },
  reply: FastifyReply,
): FastifyReply {
  const { status, body, headers = {} } = answer;
  const form = answers[status];
  if (form === undefined) throw new Error(`${id} does not declare answers with status ${status}`);
  reply.code(status).headers({ ...(form.type === undefined ? {} : { 'content-type': form.type }), ...headers });
  if (form.schema === undefined) return reply.send();
  const value = withoutLater(form.schema, form.schema.parse(body), date);
  // Fastify would send null as an empty body.
  return value === null ? reply.type('application/json; charset=utf-8').send('null') : reply.send(value);
}

/** Sets the `Date` header of every answer to the virtual time, because clients read the service's clock from it. */
export function dateAnswers(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRequest', async (_, reply) => {
    reply.header('date', new Date(clock.now()).toUTCString());
  });
}
