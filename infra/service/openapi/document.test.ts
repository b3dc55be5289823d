import { expect, test } from 'vitest';
import { Service } from '../service.ts';
import { openApiDocument } from './document.ts';

const service = new Service({ start: 0, runs: false });
const document = openApiDocument(service.operations, '1.0.0') as {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { readonly operationId: string; readonly responses: object }>>;
  readonly components: { readonly schemas: Record<string, { readonly properties: object }> };
};

/** Returns all values of `$ref` in a document. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (name === '$ref' ? [String(part)] : references(part)));
}

test('every operation has an id of its own, and answers for a wrong key', () => {
  const described = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(described).toHaveLength(service.operations.length);
  expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(described.length);
  for (const { responses } of described) expect(Object.keys(responses)).toContain('401');
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
  expect(described.filter(([, schema]) => !['type', 'anyOf', 'enum'].some((keyword) => keyword in schema))).toEqual([]);
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
