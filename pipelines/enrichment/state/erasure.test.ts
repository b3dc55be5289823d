import { expect, test } from 'vitest';
import { forgetUser } from './erasure.ts';

const owed = (key: string, userId: string) => ({ key, userId, since: 1, attempts: 0, dueAt: 1 });
test('forgetUser removes one user, and nothing else, from the entries of jobs and of the tracker', async () => {
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
    ['["owed","x 1"]', JSON.stringify(owed('x', 'u-2'))],
    ['["hashes","u-1"]', '"b"'],
    ['["hashes","u-10"]', '"c"'],
    ['["facts","users","u-1"]', '{}'],
  ]);
  const written: (readonly [string, string | null])[] = [];
  const state = {
    take: () => entries,
    write: async (some: typeof written) => void written.push(...some),
  };
  expect(await forgetUser(state, 'u-1')).toBe(6);
  expect(written).toEqual(
    [
      'user/u-1',
      'owed/["u-1","oura","sleep"]',
      '["hashes","u-1 oura"]',
      '["owed","w 1"]',
      '["hashes","u-1"]',
      '["facts","users","u-1"]',
    ].map((name) => [name, null]),
  );
});
