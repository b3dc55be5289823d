import { expect, test } from 'vitest';
import { customerId, freshUuid, randomOf, scatter, seedOf, stableUuid } from './random.ts';

test('the values of a generator depend on all of its seed numbers and on their order', () => {
  const draw = (...words: number[]) =>
    Array.from(
      { length: 5 },
      (
        (random) => () =>
          random.word()
      )(randomOf(...words)),
    );
  expect(draw(1, 2, 3)).toEqual(draw(1, 2, 3));
  const others = [draw(1, 2, 4), draw(1, 3, 2), draw(-1, 2, 3), draw(1 + 2 ** 32, 2, 3), draw(1, 2)];
  expect(new Set([draw(1, 2, 3), ...others].map(String)).size).toBe(6);
});

test('random numbers have the documented distributions', () => {
  const random = randomOf(42);
  const uniform = Array.from({ length: 20_000 }, () => random.uniform());
  const mean = uniform.reduce((sum, one) => sum + one, 0) / uniform.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
  const bells = Array.from({ length: 20_000 }, () => random.bell());
  const variance = bells.reduce((sum, one) => sum + one * one, 0) / bells.length;
  expect(Math.abs(variance - 1)).toBeLessThan(0.05);
  const whole = new Set(Array.from({ length: 1000 }, () => random.whole(2, 5)));
  expect([...whole].sort()).toEqual([2, 3, 4, 5]);
});

test('shuffling a list keeps all of its members', () => {
  const list = Array.from({ length: 30 }, (_, i) => i);
  const shuffled = randomOf(1).shuffled(list);
  expect(shuffled).not.toEqual(list);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(list);
});

test('the seeds of 100,000 people differ', () => {
  expect(new Set(Array.from({ length: 100_000 }, (_, i) => seedOf(1, 2, i))).size).toBe(100_000);
});

test('ids have the documented forms: UUIDs of two versions, and three forms of customer ids', () => {
  const random = randomOf(7);
  expect(freshUuid(random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(stableUuid(1, 2)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(stableUuid(1, 2)).toBe(stableUuid(1, 2));
  expect(stableUuid(1, 2)).not.toBe(stableUuid(2, 1));
  const forms = new Set(Array.from({ length: 50 }, () => customerId(random).length));
  expect([...forms].sort()).toEqual([24, 26, 36]);
});

test('users are distributed evenly over the partitions', () => {
  const random = randomOf(8);
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 4000; i++) counts[scatter(freshUuid(random)) % 4]!++;
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
});
