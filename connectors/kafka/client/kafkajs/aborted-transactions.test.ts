import { expect, test } from 'vitest';
import type { FetchedMessage } from './internals.ts';
import { skipAborted } from './records.ts';

function message(offset: number, producerId: string, more: Partial<FetchedMessage> = {}): FetchedMessage {
  const nothing = { timestamp: '0', key: null, value: null, headers: [], isControlRecord: false };
  return { ...nothing, offset: String(offset), batchContext: { producerId, inTransaction: true }, ...more };
}

const abort = { key: Buffer.from([0, 0, 0, 0]), isControlRecord: true };
const commit = { key: Buffer.from([0, 0, 0, 1]), isControlRecord: true };

function kept(
  messages: FetchedMessage[],
  abortedTransactions: readonly (readonly [producerId: string, first: number])[],
): number[] {
  skipAborted({
    messages,
    abortedTransactions: abortedTransactions.map(([producerId, first]) => ({ producerId, firstOffset: String(first) })),
  });
  return messages.filter(({ isControlRecord }) => !isControlRecord).map(({ offset }) => Number(offset));
}

test('overlapping aborted transactions are skipped, although brokers list them in the order in which they ended', () => {
  const messages = [message(0, 'a'), message(1, 'b'), message(2, 'b', abort), message(3, 'a'), message(4, 'a', abort)];
  expect(
    kept(
      [...messages, message(5, 'a'), message(6, 'a', commit)],
      [
        ['b', 1],
        ['a', 0],
      ],
    ),
  ).toEqual([5]);
});

test('if a fetch starts inside two overlapping aborted transactions, the records of both are skipped', () => {
  expect(
    kept(
      [message(9, 'a'), message(10, 'b'), message(11, 'a')],
      [
        ['a', 2],
        ['b', 3],
      ],
    ),
  ).toEqual([]);
});

test('a record is not mistaken for a transaction marker because of its key, and records outside transactions are kept', () => {
  const records = [
    message(0, 'a', { key: Buffer.alloc(4) }),
    message(1, 'a'),
    message(2, 'a', { batchContext: { producerId: 'a', inTransaction: false } }),
    message(3, 'c'),
  ];
  expect(kept(records, [['a', 0]])).toEqual([2, 3]);
});
