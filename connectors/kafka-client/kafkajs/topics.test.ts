import { expect, test } from 'vitest';
import { matching } from './consumer.ts';

test('each named or matching topic is returned once, even if the pattern has the global flag', () => {
  expect(matching(['z', 'b'], [/^a/g, /b$/], ['a1', 'a2', 'a3', 'b', 'c'])).toEqual(['a1', 'a2', 'a3', 'b', 'z']);
});
