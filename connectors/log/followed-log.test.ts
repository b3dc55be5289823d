import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inUse, partitionOf } from '../stream-log.ts';
import { numbered, numbersOf, range, temporaryFolder } from '../streams/records.fixture.ts';
import { FollowedLog } from './followed-log.ts';
import { openLocalLog } from './local-log.ts';

/** For logs without damage. */
const undamaged = async (): Promise<void> => {};

test('a reader in another thread reads exactly the records that the last view reports as durable', async () => {
  const base = await temporaryFolder(true);
  let run = 0;
  const action = fc.oneof(
    fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 12 }), size: fc.nat(700) }),
    fc.record({ kind: fc.constant('flush' as const) }),
    fc.record({ kind: fc.constant('tell' as const) }),
    fc.record({ kind: fc.constant('read' as const), from: fc.double({ min: 0, max: 1, noNaN: true }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const folder = join(base, String(run++));
      // Small sizes produce many segments and blocks.
      const log = await openLocalLog({ folder, segmentBytes: 2000, blockBytes: 300 });
      const followed = new FollowedLog(folder, undamaged);
      const told = new Map<StreamName, number>();
      let appended = 0;
      let visible = 0;
      for (const step of actions) {
        if (step.kind === 'append') for (const _ of range(0, step.count)) log.append('unrouted', numbered(appended++, step.size));
        else if (step.kind === 'flush') await log.flush();
        else if (step.kind === 'tell') {
          // Clones the views, just as sending them to another thread would.
          const views = structuredClone(log.views(told));
          for (const { name, end } of views) told.set(name, end);
          followed.see(views);
          visible = log.end(partitionOf('unrouted'));
        } else {
          const from = Math.floor(step.from * visible);
          const { records, to } = await followed.read(partitionOf('unrouted'), from, { records: 9, bytes: 1e9 });
          expect(numbersOf(records)).toEqual(range(from, Math.min(from + 9, visible)));
          expect(to).toBe(from + records.length);
        }
        expect(followed.end(partitionOf('unrouted'))).toBe(visible);
        expect(inUse(followed)).toEqual(visible > 0 ? [partitionOf('unrouted')] : []);
      }
      await followed.close();
      await log.close();
    }),
    { numRuns: 100 },
  );
});

test('a view includes only streams that have grown, and only segments that may have changed', async () => {
  const folder = await temporaryFolder(true);
  const log = await openLocalLog({ folder, segmentBytes: 1 });
  const told = new Map<StreamName, number>();
  for (const { name, end } of log.views(told)) told.set(name, end);
  expect(log.views(told)).toEqual([]);
  for (const number of range(0, 3)) {
    log.append('unrouted', numbered(number));
    await log.flush();
  }
  told.set('unrouted', 2);
  const [view, ...others] = log.views(told);
  expect(others).toEqual([]);
  expect(view).toMatchObject({ name: 'unrouted', incarnation: log.incarnation(partitionOf('unrouted')), end: 3 });
  expect(view!.segments.map(({ first }) => first)).toEqual([2]);
  await log.close();
});

test('reading beyond the known end of a stream is rejected', async () => {
  const followed = new FollowedLog(await temporaryFolder(true), undamaged);
  await expect(followed.read(partitionOf('unrouted'), 1, { records: 1, bytes: 1 })).rejects.toMatchObject({ code: 'AORTA-BUG' });
  expect((await followed.read(partitionOf('unrouted'), 0, { records: 1, bytes: 1 })).records).toEqual([]);
});

test('a commit is durable for the next process, and one beyond the known end is rejected', async () => {
  const folder = await temporaryFolder(true);
  const log = await openLocalLog({ folder });
  const of = partitionOf('unrouted');
  log.append('unrouted', numbered(0));
  log.append('unrouted', numbered(1));
  await log.flush();
  const followed = new FollowedLog(folder, undamaged);
  followed.see(log.views(new Map()));
  await Promise.all([followed.commit('group', of, 1), followed.commit('group', of, 2), log.commit('other', of, 1)]);
  await expect(followed.commit('group', of, 3)).rejects.toMatchObject({ code: 'AORTA-BUG' });
  await followed.close();
  await log.close();
  await using next = await openLocalLog({ folder });
  expect([next.committed('group', of), next.committed('other', of)]).toEqual([2, 1]);
});
