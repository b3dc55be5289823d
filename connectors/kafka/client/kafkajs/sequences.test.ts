import { expect, test } from 'vitest';
import { Sequences, sequenceAfter } from './leaders.ts';

const identity = { producerId: '7', producerEpoch: 0 };

test('a batch keeps its sequence number until it is written, and the next batch continues after it', () => {
  const sequences = new Sequences();
  expect(sequences.next()).toBeUndefined();
  expect(sequences.begin(identity)).toEqual({ identity, first: 0 });
  expect(sequences.next()).toEqual({ identity, first: 0 });
  sequences.written(3);
  expect(sequences.next()).toEqual({ identity, first: 3 });
  expect(sequences.next()).toEqual({ identity, first: 3 });
});

test('sequence numbers restart at 0 when the producer gets a new identity', () => {
  const sequences = new Sequences();
  sequences.begin(identity);
  sequences.written(3);
  sequences.forget();
  expect(sequences.next()).toBeUndefined();
  const other = { producerId: '8', producerEpoch: 0 };
  expect(sequences.begin(other)).toEqual({ identity: other, first: 0 });
});

// Kafka's DefaultRecordBatch.incrementSequence follows the same rule.
test('the sequence number wraps to 0 after 2^31 - 1, even within a batch', () => {
  expect(sequenceAfter(2_147_483_646, 1)).toBe(2_147_483_647);
  expect(sequenceAfter(2_147_483_647, 1)).toBe(0);
  expect(sequenceAfter(2_147_483_640, 10)).toBe(2);
});
