import { expect, test } from 'vitest';
import { Service } from '../service.ts';
import { openApiDocument, parts } from './openapi-document.ts';

const service = new Service({ start: 0, runs: false });
interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

const document = openApiDocument(service.operations, '1.0.0') as {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { readonly schemas: Record<string, { readonly properties: object }> };
};

/** Returns all values of `$ref` in a document. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (name === '$ref' ? [String(part)] : references(part)));
}

test('every operation has an id of its own, and answers for a wrong key and for too many requests', () => {
  const described = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(described).toHaveLength(service.operations.length);
  expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(described.length);
  for (const { responses } of described) {
    expect(Object.keys(responses)).toContain('401');
    expect(responses['429']).toMatchObject({ headers: { 'retry-after': { required: true } } });
  }
  expect(document.paths['/v2/user/refresh/{user_id}']!.post!.responses['429']).toMatchObject({
    description: expect.stringMatching(/^The user was refreshed 8 times within an hour\. The key has sent too many/),
  });
});

test('every reference leads to a component', () => {
  const found = references(document);
  expect(found).toContain('#/components/schemas/User');
  for (const reference of found) {
    expect(reference).toMatch(/^#\/components\/schemas\//);
    expect(document.components.schemas).toHaveProperty([reference.split('/').at(-1)!]);
  }
});

test('every component describes its values', () => {
  const described = Object.entries(document.components.schemas);
  expect(described.filter(([, schema]) => !['type', 'anyOf', 'oneOf', 'enum'].some((keyword) => keyword in schema))).toEqual([]);
  expect(document.components.schemas.NewUser).toMatchObject({ type: 'object', required: ['client_user_id'] });
});

test('parameters have their place and their bounds', () => {
  expect(document.paths['/v2/user']!.get).toMatchObject({
    parameters: [
      { name: 'offset', in: 'query', required: false, schema: { minimum: 0 } },
      { name: 'limit', in: 'query', required: false, schema: { minimum: 1, maximum: 500 } },
    ],
  });
  expect(document.paths['/v2/user/{user_id}']!.get).toMatchObject({
    parameters: [{ name: 'user_id', in: 'path', required: true }],
  });
});

test('parameters have their defaults', () => {
  const { parameters } = document.paths['/v2/user']!.get as unknown as { readonly parameters: readonly { schema: object }[] };
  expect(parameters.map(({ schema }) => schema)).toMatchObject([{ default: 0 }, { default: 100 }]);
});

test('a multipart body is a form with binary files', () => {
  const { requestBody, responses } = document.paths['/lab_report/v1/parser/job']!.post as unknown as {
    readonly requestBody: object;
    readonly responses: Readonly<Record<string, object>>;
  };
  const schema = { $ref: '#/components/schemas/NewParsingJob' };
  expect(requestBody).toEqual({ required: true, content: { 'multipart/form-data': { schema } } });
  expect(responses['413']).toMatchObject({ description: 'The body has more than 10 MiB.' });
  expect(document.components.schemas.NewParsingJob).toMatchObject({
    required: ['file', 'user_id'],
    properties: {
      file: { type: 'array', minItems: 1, items: { type: 'string', format: 'binary' } },
      needs_human_review: { type: 'boolean' },
    },
  });
});

test('a deprecated parameter is marked, and every description is at the parameter itself', () => {
  const { parameters } = document.paths['/v2/timeseries/{user_id}/heartrate/grouped']!.get as unknown as {
    readonly parameters: readonly { readonly name: string; readonly schema: object }[];
  };
  const cursor = parameters.find(({ name }) => name === 'cursor');
  expect(cursor).toMatchObject({ deprecated: true, description: 'The earlier name of next_cursor.' });
  for (const { schema } of parameters) expect(schema).not.toHaveProperty('description');
});

test('a deprecated member is marked', () => {
  const member = (schema: string, name: string): unknown =>
    (document.components.schemas[schema]!.properties as Record<string, unknown>)[name];
  expect(member('Order', 'requisition_form_url')).toMatchObject({
    deprecated: true,
    description: expect.stringContaining('GET /v3/order/{order_id}/requisition/pdf'),
  });
  expect(member('NewOrder', 'lab_test_id')).toMatchObject({
    deprecated: true,
    description: expect.stringContaining('order_set'),
  });
});

test('a deprecated operation names its replacement, and describes the headers that say so', () => {
  const { deprecated, description, responses } = document.paths['/v2/timeseries/{user_id}/heartrate']!.get!;
  expect(deprecated).toBe(true);
  expect(description).toBe('Use `GET /v2/timeseries/{user_id}/heartrate/grouped`. May be missing from 2026-09-14.');
  const named = (status: string) => Object.keys(responses[status]!.headers ?? {});
  expect(['200', '404', '422', '401', '429'].map(named)).toEqual([
    ...Array(3).fill(['deprecation', 'sunset', 'link']),
    // The service checks the key and its rate limit first.
    [],
    ['retry-after'],
  ]);
  expect(document.paths['/v2/timeseries/{user_id}/heartrate/grouped']!.get).not.toHaveProperty('deprecated');
});

test('an operation with deprecated parts names what replaces them, and has the header if they are used', () => {
  const order = document.paths['/v3/order']!.post!;
  expect(order).not.toHaveProperty('deprecated');
  expect(order.description).toBe(
    '`lab_test_id` is deprecated since 2024-09-01 in favor of `order_set.lab_test_ids`. `requisition_form_url` is deprecated since 2024-09-01 in favor of `GET /v3/order/{order_id}/requisition/pdf`.',
  );
  expect(Object.keys(order.responses['200']!.headers!)).toEqual(['deprecation']);
  expect(document.paths['/v1/org/{org_id}/team']!.get!.description).toBe(
    '`x-service-org-key` and `x-vital-org-key` are deprecated since 2025-04-01 in favor of `x-management-key`.',
  );
});

test('operations and members have the date since when they exist', () => {
  expect(document.paths['/v2/user/undo_delete']!.post).toHaveProperty('x-since', '2024-02-01');
  expect(document.paths['/v1/org/{org_id}/team']!.get).toHaveProperty('x-since', '2024-04-01');
  expect(document.paths['/v2/user']!.get).not.toHaveProperty('x-since');
  expect((document.components.schemas.Order!.properties as Record<string, object>).interpretation).toHaveProperty(
    'x-since',
    '2025-06-01',
  );
});

test('the operation in closed beta describes its refusal', () => {
  const closed = service.operations.filter(({ isClosedBeta }) => isClosedBeta === true).map(({ id }) => id);
  expect(closed).toEqual(['import_order']);
  expect(document.paths['/v3/order/import']!.post!.responses).toHaveProperty('403');
});

test('every replacement of a deprecated operation is an operation that is not deprecated itself', () => {
  const replacements = service.operations.flatMap(({ deprecated }) => deprecated?.instead ?? []);
  expect(new Set(replacements).size).toBeGreaterThan(20);
  for (const replacement of replacements) {
    const [method, path] = replacement.split(' ') as [string, string];
    expect(document.paths[path]?.[method.toLowerCase()], replacement).toMatchObject({ operationId: expect.any(String) });
    expect(document.paths[path]![method.toLowerCase()], replacement).not.toHaveProperty('deprecated');
  }
});

test('the document describes every part of the API, and has no part without operations', () => {
  const used = new Set(Object.values(document.paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)));
  expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
  expect(
    document.tags.filter(({ description }) => description === undefined),
    'describe these in parts.ts',
  ).toEqual([]);
  expect(
    Object.keys(parts).filter((name) => !used.has(name)),
    'remove these from parts.ts',
  ).toEqual([]);
});

test('forms have no patterns of standard formats, and no bounds that every integer has', () => {
  expect(document.components.schemas.User!.properties).toMatchObject({
    user_id: { type: 'string', format: 'uuid' },
    created_on: { type: 'string', format: 'date-time' },
  });
  expect(document.components.schemas.Sleep!.properties).toMatchObject({ total: { type: 'integer' } });
  const text = JSON.stringify(document);
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  expect(text).not.toMatch(/"format":"[^"]+","pattern"/);
});
