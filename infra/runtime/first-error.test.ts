import { expect, test } from 'vitest';
import { AortaError } from './errors/aorta-error.ts';
import { systemCode, unreadable, unwritable } from './files/file-operations.ts';
import { firstError } from './first-error.ts';
import { errorFields } from './logger.ts';

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** Throws in a scope with two resources. Closing these resources then fails too. */
async function failTwice(first: unknown): Promise<unknown> {
  const openFile = () => ({ [Symbol.asyncDispose]: () => Promise.reject(failing('EIO')) });
  try {
    await using _outer = openFile();
    await using _inner = openFile();
    throw first;
  } catch (error) {
    return error;
  }
}

test('firstError returns the original error if closing a resource fails afterwards', async () => {
  const first = failing('ENOSPC');
  const error = await failTwice(first);
  expect(error).toBeInstanceOf(SuppressedError);
  expect(firstError(error)).toBe(first);
  expect(firstError(first)).toBe(first);
});

test('a failed file operation is reported with its own error code even if closing the file fails as well', async () => {
  const error = await failTwice(failing('ENOSPC'));
  expect(systemCode(error)).toBe('ENOSPC');
  expect(unwritable('/data', error)).toMatchObject({ code: 'AORTA-DATA-UNWRITABLE', details: { code: 'ENOSPC' } });
  expect(unreadable('/data', error)).toMatchObject({ code: 'AORTA-FILE-UNREADABLE', details: { code: 'ENOSPC' } });
});

test('an AortaError reaches the caller unchanged even if closing a resource fails as well', async () => {
  const own = new AortaError('AORTA-BUG', { place: 'here', problem: 'one' });
  expect(unwritable('/data', await failTwice(own))).toBe(own);
});

test('the log fields describe the original error even if closing a resource fails as well', async () => {
  expect(errorFields(await failTwice(failing('ENOSPC')))).toEqual({ kind: 'Error', errno: 'ENOSPC' });
  const own = new AortaError('AORTA-BUG', { place: 'here', problem: 'one' });
  expect(errorFields(await failTwice(own))).toMatchObject({ code: 'AORTA-BUG' });
});

test('a failure to close a resource is reported if nothing else has failed', async () => {
  const error = await (async () => {
    await using _file = { [Symbol.asyncDispose]: () => Promise.reject(failing('EIO')) };
  })().catch((failure: unknown) => failure);
  expect(unwritable('/data', error)).toMatchObject({ details: { code: 'EIO' } });
});
