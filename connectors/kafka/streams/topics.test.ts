import { streamNames } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { topicsOfStreams } from '../../streams/topic-names.ts';
import { MemoryKafka } from './memory-kafka.fixture.ts';
import { settingsOf } from './settings.fixture.ts';
import { applyTopics, planTopics } from './topics.ts';

const settings = settingsOf({ partitions: 4, prefix: 'a-', retention_hours: 2, min_in_sync: 2, replicas: 3 });

test('applyTopics() creates the missing topics as declared, and a second call changes nothing', async () => {
  const kafka = new MemoryKafka();
  const { admin } = kafka.client();
  expect((await planTopics(admin, settings)).length).toBe(streamNames.length + 3);
  expect(kafka.logs.size).toBe(0);
  const { made, left } = await applyTopics(admin, settings);
  expect(made).toContain('a-timeseries');
  expect(left).toEqual([]);
  expect(kafka.declared.get('a-sleep')).toMatchObject({
    partitions: 4,
    replicas: 3,
    settings: { 'cleanup.policy': 'delete', 'retention.ms': '7200000', 'min.insync.replicas': '2' },
  });
  expect(kafka.declared.get('a-_register')).toMatchObject({ partitions: 1, settings: { 'cleanup.policy': 'compact' } });
  expect(await applyTopics(admin, settings)).toEqual({ made: [], grown: [], left: [] });
});

test('applyTopics() reports how existing topics differ from their declarations, and adds partitions only on request', async () => {
  const kafka = new MemoryKafka();
  const { admin } = kafka.client();
  await applyTopics(admin, { ...settings, retention_hours: 1 });
  const more = { ...settings, partitions: 6 };
  const { left } = await applyTopics(admin, more);
  expect(left).toContainEqual({ kind: 'partitions', topic: 'a-sleep', declared: 6, found: 4 });
  expect(left).toContainEqual({
    kind: 'setting',
    topic: 'a-sleep',
    setting: 'retention.ms',
    declared: '7200000',
    found: '3600000',
  });
  expect(kafka.logs.get('a-sleep')!.length).toBe(4);
  const grown = await applyTopics(admin, more, { grow: true });
  expect(grown.grown).toContain('a-sleep');
  expect(kafka.logs.get('a-sleep')!.length).toBe(6);
  expect((await applyTopics(admin, { ...settings, partitions: 2 }, { grow: true })).grown).toEqual([]);
  expect(kafka.logs.get('a-sleep')!.length).toBe(6);
});

test('topicsOfStreams() finds the topics of each installation in a cluster, and no other topic', async () => {
  const kafka = new MemoryKafka();
  const { admin } = kafka.client();
  for (const prefix of ['a-', 'b.c.']) await applyTopics(admin, { ...settings, prefix });
  const own = await admin.topics();
  expect(own).toHaveLength(2 * (streamNames.length + 3));
  const others = ['sleep', 'health.sleep', 'health._register', 'a-events', 'b.c.', 'x_register', 'x_state', 'xsleep'];
  expect([...topicsOfStreams([...others, ...own])].toSorted()).toEqual(own.toSorted());
  expect(topicsOfStreams(others)).toEqual(new Set());
});
