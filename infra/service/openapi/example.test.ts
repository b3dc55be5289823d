import { expect, test } from 'vitest';
import { exampleOf } from './example.ts';

const components = { Source: { type: 'object', properties: { provider: { type: 'string' } } } };
const example = (schema: object, name?: string) => exampleOf(schema as Record<string, unknown>, components, name);

test('a value that the schema names itself wins', () => {
  expect(example({ type: 'string', examples: ['own'], format: 'date' })).toBe('own');
  expect(example({ const: 'kcal' })).toBe('kcal');
  expect(example({ enum: ['first', 'second'] })).toBe('first');
  expect(example({ type: 'string', description: 'Known values: watch, ring. There may be others.' })).toBe('watch');
});

test('a value without a name has its format and its bounds', () => {
  expect(example({ type: 'string', format: 'date' })).toBe('2026-01-31');
  expect(example({ type: ['string', 'null'], format: 'date-time' })).toBe('2026-01-31T08:15:00.000+00:00');
  expect(example({ anyOf: [{ type: 'null' }, { type: 'integer', minimum: 5 }] })).toBe(5);
  expect(example({ type: 'number', maximum: 0.5 })).toBe(0.5);
});

test('a text without a known value is null if the schema allows it', () => {
  expect(example({ type: ['string', 'null'] })).toBe(null);
  expect(example({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe(null);
  expect(example({ type: 'string' })).toBe('text');
});

test('the name of a member decides, unless its type is another one', () => {
  expect(example({ type: 'object', properties: { value: { type: 'number' } } })).toEqual({ value: 61 });
  expect(example({ type: 'object', properties: { value: { type: 'string' } } })).toEqual({ value: 'text' });
});

test('objects have all members except deprecated ones that are optional', () => {
  const member = { type: 'boolean', deprecated: true };
  expect(example({ type: 'object', required: ['old'], properties: { old: member, older: member } })).toEqual({ old: true });
});

test('maps have one key, lists one element, and references are followed', () => {
  const sources = { type: 'array', items: { $ref: '#/components/schemas/Source' } };
  expect(example({ type: 'object', properties: { groups: { type: 'object', additionalProperties: sources } } })).toEqual({
    groups: { oura: [{ provider: 'oura' }] },
  });
  expect(example({ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }] })).toEqual([1, 2]);
});

test('objects that allow further members have only the listed ones, and the first of several forms is taken', () => {
  const open = { type: 'object', properties: { offset: { type: 'integer' } }, additionalProperties: {} };
  expect(example(open)).toEqual({ offset: 0 });
  expect(example({ oneOf: [{ type: 'object', properties: { offset: { type: 'integer' } } }, { type: 'string' }] })).toEqual({
    offset: 0,
  });
});
