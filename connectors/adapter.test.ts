import { AortaError } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { failure } from './adapter.ts';

test('if a check fails and closing its connection fails too, the check reports the first error', async () => {
  const first = new AortaError('AORTA-FILE-NOT-FOUND', { file: 'x' });
  const thrown: unknown = await (async () => {
    await using _connection = { [Symbol.asyncDispose]: () => Promise.reject(new Error('closing')) };
    throw first;
  })().catch((error: unknown) => error);
  expect(failure('warehouse', thrown)).toEqual({
    check: 'warehouse',
    state: 'fail',
    code: 'AORTA-FILE-NOT-FOUND',
    found: first.message,
    remedy: first.remedy,
  });
});
