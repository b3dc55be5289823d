import { expect, test } from 'vitest';
import { z } from 'zod';
import { membersOf, namesIn } from './control-members.ts';

const members = (body: z.ZodType<Record<string, unknown>>, path = '/x') =>
  membersOf({ body, path }).map(({ name, type, need, meaning }) => [name, type, need, meaning]);

test('a member has its type, its default and its description', () => {
  const body = z.object({
    name: z.string().describe('Of the thing.'),
    plan: z.enum(['a', 'b']).default('a'),
    count: z.int().min(1).nullable(),
    share: z.number().gt(0).max(1).optional(),
    at: z.iso.datetime({ offset: true }),
    ids: z.array(z.guid()).default([]),
  });
  expect(members(body)).toEqual([
    ['name', 'text', 'required', 'Of the thing.'],
    ['plan', '`a`, `b`', '`"a"`', ''],
    ['count', 'integer, at least 1 or `null`', 'required', ''],
    ['share', 'number, above 0, at most 1', 'optional', ''],
    ['at', 'time', 'required', ''],
    ['ids', 'list (UUID)', '`[]`', ''],
  ]);
});

test('members of the path come first', () => {
  expect(members(z.object({ key: z.string(), team_id: z.guid() }), '/teams/{team_id}')).toEqual([
    ['team_id', 'UUID, in the path', 'required', ''],
    ['key', 'text', 'required', ''],
  ]);
});

test('the members of each form of a union follow its kind, also in lists', () => {
  const slow = z.object({ kind: z.literal('slow'), seconds: z.number() }).describe('It takes longer.');
  const failed = z.object({ kind: z.literal('failed') }).describe('It fails.');
  expect(members(z.object({ outcomes: z.array(z.discriminatedUnion('kind', [slow, failed])) }))).toEqual([
    ['outcomes', 'list (object)', 'required', ''],
    ['outcomes[].kind', '`slow`', 'required', 'It takes longer.'],
    ['outcomes[].seconds', 'number', 'required', ''],
    ['outcomes[].kind', '`failed`', 'required', 'It fails.'],
  ]);
});

test('an operation without input has no members', () => {
  expect(membersOf({ body: undefined, path: '/x' })).toEqual([]);
});

test('the names in a value have the form of the names of members', () => {
  expect(namesIn({ a: 1, b: [{ c: null }, { d: { e: [] } }] })).toEqual(['a', 'b', 'b[].c', 'b[].d', 'b[].d.e']);
});
