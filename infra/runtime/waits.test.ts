import { expect, test } from 'vitest';
import { DeadlinePassed, within } from './waits.ts';

test('within() rejects if the deadline has already passed, and Node prints no warning about a negative timeout', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  try {
    await expect(within(-88, new Promise(() => {}))).rejects.toThrow(DeadlinePassed);
    // Node emits warnings on the next tick.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', note);
  }
  expect(warnings).toEqual([]);
});

test('before the deadline, within() returns the result of the operation or throws its error', async () => {
  expect(await within(1_000, Promise.resolve(1))).toBe(1);
  await expect(within(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
});
