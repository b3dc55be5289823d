import { DuckDbError } from '@aorta/connectors/duckdb';
import { AortaError } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { plainCall } from './command-lines.ts';
import { exceptionText, printError } from './errors.ts';
import { keptOutput } from './output.fixture.ts';

/** Returns the error that results if a block throws `first` and closing its resource then throws `second`. */
async function failTwice(first: unknown, second: unknown): Promise<unknown> {
  try {
    await using _resource = { [Symbol.asyncDispose]: () => Promise.reject(second) };
    throw first;
  } catch (error) {
    return error;
  }
}

const closing = new AortaError('AORTA-FILE-NOT-FOUND', { file: 'closing' });

test('a command exits with the code of its first error, even if closing a resource also fails', async () => {
  const err = keptOutput();
  const thrown = await failTwice(new DuckDbError('AORTA-WAREHOUSE-UNPUBLISHED', { path: 'x' }), closing);
  expect(thrown).toBeInstanceOf(SuppressedError);
  expect(await printError(err, thrown, plainCall)).toBe(75);
  expect(err.text).toContain('[AORTA-WAREHOUSE-UNPUBLISHED]');
  expect(err.text).not.toContain('AORTA-FILE-NOT-FOUND');
});

test('a bug is printed with its kind and source location, even if closing a resource also fails', async () => {
  const err = keptOutput();
  expect(await printError(err, await failTwice(new TypeError('a value of 7.77123'), closing), plainCall)).toBe(1);
  expect(err.text).toMatch(/pipelines\/aorta\/cli\/printing\/errors\.test\.ts:\d+ .*\(TypeError\)\. \[AORTA-BUG\]/);
});

test('the log line for an uncaught exception shows the first error, even if closing a resource also fails', async () => {
  const thrown = await failTwice(new RangeError('7.77123'), closing);
  expect(JSON.parse(exceptionText(thrown))).toMatchObject({
    code: 'AORTA-BUG',
    message: expect.stringContaining('(RangeError)'),
  });
});
