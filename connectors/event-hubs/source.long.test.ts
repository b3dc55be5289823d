import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventHubs } from '@aorta/event-hubs-server';
import { type Metrics, silentMetrics } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { inTime } from '../../infra/machine/waiting.fixture.ts';
import { FileCheckpoints } from './checkpoints/file-store.ts';
import { keepingLogger, sourceOn } from './event-hubs.fixture.ts';
import type { HubMetrics } from './metrics.ts';

test('a source that is closed while its checkpoint store opens claims nothing and leaves no gauge behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'event-hubs-'));
  await using server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
  const watched = new Set<unknown>();
  const metrics: Metrics<HubMetrics> = {
    ...silentMetrics,
    watch: (read) => {
      watched.add(read);
      return () => void watched.delete(read);
    },
  };
  const logger = keepingLogger();
  const openStore = async () => {
    await source.close();
    return new FileCheckpoints(folder, 'test');
  };
  const source = sourceOn(server, folder, { metrics, logger, openStore });
  const first = source.batches(new AbortController().signal).next();
  expect(await inTime('the end of the batches', first)).toEqual({ done: true, value: undefined });
  expect(watched.size).toBe(0);
  expect(logger.lines.map(({ event }) => event)).not.toContain('event hubs opened');
  await rm(folder, { recursive: true });
});
