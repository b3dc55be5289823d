import { expect, test } from 'vitest';
import { matching } from './topics.ts';

test('names, and what matches, once each, also by a pattern that remembers where it was', () => {
  expect(matching(['z', 'b'], [/^a/g, /b$/], ['a1', 'a2', 'a3', 'b', 'c'])).toEqual(['a1', 'a2', 'a3', 'b', 'z']);
});
