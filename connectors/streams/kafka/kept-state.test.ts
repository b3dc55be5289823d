import { expect, test } from 'vitest';
import { KeptState } from './kept-state.ts';
import { MemoryKafka } from './testing/memory-kafka.fixture.ts';
import { settingsOf } from './testing/settings.fixture.ts';
import { applyTopics } from './topics.ts';

const settings = settingsOf({ prefix: 'a.' });

test('what is kept is there for the next one: the last text of each name, nothing of what was taken away, and nothing of others', async () => {
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
  // Every other job, some of which are in the same partition, and one whose name only begins alike.
  for (const other of ['users-and-more', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'])
    await (await open(other)).write([['a', other]]);
  expect(Object.fromEntries((await open('users')).take())).toEqual({ a: '3', d: '4' });
  expect(Object.fromEntries((await open('users-and-more')).take())).toEqual({ a: 'users-and-more' });
});

test('much of it is written in calls that a broker takes, in its order', async () => {
  const kafka = new MemoryKafka();
  await applyTopics(kafka.client().admin, settings);
  const open = () => KeptState.open({ client: kafka.client(), prefix: settings.prefix, owner: 'users' });
  const many = Array.from({ length: 30 }, (_, index) => [`n${index}`, 'x'.repeat(100_000)] as const);
  await (await open()).write(many);
  expect(kafka.calls.filter((call) => call.startsWith('produce')).length).toBeGreaterThan(5);
  expect([...(await open()).take().keys()]).toEqual(many.map(([name]) => name));
});

test('without the topic there is nothing to remember in', async () => {
  const opening = { client: new MemoryKafka().client(), prefix: 'a.', owner: 'users' };
  await expect(KeptState.open(opening)).rejects.toMatchObject({ code: 'AORTA-STREAM-TOPIC-MISSING' });
});
