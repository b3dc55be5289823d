import { expect, test } from 'vitest';
import { KafkaError } from '../errors.ts';
import { catalogueError, isMembershipOver, isRefusedCommit, setupError } from './library-errors.ts';

const protocol = (type: string): object => ({
  name: 'KafkaJSNumberOfRetriesExceeded',
  cause: { name: 'KafkaJSProtocolError', type },
});

test("an error that a person must fix has its own code, without the library's message", () => {
  const codes = (error: unknown): string | undefined => setupError(error)?.code;
  expect(codes({ name: 'KafkaJSSASLAuthenticationError', message: 'secret' })).toBe('AORTA-KAFKA-LOGIN');
  expect(codes(protocol('GROUP_AUTHORIZATION_FAILED'))).toBe('AORTA-KAFKA-FORBIDDEN');
  expect(codes(protocol('INCONSISTENT_GROUP_PROTOCOL'))).toBe('AORTA-KAFKA-REFUSED');
  expect(codes({ name: 'KafkaJSConnectionError', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })).toBe('AORTA-KAFKA-TLS');
  expect(codes({ name: 'KafkaJSConnectionError', code: 'ECONNREFUSED' })).toBe(undefined);
  expect(codes(protocol('REQUEST_TIMED_OUT'))).toBe(undefined);
  expect(codes(undefined)).toBe(undefined);
  expect(catalogueError(new Error('secret'), 'ask').message).not.toContain('secret');
  const ours = new KafkaError('AORTA-KAFKA-LOGIN');
  expect(catalogueError(ours, 'ask')).toBe(ours);
});

test('a commit is refused during a rebalance, although the member still belongs to the group', () => {
  const rebalance = { type: 'REBALANCE_IN_PROGRESS' };
  expect([isRefusedCommit(rebalance), isMembershipOver(rebalance)]).toEqual([true, false]);
  const over = { type: 'ILLEGAL_GENERATION' };
  expect([isRefusedCommit(over), isMembershipOver(over)]).toEqual([true, true]);
  expect(isRefusedCommit({ type: 'NOT_COORDINATOR_FOR_GROUP' })).toBe(false);
});
