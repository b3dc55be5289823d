import { expect, test } from 'vitest';
import { KafkaError } from '../client/errors.ts';
import { KeptState } from './kept-state.ts';
import { MemoryKafka } from './memory-kafka.fixture.ts';
import { settingsOf } from './settings.fixture.ts';
import { applyTopics } from './topics.ts';

const settings = settingsOf({ prefix: 'a.' });

test('a new owner reads the latest value of each entry, but no deleted entries and no entries of other owners', async () => {
  const kafka = new MemoryKafka();
  await applyTopics(kafka.client().admin, settings);
  const open = (owner: string) => KeptState.open({ client: kafka.client(), prefix: settings.prefix, owner });
  const first = await open('users');
  expect([...first.take()]).toEqual([]);
  await first.write([
    ['a', '1'],
    ['b/c', '2'],
  ]);
  await first.write([]);
  await first.write([
    ['a', '3'],
    ['d', '4'],
    ['b/c', null],
  ]);
  await first.close();
  // Write entries of other jobs. Some are in the same partition, and one job's name starts with the name of this job.
  for (const other of ['users-and-more', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'])
    await (await open(other)).write([['a', other]]);
  expect(Object.fromEntries((await open('users')).take())).toEqual({ a: '3', d: '4' });
  expect(Object.fromEntries((await open('users-and-more')).take())).toEqual({ a: 'users-and-more' });
});

test('a large write is split into several produce calls and keeps the order of its entries', async () => {
  const kafka = new MemoryKafka();
  await applyTopics(kafka.client().admin, settings);
  const open = () => KeptState.open({ client: kafka.client(), prefix: settings.prefix, owner: 'users' });
  const many = Array.from({ length: 30 }, (_, index) => [`n${index}`, 'x'.repeat(100_000)] as const);
  await (await open()).write(many);
  expect(kafka.calls.filter((call) => call.startsWith('produce')).length).toBeGreaterThan(5);
  expect([...(await open()).take().keys()]).toEqual(many.map(([name]) => name));
});

test('a worker that wakes up after another one has opened the state cannot write', async () => {
  const kafka = new MemoryKafka();
  await applyTopics(kafka.client().admin, settings);
  const open = () => KeptState.open({ client: kafka.client(), prefix: settings.prefix, owner: 'users' });
  const first = await open();
  await first.write([['a', '1']]);
  // The first owner freezes inside a write. Its next attempt also fails, because it takes the transactional id back.
  const woken = Promise.withResolvers<void>();
  kafka.beforeProduce = () => woken.promise;
  const late = first.write([
    ['a', 'stale'],
    ['b', 'stale'],
  ]);
  kafka.beforeProduce = async () => {};
  const second = await open();
  await second.write([['a', '2']]);
  woken.resolve();
  await expect(late).rejects.toMatchObject({ code: 'AORTA-STREAM-STATE-TAKEN', details: { job: 'users' } });
  await expect(first.write([['a', 'stale']])).rejects.toMatchObject({ code: 'AORTA-STREAM-STATE-TAKEN' });
  await second.write([['c', '3']]);
  expect(Object.fromEntries((await open()).take())).toEqual({ a: '2', c: '3' });
});

test('an owner repeats a failed write if nobody has taken over its state', async () => {
  const kafka = new MemoryKafka();
  await applyTopics(kafka.client().admin, settings);
  const open = () => KeptState.open({ client: kafka.client(), prefix: settings.prefix, owner: 'users' });
  const state = await open();
  let failures = 2;
  kafka.beforeProduce = async () => {
    if (failures-- > 0) throw new KafkaError('AORTA-KAFKA-FAILED', { doing: 'write records', reason: 'no answer' });
  };
  await state.write([['a', '1']]);
  kafka.beforeProduce = async () => {
    throw new KafkaError('AORTA-KAFKA-LOGIN');
  };
  await expect(state.write([['a', '2']])).rejects.toMatchObject({ code: 'AORTA-KAFKA-LOGIN' });
  kafka.beforeProduce = async () => {};
  expect(Object.fromEntries((await open()).take())).toEqual({ a: '1' });
});

test('opening the state rejects if the topic does not exist', async () => {
  const opening = { client: new MemoryKafka().client(), prefix: 'a.', owner: 'users' };
  await expect(KeptState.open(opening)).rejects.toMatchObject({ code: 'AORTA-STREAM-TOPIC-MISSING' });
});
