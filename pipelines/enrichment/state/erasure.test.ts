import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { forgetUserInFiles, forgetUserInTopic } from './erasure.ts';

const root = mkdtempSync(join(tmpdir(), 'forgetting-'));
afterAll(() => rmSync(root, { recursive: true }));

const owed = (key: string, userId: string) => ({ key, userId, since: 1, attempts: 0, dueAt: 1 });
const files = {
  'users.json': {
    hashes: { 'u-1': 'a', 'u-1 oura': 'b', 'u-10': 'c', 'u-2': 'd' },
    facts: { users: { 'u-1': { state: 'present' }, 'u-2': { state: 'missing' } } },
    offset: 5,
  },
  'completeness.json': { hashes: { 'u-1': 'a' }, facts: {}, offset: 6 },
  'workout-streams.json': { owed: { 'w 1': owed('w', 'u-1'), 'x 1': owed('x', 'u-2') }, read: { 0: { position: 3 } }, offset: 7 },
  'lab-results.json': { read: {}, owed: [owed('o', 'u-1'), owed('p', 'u-2')], offset: 8 },
};

test('forgetUserInFiles removes one user, and nothing else, from every file', async () => {
  const folder = join(root, 'service');
  expect(await forgetUserInFiles(folder, 'u-1')).toBe(0);
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify({ format: 1, content }));
  writeFileSync(join(folder, 'damaged.json'), '{"u-1"');
  expect(await forgetUserInFiles(folder, 'u-1')).toBe(6);
  const contents = Object.fromEntries(
    Object.keys(files).map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')).content]),
  );
  expect(contents).toEqual({
    'users.json': { hashes: { 'u-10': 'c', 'u-2': 'd' }, facts: { users: { 'u-2': { state: 'missing' } } }, offset: 5 },
    'completeness.json': { hashes: {}, facts: {}, offset: 6 },
    'workout-streams.json': { owed: { 'x 1': owed('x', 'u-2') }, read: { 0: { position: 3 } }, offset: 7 },
    'lab-results.json': { read: {}, owed: { 1: owed('p', 'u-2') }, offset: 8 },
  });
  expect(await forgetUserInFiles(folder, 'u-1')).toBe(0);
});

test("forgetUserInTopic removes one user from a topic, including the tracker's entries", async () => {
  const entries = new Map([
    ['user/u-1', '[false,"x"]'],
    ['user/u-10', '[false,"x"]'],
    ['owed/["u-1","oura","sleep"]', '{"at":1}'],
    ['owed/["u-2","oura","sleep"]', '{"at":1}'],
    ['sent/abc', '1'],
    ['position/connections', '{"position":1}'],
    ['["hashes","u-1 oura"]', '"a"'],
    ['["facts","users","u-2"]', '{}'],
    ['["owed","w 1"]', JSON.stringify(owed('w', 'u-1'))],
  ]);
  const written: (readonly [string, string | null])[] = [];
  const state = {
    take: () => entries,
    write: async (some: typeof written) => void written.push(...some),
  };
  expect(await forgetUserInTopic(state, 'u-1')).toBe(4);
  expect(written).toEqual(
    ['user/u-1', 'owed/["u-1","oura","sleep"]', '["hashes","u-1 oura"]', '["owed","w 1"]'].map((name) => [name, null]),
  );
});
