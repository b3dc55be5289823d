import { expect, test } from 'vitest';
import { matching, Watch } from './consumer.ts';

test('each named or matching topic is returned once, even if the pattern has the global flag', () => {
  expect(matching(['z', 'b'], [/^a/g, /b$/], ['a1', 'a2', 'a3', 'b', 'c'])).toEqual(['a1', 'a2', 'a3', 'b', 'z']);
});

test('silence longer than the limit is reported', () => {
  const watch = new Watch(1_000, 100);
  watch.begin(0);
  expect(watch.look(100, 900)).toBe('well');
  expect(watch.look(200, 1_001)).toBe('silent');
});

test('after a pause of this process, the measurement of silence restarts', () => {
  const watch = new Watch(1_000, 100);
  watch.begin(0);
  expect(watch.look(100, 0)).toBe('well');
  expect(watch.look(5_000, 4_900)).toBe('excused');
  expect(watch.look(5_100, 100)).toBe('well');
});
