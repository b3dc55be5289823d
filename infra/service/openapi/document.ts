import { z } from 'zod';
import { detailSchema, validationSchema } from '../api/errors.ts';
import type { AnswerForm, Operation } from '../api/operation.ts';
import { TEAM_KEY_HEADERS } from '../api/server.ts';

type Json = Record<string, unknown>;

const DEFINITIONS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** Returns the OpenAPI 3.1 document of the operations. Schemas with an id become components. */
export function openApiDocument(operations: readonly Operation[], version: string): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = path;
    path[operation.method.toLowerCase()] = describe(operation, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Health data and lab testing service', version },
    paths,
    components: {
      schemas,
      securitySchemes: Object.fromEntries(TEAM_KEY_HEADERS.map((name) => [name, { type: 'apiKey', in: 'header', name }])),
    },
    security: TEAM_KEY_HEADERS.map((name) => ({ [name]: [] })),
  };
}

const unauthorized: AnswerForm = { description: 'The key is missing or unknown.', schema: detailSchema };
const invalid: AnswerForm = { description: 'The request does not have the documented form.', schema: validationSchema };
const tooLarge: AnswerForm = { description: 'The body has more than 1 MiB.', schema: detailSchema };

function describe(operation: Operation, schemas: Record<string, Json>): Json {
  const { id, tag, summary, deprecated, params, query, body } = operation;
  const takesInput = params !== undefined || query !== undefined || body !== undefined;
  const answers: Record<string, AnswerForm> = {
    ...operation.answers,
    401: unauthorized,
    ...(takesInput ? { 422: invalid } : {}),
    ...(body === undefined ? {} : { 413: tooLarge }),
  };
  const parameters = [...parametersOf(params, 'path', schemas), ...parametersOf(query, 'query', schemas)];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input', schemas) } } } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, { description, schema }]) => [
        status,
        {
          description,
          ...(schema === undefined ? {} : { content: { 'application/json': { schema: schemaOf(schema, 'output', schemas) } } }),
        },
      ]),
    ),
  };
}

function parametersOf(schema: z.ZodObject | undefined, where: 'path' | 'query', schemas: Record<string, Json>): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', schemas) as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, form]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: form,
  }));
}

/** Converts a schema. Parts with an id are moved to the components, and referred to from there. So is a schema with an id. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>): Json {
  const { $schema: _, $defs = {}, ...converted } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  for (const [name, part] of Object.entries($defs as Record<string, Json>)) schemas[name] = moved(part);
  return moved(converted);
}

function moved(part: Json): Json {
  const { id: _, ...rest } = part;
  return JSON.parse(JSON.stringify(rest).replaceAll(`"${DEFINITIONS}`, `"${COMPONENTS}`)) as Json;
}
