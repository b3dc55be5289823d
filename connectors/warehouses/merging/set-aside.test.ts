import { tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import type { MergeTarget, PendingMerge } from './pending-merge.ts';
import { SetAside } from './set-aside.ts';

const target = tables.find(({ name }) => name === 'sleep')!;
const HOUR = 3_600_000;

type Merge = PendingMerge<MergeTarget, { readonly name: string }>;

const merge = (...names: readonly string[]): Merge => ({
  target,
  range: 'recent',
  parts: names.map((name) => ({ batch: { name }, days: [], rows: 1 })),
});

const namesOf = (merges: readonly Merge[]): string[][] => merges.map(({ parts }) => parts.map(({ batch }) => batch.name));

test('a batch that was set aside is excluded from other merges and retried alone, first after one hour, then after two', () => {
  const aside = new SetAside();
  aside.add('b', 'sleep', 'recent', 0);
  expect(namesOf(aside.apart(merge('a', 'b', 'c'), HOUR - 1, false))).toEqual([['a', 'c']]);
  expect(namesOf(aside.apart(merge('a', 'b', 'c'), HOUR, false))).toEqual([['a', 'c'], ['b']]);
  aside.add('b', 'sleep', 'recent', HOUR);
  expect(namesOf(aside.apart(merge('b'), 3 * HOUR - 1, false))).toEqual([]);
  expect(namesOf(aside.apart(merge('b'), 3 * HOUR, false))).toEqual([['b']]);
});

test('the pause before a retry never exceeds one day', () => {
  const aside = new SetAside();
  for (let times = 0; times < 40; times++) aside.add('b', 'sleep', 'recent', 0);
  expect(namesOf(aside.apart(merge('b'), 24 * HOUR, false))).toEqual([['b']]);
});

test('a batch is set aside for each table separately, and it is retried at once if all pending merges must run', () => {
  const aside = new SetAside();
  aside.add('b', 'sleep', 'recent', 0);
  aside.add('b', 'deliveries', 'recent', 0);
  expect(namesOf(aside.apart(merge('a', 'b'), 0, true))).toEqual([['a'], ['b']]);
  expect(aside.counts()).toEqual(
    new Map([
      ['sleep', 1],
      ['deliveries', 1],
    ]),
  );
  aside.remove('b', 'sleep', 'recent');
  expect(namesOf(aside.apart(merge('a', 'b'), 0, false))).toEqual([['a', 'b']]);
  expect(aside.counts()).toEqual(new Map([['deliveries', 1]]));
  aside.keep((batch) => batch !== 'b');
  expect(aside.counts()).toEqual(new Map());
});
