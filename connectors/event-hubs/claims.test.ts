import { setImmediate } from 'node:timers/promises';
import type { PartitionOwnership } from '@azure/event-hubs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockChanges } from '../../infra/machine/system-clock.fixture.ts';
import type { Checkpoints } from './checkpoints/checkpoints.ts';
import { Claims, type PartitionOfHub } from './claims.ts';
import { keepingLogger } from './event-hubs.fixture.ts';

/** The time of the system clock in these tests, in milliseconds since 1970. */
const NOW = Date.UTC(2026, 2, 28);
beforeEach(() => void vi.setSystemTime(NOW));
afterEach(() => void vi.useRealTimers());

/** An in-memory store that tests can make fail. */
class MemoryStore implements Checkpoints {
  readonly records = new Map<string, PartitionOwnership>();
  failing = false;
  changes = 0;

  async listOwnership(): Promise<PartitionOwnership[]> {
    if (this.failing) throw new Error('planted-value');
    return [...this.records.values()].map((record) => ({ ...record }));
  }

  async claimOwnership(wanted: PartitionOwnership[]): Promise<PartitionOwnership[]> {
    if (this.failing) throw new Error('planted-value');
    return wanted.flatMap((claim) => {
      if (this.records.get(claim.partitionId)?.etag !== claim.etag) return [];
      this.changes += 1;
      const record = { ...claim, etag: String(this.changes), lastModifiedTimeInMs: NOW + this.changes };
      this.records.set(claim.partitionId, record);
      return [{ ...record }];
    });
  }

  async listCheckpoints(): Promise<never[]> {
    return [];
  }

  async updateCheckpoint(): Promise<void> {}
}

const partitions: readonly PartitionOfHub[] = ['0', '1', '2', '3'].map((partitionId) => ({ hub: 'events', partitionId }));

/** Returns a worker with its own clock. It runs a round of claims only when the test calls `look`. */
function worker(name: string, store: MemoryStore) {
  const held = new Map<string, number>();
  const logger = keepingLogger();
  const clock = { now: 0 };
  const waits: string[] = [];
  const claims = new Claims({
    store,
    host: 'ns',
    group: 'g',
    worker: name,
    intervalMs: 1000,
    expiryMs: 30_000,
    partitions: () => partitions,
    onClaimed: ({ partitionId }, epoch) => held.set(partitionId, epoch),
    onLost: ({ partitionId }) => held.delete(partitionId),
    logger,
    waits: (reason) => {
      waits.push(reason);
      return () => void waits.splice(waits.indexOf(reason), 1);
    },
    clock: () => clock.now,
  });
  return { claims, held, logger, clock, waits };
}

test('a second worker takes half of the partitions, and the first worker takes them back after the claims expire', async () => {
  const store = new MemoryStore();
  const [a, b] = [worker('a', store), worker('b', store)];
  await a.claims.look();
  expect([...a.held.keys()]).toEqual(['0', '1', '2', '3']);
  const epochs = new Map(a.held);
  await b.claims.look();
  await a.claims.look();
  expect([a.held.size, b.held.size]).toEqual([2, 2]);
  // The hub prefers the reader with the higher epoch.
  for (const [partition, epoch] of b.held) expect(epoch).toBeGreaterThan(epochs.get(partition)!);
  // Worker b stops. Worker a runs a round every two seconds, renews its claims, and takes over the expired ones.
  for (a.clock.now = 2000; a.clock.now < 30_000; a.clock.now += 2000) await a.claims.look();
  expect(a.held.size).toBe(2);
  a.clock.now = 32_000;
  await a.claims.look();
  expect(a.held.size).toBe(4);
  // Worker b resumes, and drops the partitions that it no longer owns.
  await b.claims.look();
  await b.claims.look();
  expect(b.held.size).toBeLessThanOrEqual(2);
  for (const partition of b.held.keys()) expect(store.records.get(partition)?.ownerId).toBe('b');
});

test('a worker keeps all its claims although it renews only one claim in each third of the expiry time', async () => {
  const store = new MemoryStore();
  const [a, b] = [worker('a', store), worker('b', store)];
  await a.claims.look();
  await b.claims.look();
  await a.claims.look();
  for (let now = 0; now <= 300_000; now += 2000) {
    a.clock.now = now;
    b.clock.now = now;
    await a.claims.look();
    await b.claims.look();
  }
  expect([a.held.size, b.held.size]).toEqual([2, 2]);
  // Six claims at first, then about thirty renewals per worker in five minutes.
  expect(store.changes).toBeGreaterThanOrEqual(6 + 2 * 28);
  expect(store.changes).toBeLessThanOrEqual(6 + 2 * 31);
  // Each worker renews its claims in rotation, so no claim is old.
  const ages = [...store.records.values()].map(({ etag }) => store.changes - Number(etag));
  expect(Math.max(...ages)).toBeLessThan(6);
});

test.each(clockChanges)(
  'if the clock of a worker is %s, it takes over claims after they expire, and not earlier',
  async (_, jump) => {
    const store = new MemoryStore();
    const [a, b] = [worker('a', store), worker('b', store)];
    await a.claims.look();
    vi.setSystemTime(NOW + jump);
    await b.claims.look();
    expect([...b.held.keys()]).toHaveLength(2);
    b.clock.now = 29_999;
    await b.claims.look();
    expect([...b.held.keys()]).toHaveLength(2);
    b.clock.now = 30_000;
    await b.claims.look();
    expect([...b.held.keys()]).toHaveLength(4);
  },
);

test('while the store is unavailable, a worker keeps its partitions and logs only one warning', async () => {
  const store = new MemoryStore();
  const a = worker('a', store);
  await a.claims.look();
  store.failing = true;
  for (a.clock.now = 0; a.clock.now < 100_000; a.clock.now += 2000) await a.claims.look();
  expect(a.held.size).toBe(4);
  expect(a.waits).toEqual(['the checkpoints cannot be reached']);
  store.failing = false;
  await a.claims.look();
  expect(a.held.size).toBe(4);
  expect(a.waits).toEqual([]);
  expect(a.logger.lines.map(({ event }) => event)).toEqual(['claims cannot be read', 'claims can be read again']);
  expect(JSON.stringify(a.logger.lines)).not.toContain('planted-value');
});

test('a worker that restarts under the same name regains its claims at once, with higher epochs', async () => {
  const store = new MemoryStore();
  const before = worker('a', store);
  await before.claims.look();
  const after = worker('a', store);
  await after.claims.look();
  expect([...after.held.keys()]).toEqual(['0', '1', '2', '3']);
  for (const [partition, epoch] of after.held) expect(epoch).toBeGreaterThan(before.held.get(partition)!);
});

test('released claims have no owner', async () => {
  const store = new MemoryStore();
  const a = worker('a', store);
  await a.claims.look();
  await a.claims.release();
  expect([...store.records.values()].map(({ ownerId }) => ownerId)).toEqual(['', '', '', '']);
});

test('lookSoon() starts a round at once, and aborting the signal ends run()', async () => {
  const store = new MemoryStore();
  const a = worker('a', store);
  const stop = new AbortController();
  const running = a.claims.run(stop.signal);
  await setImmediate();
  await setImmediate();
  store.records.set('0', { ...store.records.get('0')!, ownerId: 'b', etag: 'x' });
  expect(a.held.size).toBe(4);
  a.claims.lookSoon();
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  expect(a.held.has('0')).toBe(false);
  stop.abort();
  await running;
});
