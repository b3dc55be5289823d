import { expect, test } from 'vitest';
import { Watch } from './consumer.ts';

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
