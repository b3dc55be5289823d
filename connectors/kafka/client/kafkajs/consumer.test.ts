import { expect, test } from 'vitest';
import { matchingTopics, Watchdog } from './consumer.ts';

test('each named or matching topic is returned once, even if the pattern has the global flag', () => {
  expect(matchingTopics(['z', 'b'], [/^a/g, /b$/], ['a1', 'a2', 'a3', 'b', 'c'])).toEqual(['a1', 'a2', 'a3', 'b', 'z']);
});

test('silence longer than the limit is reported', () => {
  const watchdog = new Watchdog(1_000, 100);
  watchdog.start(0);
  expect(watchdog.check(100, 900)).toBe('alive');
  expect(watchdog.check(200, 1_001)).toBe('silent');
});

test('after a pause of this process, the measurement of silence restarts', () => {
  const watchdog = new Watchdog(1_000, 100);
  watchdog.start(0);
  expect(watchdog.check(100, 0)).toBe('alive');
  expect(watchdog.check(5_000, 4_900)).toBe('paused');
  expect(watchdog.check(5_100, 100)).toBe('alive');
});
