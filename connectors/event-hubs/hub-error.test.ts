import { DeadlinePassed } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { conditionOf, failureOf, setupError } from './hub-error.ts';

const secret = 'planted-value';

function named(name: string, parts: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(`the message says ${secret}`), { name, ...parts });
}

test('a failure is classified by the names and codes in the error and its nested errors', () => {
  expect(failureOf(named('MessagingError', { code: 'UnauthorizedError' }))).toBe('refused');
  expect(failureOf(named('MessagingError', { code: 'MessagingEntityNotFoundError' }))).toBe('not-found');
  expect(failureOf(named('MessagingError', { code: 'ReceiverDisconnectedError' }))).toBe('stolen');
  expect(failureOf(named('ArgumentError'))).toBe('stale');
  expect(failureOf(named('Error', { code: 'ECONNREFUSED' }))).toBe('unreachable');
  expect(failureOf(new DeadlinePassed())).toBe('unreachable');
  expect(failureOf(named('RestError', { statusCode: 403 }))).toBe('refused');
  expect(failureOf(new AggregateError([named('x'), named('y', { code: 'ServerBusyError' })]))).toBe('busy');
  expect(failureOf(named('x', { cause: named('y', { code: 'ENOTFOUND' }) }))).toBe('unreachable');
  for (const odd of [undefined, null, 'text', 7, {}, named('TypeError')]) expect(failureOf(odd)).toBe('other');
});

test('an Aorta error never quotes a message from the client library', () => {
  const place = { namespace: 'ns', hub: 'health', group: 'g' };
  const errors = [
    named('MessagingError', { code: 'UnauthorizedError' }),
    named('MessagingError', { code: 'MessagingEntityNotFoundError' }),
    named('ECONNREFUSED'),
    named(`odd name ${secret}`),
    new AggregateError([named('x', { code: `${secret} with blanks` })]),
  ];
  for (const error of errors) {
    for (const asking of ['hub', 'group'] as const) {
      const told = setupError(error, place, asking);
      expect(JSON.stringify([told.message, told.remedy, told.details, conditionOf(error)])).not.toContain(secret);
    }
  }
  expect(errors.map((error) => setupError(error, place, 'hub').code)).toEqual([
    'AORTA-HUB-REFUSED',
    'AORTA-HUB-MISSING',
    'AORTA-HUB-UNREACHABLE',
    'AORTA-HUB-FAILED',
    'AORTA-HUB-FAILED',
  ]);
  expect(setupError(errors[1], place, 'group').code).toBe('AORTA-HUB-GROUP-MISSING');
});

test('a client error is reported by its AMQP condition, even if it is nested in another error', () => {
  const refused = named('MessagingError', { code: 'UnauthorizedError' });
  expect(conditionOf(refused)).toBe('amqp:unauthorized-access');
  expect(conditionOf(new AggregateError([named('x'), refused]))).toBe('amqp:unauthorized-access');
  expect(conditionOf(named('MessagingError', { code: 'MessagingEntityNotFoundError' }))).toBe('amqp:not-found');
  expect(conditionOf(named('Error', { code: 'HTTP_407' }))).toBe('HTTP_407');
  expect(setupError(refused, { namespace: 'ns', hub: 'h', group: 'g' }, 'hub').details.condition).toBe(
    'amqp:unauthorized-access',
  );
});
