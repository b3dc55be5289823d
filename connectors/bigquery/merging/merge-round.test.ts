import { tables as declared } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { landedBatch } from '../landing/landed-batch.fixture.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { droppable } from './merge-round.ts';
import { MergedRecord } from './merged-record.ts';

const tables = declared.filter(({ name }) => name === 'body');

const batch = (from: number, incarnation = 'i'): LandedBatch =>
  landedBatch({ name: `${incarnation}${from}`, stream: 'body', incarnation, from, to: from + 10, begins: from === 0 });

function merged(...batches: readonly LandedBatch[]): MergedRecord {
  const record = new MergedRecord();
  for (const { name } of batches) {
    record.add(name, 'body', []);
    record.add(name, 'deliveries', [20_000]);
  }
  return record;
}

const everything = () => true;

test('fully merged landing tables are dropped in order, and the position after them is stored', () => {
  const [first, second, third] = [batch(0), batch(10), batch(20)];
  const { batches, positions } = droppable([third, second, first], merged(first, third), tables, everything);
  expect(batches.map(({ name }) => name)).toEqual(['i0']);
  expect(positions).toEqual([{ stream: 'body', partition: 0, incarnation: 'i', position: 10 }]);
});

test('a batch is kept if it is not merged into every table, or if another worker owns its table', () => {
  const one = batch(0);
  const half = new MergedRecord();
  half.add(one.name, 'body', []);
  expect(droppable([one], half, tables, everything).batches).toEqual([]);
  expect(droppable([one], merged(one), tables, (target) => target !== 'body').batches).toEqual([]);
});

test('batches are dropped in order, separately for each incarnation of a stream', () => {
  const [waits, done] = [batch(0, 'before'), batch(0, 'anew')];
  const { batches } = droppable([waits, done], merged(done), tables, everything);
  expect(batches).toEqual([done]);
});
