import { AortaError, isAortaError } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { errorOf, failureOf } from './messages.ts';

test('failureOf() returns the original error even if closing the warehouse also fails', async () => {
  const thrown: unknown = await (async () => {
    await using _warehouse = { [Symbol.asyncDispose]: () => Promise.reject(new Error('closing')) };
    throw new AortaError('AORTA-DATA-LOCKED', { folder: 'x', pid: 1 });
  })().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(SuppressedError);
  const told = errorOf(structuredClone(failureOf(thrown)));
  expect(isAortaError(told) && told.code).toBe('AORTA-DATA-LOCKED');
});
