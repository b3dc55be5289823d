import { expect, test } from 'vitest';
import { type Ownership, ownAlone } from '../../ownership.ts';
import { ownByGroup } from './group-ownership.ts';
import { MemoryKafka } from './memory-kafka.fixture.ts';
import { settingsOf } from './settings.fixture.ts';
import { applyTopics } from './topics.ts';

const shares = ['activity', 'sleep', 'timeseries', 'workouts', 'labs'];
const names = (ownership: Ownership): string[] => ownership.owned().map(({ name }) => name);

test('a single worker owns every share until it closes', async () => {
  let changes = 0;
  const alone = ownAlone({ shares, onChange: () => changes++ });
  const [first] = alone.owned();
  expect([names(alone), first!.lost.aborted]).toEqual([shares, false]);
  await alone.close();
  await alone.close();
  expect([alone.owned(), first!.lost.aborted, changes]).toEqual([[], true, 1]);
});

test('each share has one owner in a group, and the owner is notified before it loses a share', async () => {
  const kafka = new MemoryKafka();
  const settings = settingsOf({ partitions: 2 });
  await applyTopics(kafka.client().admin, settings);
  const told: string[][] = [];
  const join = (name: string): Promise<Ownership> =>
    ownByGroup({
      client: kafka.client(name),
      prefix: settings.prefix,
      work: 'merge',
      shares,
      onRelease: async (lost) => {
        told.push(lost.map((one) => one.name));
        expect(lost.every((one) => !one.lost.aborted)).toBe(true);
      },
    });
  const first = await join('first');
  expect(names(first).sort()).toEqual([...shares].sort());
  const before = first.owned();
  const second = await join('second');
  expect(told[0]!.sort()).toEqual([...shares].sort());
  expect(before.every(({ lost }) => lost.aborted)).toBe(true);
  expect(names(second).length).toBeGreaterThan(0);
  expect([...names(first), ...names(second)].sort()).toEqual([...shares].sort());
  await first.close();
  expect(first.owned()).toEqual([]);
  expect(names(second).sort()).toEqual([...shares].sort());
  await second.close();
});

test('a share that two versions have in common has one owner while workers of both versions run', async () => {
  const kafka = new MemoryKafka();
  const settings = settingsOf({ partitions: 4 });
  await applyTopics(kafka.client().admin, settings);
  const join = (name: string, some: readonly string[]): Promise<Ownership> =>
    ownByGroup({ client: kafka.client(name), prefix: settings.prefix, work: 'merge', shares: some });
  const older = await join('older', shares);
  const newer = await join('newer', ['a-new-one', ...shares, 'another']);
  const owned = [...names(older), ...names(newer)].filter((name) => shares.includes(name));
  expect(owned.sort()).toEqual([...shares].sort());
  await older.close();
  await newer.close();
});

test('joining rejects if the shares topic does not exist', async () => {
  const options = { client: new MemoryKafka().client(), prefix: 'a.', work: 'merge', shares };
  await expect(ownByGroup(options)).rejects.toMatchObject({ code: 'AORTA-STREAM-TOPIC-MISSING' });
});
