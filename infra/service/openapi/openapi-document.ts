import { z } from 'zod';
import { INVALID_KEY, INVALID_MANAGEMENT_KEY, MANAGEMENT_KEY_HEADERS, TEAM_KEY_HEADERS } from '../api/authentication.ts';
import { deprecationHeaderMeanings } from '../api/deprecation.ts';
import { detailSchema, validationSchema } from '../api/errors.ts';
import type { AnswerForm, Operation } from '../api/operation.ts';
import { TOO_MANY_REQUESTS } from '../api/rate-limit.ts';
import { MULTIPART_BYTES } from '../api/request-body.ts';
import { changes, SINCE } from '../versions/versions.ts';
import { exampleOf } from './example.ts';

type Json = Record<string, unknown>;

const DEFINITIONS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

export const TITLE = 'Health data and lab testing service';

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
    info: { title: TITLE, version, description: about },
    tags: tagsOf(operations),
    paths,
    components: {
      schemas,
      securitySchemes: {
        ...Object.fromEntries(
          [...TEAM_KEY_HEADERS, ...MANAGEMENT_KEY_HEADERS].map((name) => [name, { type: 'apiKey', in: 'header', name }]),
        ),
        [TOKEN]: { type: 'http', scheme: 'bearer', description: 'A token that stands for the key of a team for some minutes.' },
      },
    },
    security: [...TEAM_KEY_HEADERS, TOKEN].map((name) => ({ [name]: [] })),
  };
}

const TOKEN = 'access-token';

const about = `This is the reference implementation, for development without the hosted service.

The operations of the data and lab API need the key of a team in \`x-service-api-key\`. \`POST /teams\` on the control port creates a team with a key.

The operations of the management API, below \`/v1/org\`, need a management key in \`x-management-key\`. \`POST /organizations\` on the control port creates an organization with a key.`;

/** The parts of the API, as the tags of operations name them, in the order of the document. */
export const parts: Readonly<Record<string, string>> = {
  user: 'Users, their connections to providers, and their devices.',
  link: 'Connecting users with demo providers, and historical pulls on request.',
  summary: 'Data of whole days, sessions and people, such as activity, sleep and workouts.',
  timeseries: 'Samples of measurements, such as heart rate and steps, and the streams of workouts and sleeps.',
  lab_report: 'Reports of laboratories that users have uploaded, and the jobs that parse them.',
  appointment: 'The appointments at which samples of orders are taken, at home or at patient service centers.',
  unmatched_result: 'Laboratory results that the service cannot match to an order with certainty.',
  introspect: 'The state of historical pulls, and what the service has sent.',
  lab_tests: 'The catalogue of the labs: what they measure, and what teams can order.',
  order: 'Orders of lab tests, their results, and their papers.',
  organization: 'Management API: the organization, which owns teams.',
  team: 'Management API: the teams of the organization, and access tokens for them.',
  'team API key': 'Management API: the keys with which teams call the data and lab API.',
  webhook: 'Management API: the addresses to which teams have their events delivered.',
  'lab account': 'Management API: the lab accounts of the organization, and which teams can use them.',
  'data pull preference': 'Management API: how many past days the historical pulls of teams cover.',
  'scope requirement': 'Management API: the permissions that users must or may grant to a team at providers.',
  'team credential':
    'Management API: what teams have at providers and labs in place of the credentials of the service. Nothing is sent to providers.',
  'management key': 'Management API: the keys of the organization, and of its teams.',
  'ETL pipeline': 'Management API: the pipelines that carry the events of teams to hubs and webhook endpoints.',
  'delivery metric': 'Management API: how many events of a team were delivered.',
};

/** Returns the parts that have operations, in their order. Parts without a description come last. */
function tagsOf(operations: readonly Operation[]): Json[] {
  const used = new Set(operations.map(({ tag }) => tag));
  return [...new Set([...Object.keys(parts), ...used])]
    .filter((name) => used.has(name))
    .map((name) => ({ name, ...(parts[name] === undefined ? {} : { description: parts[name] }) }));
}

const unauthorized = (example: object): AnswerForm => ({
  description: 'The key is missing or unknown.',
  schema: detailSchema,
  example,
});
const invalid: AnswerForm = { description: 'The request does not have the documented form.', schema: validationSchema };
const tooMany: AnswerForm = {
  description: 'The key has sent too many requests. `Retry-After` says for how many seconds it must wait.',
  schema: detailSchema,
  example: TOO_MANY_REQUESTS,
};
const closedBeta: AnswerForm = {
  description: 'The operation is in closed beta, and the team is not enabled for it.',
  schema: detailSchema,
};
const tooLarge = (mebibytes: number): AnswerForm => ({
  description: `The body has more than ${mebibytes} MiB.`,
  schema: detailSchema,
});

function describe(operation: Operation, schemas: Record<string, Json>): Json {
  const { id, tag, summary, params, query, headers, body, multipart, managed, since } = operation;
  const takesInput = [params, query, headers, body].some((part) => part !== undefined);
  const answers: Record<string, AnswerForm> = {
    ...operation.answers,
    401: unauthorized(managed === undefined ? INVALID_KEY : INVALID_MANAGEMENT_KEY),
    429: { ...tooMany, description: [operation.answers[429]?.description, tooMany.description].join(' ').trim() },
    ...(operation.isClosedBeta === undefined ? {} : { 403: closedBeta }),
    ...(takesInput ? { 422: invalid } : {}),
    ...(body === undefined ? {} : { 413: tooLarge(multipart === undefined ? 1 : MULTIPART_BYTES / 2 ** 20) }),
  };
  const parameters = [
    ...parametersOf(params, 'path', schemas),
    ...parametersOf(query, 'query', schemas),
    ...parametersOf(headers, 'header', schemas),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(managed === undefined ? {} : { security: MANAGEMENT_KEY_HEADERS.map((name) => ({ [name]: [] })) }),
    ...(since === undefined ? {} : { [SINCE]: changes[since] }),
    ...describedOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content:
              multipart === undefined
                ? contentOf(body, 'input', schemas)
                : // JSON cannot hold the bytes of a file, so there is no example.
                  { 'multipart/form-data': { schema: schemaOf(body, 'input', schemas) } },
          },
        }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, { description, schema, example, type }]) => [
        status,
        {
          description,
          ...headersOf(status, operation),
          ...(type === undefined ? {} : { content: { [type]: { schema: { type: 'string', format: 'binary' } } } }),
          ...(schema === undefined || type !== undefined ? {} : { content: contentOf(schema, 'output', schemas, example) }),
        },
      ]),
    ),
  };
}

/** Describes the deprecated parts of an operation and their replacements. */
function describedOf({ deprecated, deprecatedParts = [] }: Operation): Json {
  if (deprecated !== undefined)
    return { deprecated: true, description: `Use \`${deprecated.instead}\`. May be missing from ${deprecated.until}.` };
  const sentences = deprecatedParts.map(({ names, since, instead }) => {
    const [verb, list] = [names.length === 1 ? 'is' : 'are', names.map((name) => `\`${name}\``).join(' and ')];
    return `${list} ${verb} deprecated since ${since} in favor of ${instead}.`;
  });
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

const retryAfterForm = { description: 'Whole seconds.', required: true, schema: { type: 'integer', minimum: 1 } };

/** The service checks the key and its rate limit before it looks at the operation. */
function headersOf(status: string, { deprecated, deprecatedParts = [] }: Operation): Json {
  if (status === '429') return { headers: { 'retry-after': retryAfterForm } };
  if (status === '401') return {};
  if (deprecated !== undefined) return { headers: deprecationHeaderForms };
  return deprecatedParts.length === 0 ? {} : { headers: { deprecation: partDeprecationForm } };
}

/** `example` replaces the generated example. */
function contentOf(form: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>, example?: unknown): Json {
  const schema = schemaOf(form, io, schemas);
  return { 'application/json': { schema, example: example ?? exampleOf(schema, schemas) } };
}

const deprecationHeaderForms = Object.fromEntries(
  Object.entries(deprecationHeaderMeanings).map(([name, description]) => [
    name,
    { description, required: true, schema: { type: 'string' } },
  ]),
);

const partDeprecationForm = {
  description: 'When a part of the operation was deprecated that the request has, or that its answers may have (RFC 9745).',
  schema: { type: 'string' },
};

function parametersOf(
  schema: z.ZodObject | undefined,
  where: 'path' | 'query' | 'header',
  schemas: Record<string, Json>,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', schemas) as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, deprecated, example, ...form }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(example === undefined ? {} : { example }),
    schema: form,
  }));
}

/** Converts a schema. Parts with an id are moved to the components, and referred to from there. So is a schema with an id. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>): Json {
  const {
    $schema: _,
    $defs = {},
    ...converted
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: (part) => {
      simplify(part.jsonSchema);
      keepDefault(part);
    },
  }) as Json;
  for (const [name, part] of Object.entries($defs as Record<string, Json>)) schemas[name] = moved(part);
  return moved(converted);
}

/** Removes what tells readers nothing new: the patterns of standard formats, and the bounds of safe integers. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Adds the default of a schema. Zod leaves it out if the schema preprocesses its input. */
export function keepDefault({ zodSchema, jsonSchema }: { readonly zodSchema: z.core.$ZodType; readonly jsonSchema: Json }): void {
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default ??= (def as z.core.$ZodDefaultDef).defaultValue;
}

function moved(part: Json): Json {
  const { id: _, ...rest } = part;
  return JSON.parse(JSON.stringify(rest).replaceAll(`"${DEFINITIONS}`, `"${COMPONENTS}`)) as Json;
}
