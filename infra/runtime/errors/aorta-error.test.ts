import { expect, test } from 'vitest';
import { systemCode, unreadable, unwritable } from '../files/file-operations.ts';
import { errorFields } from '../logger.ts';
import { AortaError, errorsOf, factsOf, firstError, isAortaError } from './aorta-error.ts';
import type { ErrorCatalogue } from './catalogue.ts';

/** The catalogue of an adapter outside this repository. */
const pulsarErrors = {
  'ACME-PULSAR-TOPIC': { class: 'setup', message: 'There is no topic {topic} at {host}.', remedy: 'Make it: {topic}.' },
  'ACME-PULSAR-CLOSED': { class: 'transient', message: 'The broker hung up.', remedy: 'It is tried again.' },
} as const satisfies ErrorCatalogue;
const PulsarError = errorsOf(pulsarErrors);

test('an error has the code and class of its catalogue entry, with the details filled into message and remedy', () => {
  const error = new PulsarError('ACME-PULSAR-TOPIC', { topic: 'events', host: 'h', attempts: 3 });
  expect(isAortaError(error) && error instanceof AortaError && error instanceof Error).toBe(true);
  expect(factsOf(error)).toEqual({
    code: 'ACME-PULSAR-TOPIC',
    class: 'setup',
    message: 'There is no topic events at h.',
    remedy: 'Make it: events.',
    details: { topic: 'events', host: 'h', attempts: 3 },
  });
});

test('the compiler rejects a code from a different catalogue, and details without a value for a placeholder', () => {
  // @ts-expect-error: the code belongs to a different catalogue.
  expect(() => new AortaError('ACME-PULSAR-CLOSED')).toThrow();
  // @ts-expect-error: the host is missing.
  expect(new PulsarError('ACME-PULSAR-TOPIC', { topic: 'events' }).message).toBe('There is no topic events at {host}.');
  expect(new PulsarError('ACME-PULSAR-CLOSED').message).toBe('The broker hung up.');
});

test('an error can be rebuilt from its plain data without its catalogue', () => {
  const error = new PulsarError('ACME-PULSAR-TOPIC', { topic: 'events', host: 'h' });
  const rebuilt = new AortaError(structuredClone(factsOf(error)));
  expect(isAortaError(rebuilt)).toBe(true);
  expect(factsOf(rebuilt)).toEqual(factsOf(error));
  expect(`${rebuilt}`).toBe('AortaError: There is no topic events at h.');
});

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
