import { expect, test } from 'vitest';
import type { TopicPartition } from '../client.ts';
import { distribute, type Reader } from './assignment.ts';

const reader = (member: string, ...topics: string[]): Reader => ({ member, topics: new Set(topics) });
const partitions = (topic: string, count: number): TopicPartition[] =>
  Array.from({ length: count }, (_, partition) => ({ topic, partition }));

function shares(readers: readonly Reader[], all: readonly TopicPartition[]): Record<string, string[]> {
  const entries = [...distribute(readers, all)].map(([member, has]) => [
    member,
    has.map(({ topic, partition }) => `${topic}${partition}`),
  ]);
  return Object.fromEntries(entries) as Record<string, string[]>;
}

test('partitions are distributed evenly, regardless of the order of members', () => {
  const all = partitions('a', 5);
  const expected = { one: ['a0', 'a2', 'a4'], two: ['a1', 'a3'] };
  expect(shares([reader('one', 'a'), reader('two', 'a')], all)).toEqual(expected);
  expect(shares([reader('two', 'a'), reader('one', 'a')], all)).toEqual(expected);
});

test('a member gets only partitions of topics that it reads, and every member is in the result', () => {
  const all = [...partitions('a', 2), ...partitions('b', 2), ...partitions('c', 1)];
  expect(shares([reader('one', 'a', 'b'), reader('two', 'b')], all)).toEqual({ one: ['a0', 'a1'], two: ['b0', 'b1'] });
  expect(shares([reader('one', 'a'), reader('two', 'a'), reader('three', 'a')], partitions('a', 2))).toEqual({
    one: ['a0'],
    three: ['a1'],
    two: [],
  });
});
