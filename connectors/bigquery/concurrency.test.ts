import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forMany } from './concurrency.ts';

test('results keep the order of the values, and at most the given number of calls run at a time', async () => {
  let running = 0;
  let most = 0;
  const doubled = await forMany(
    [1, 2, 3, 4, 5],
    async (value) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 5; turn > value; turn -= 1) await setImmediate();
      running -= 1;
      return 2 * value;
    },
    2,
  );
  expect(doubled).toEqual([2, 4, 6, 8, 10]);
  expect(most).toBe(2);
});

test('after a failure, no further call starts', async () => {
  const calls: number[] = [];
  const values = Array.from({ length: 100 }, (_, index) => index);
  const failing = forMany(
    values,
    async (value) => {
      calls.push(value);
      await setImmediate();
      throw new Error(`call ${value}`);
    },
    3,
  );
  await expect(failing).rejects.toThrow('call 0');
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  expect(calls).toEqual([0, 1, 2]);
});
