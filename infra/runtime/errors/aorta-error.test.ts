import { expect, test } from 'vitest';
import { AortaError, errorsOf, factsOf, isAortaError } from './aorta-error.ts';
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
