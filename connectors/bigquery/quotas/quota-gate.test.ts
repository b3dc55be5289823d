import { expect, test } from 'vitest';
import { QuotaGate } from './quotas.ts';

test('the gate waits until a quota allows the step, and reports the quota and the length of the wait', async () => {
  let now = 0;
  const waited: [string, number][] = [];
  const until: unknown[] = [];
  const asleep: ReadonlyMap<string, number>[] = [];
  const gate: QuotaGate = new QuotaGate({
    share: { workers: 1, loadJobs: 1 },
    surroundings: {
      now: () => now,
      random: () => 0,
      sleep: async (milliseconds) => {
        until.push(...gate.waits());
        now += milliseconds;
        asleep.push(gate.waiting());
      },
    },
    onWaited: (reason, milliseconds) => waited.push([reason, milliseconds]),
  });
  const use = [{ quota: 'tableUpdates', table: 't' }] as const;
  await gate.ready(use);
  expect(waited).toEqual([]);
  await gate.ready(use);
  expect(waited).toEqual([['metadata updates of a table in 10 s', 2500]]);
  expect(asleep).toEqual([new Map([['metadata updates of a table in 10 s', 2.5]])]);
  expect(until).toEqual([{ reason: 'metadata updates of a table in 10 s', since: 0, dueAt: 2500 }]);
  expect([gate.waits(), gate.waiting()]).toEqual([[], new Map()]);
  // Each table has its own quota.
  await gate.ready([{ quota: 'tableUpdates', table: 'u' }]);
  expect(waited.length).toBe(1);
});
