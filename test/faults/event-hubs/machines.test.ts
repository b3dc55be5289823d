import { setTimeout as sleep } from 'node:timers/promises';
import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, describe, expect, test } from 'vitest';
import { startBlobServer } from '../../../connectors/event-hubs/checkpoints/blob-server.fixture.ts';
import { openCheckpoints } from '../../../connectors/event-hubs/checkpoints/open.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { after, work } from '../stage/goal.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { HUB } from './hubs.ts';
import { Stage } from './stage.ts';

/** Tests the ownership of partitions while machines join, leave, crash and freeze. */

const silences = new Silences();
afterAll(() => silences.print());

const SOON = work(3000);
/** Target time for resuming after a supervisor restarts a worker process. */
const STARTED_AGAIN = work(5000);
/** The default of `claim_expiry_s`. The loss of a machine cannot be detected sooner. */
const EXPIRY = 30_000;

/** Opens the checkpoint store of the machines, and returns the store and the consumer group of the checkpoints. */
async function checkpointsOf({ hubs, machines }: Stage) {
  const settings = { checkpoints: { type: 'file', folder: machines.checkpoints }, identity: {} } as const;
  const store = await openCheckpoints(settings, machines.checkpoints, 'thief');
  return { store, group: [`127.0.0.1:${hubs.port}`, HUB, '$Default'] as const };
}

/** Watches the checkpoints. The returned function stops watching and returns the checkpoints that went backwards. */
async function watchBackwards(stage: Stage): Promise<() => Promise<string[]>> {
  const { store, group } = await checkpointsOf(stage);
  const highest = new Map<string, number>();
  const backwards: string[] = [];
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const { partitionId, sequenceNumber } of await store.listCheckpoints(...group)) {
        const before = highest.get(partitionId) ?? -1;
        if (sequenceNumber < before) backwards.push(`${partitionId}: from ${before} to ${sequenceNumber}`);
        highest.set(partitionId, Math.max(before, sequenceNumber));
      }
      await sleep(20);
    }
  })();
  return async () => {
    stopping.abort();
    await watching;
    return backwards;
  };
}

/** Waits until a worker writes a checkpoint. */
async function checkpointWritten(stage: Stage): Promise<void> {
  const { store, group } = await checkpointsOf(stage);
  const listed = async () => JSON.stringify(await store.listCheckpoints(...group));
  const before = await listed();
  await until('a checkpoint', listed, (now) => now !== before);
}

const play = (seed: number, act: (stage: Stage) => Promise<void>): Promise<void> =>
  Stage.play({ seed, partitions: 4, silences }, act);

// The next two tests do not run concurrently, because they measure how fast processes start, which needs a free core.
test('a killed worker process loses no event, and the supervisor restarts the process', () =>
  play(SEED + 10, async (stage) => {
    const machine = stage.machines.add();
    machine.start();
    await stage.reached();
    for (let time = 0; time < 2; time++) {
      await stage.moment(0, 2000);
      await stage.fault('working process killed', STARTED_AGAIN, async () => {
        // Kills the worker right after a checkpoint. If the checkpoint covered records that are not durable, these records would
        // be lost.
        await checkpointWritten(stage);
        machine.killWorker();
        return undefined;
      });
    }
  }));

test('machines with checkpoints in blob storage lose no event when a machine joins, leaves or is lost', async () => {
  const blobs = await startBlobServer();
  try {
    const checkpoints = { type: 'blob' as const, container: 'checkpoints', connection: blobs.connection };
    await BlobServiceClient.fromConnectionString(blobs.connection).getContainerClient('checkpoints').create();
    await play(SEED + 11, async (stage) => {
      const [first, second, third] = [0, 1, 2].map(() => stage.machines.add({ checkpoints }));
      first!.start();
      await stage.reached();
      const joins = (machine: typeof first) => async () => {
        machine!.start();
        await machine!.owns(1);
        return undefined;
      };
      await stage.fault('second machine joins', SOON, joins(second));
      await stage.fault('third machine joins', SOON, joins(third));
      await stage.fault('one of three leaves', SOON, async () => {
        await stage.random.pick([first!, second!]).quit();
        return undefined;
      });
      await stage.fault('machine lost', after(EXPIRY, SOON), async () => {
        await third!.lose();
        return undefined;
      });
    });
  } finally {
    await blobs.stop();
  }
});

describe.concurrent('several machines', () => {
  test('no event is lost or duplicated when a machine is frozen until its claims expire, and then continues', () =>
    play(SEED + 12, async (stage) => {
      const [sleeper, other] = [stage.machines.add(), stage.machines.add()];
      sleeper.start();
      await stage.reached();
      other.start();
      await other.owns(1);
      const backwards = await watchBackwards(stage);
      await stage.fault('machine stands still', after(EXPIRY, SOON), async () => {
        sleeper.freeze();
        return undefined;
      });
      await stage.fault('machine wakes up', SOON, async () => {
        sleeper.thaw();
        await sleeper.owns(1);
        return undefined;
      });
      expect(await backwards(), 'checkpoints that a former owner moved backwards').toEqual([]);
    }));

  test('no event is lost or duplicated when partitions are repeatedly taken from slow owners', () =>
    play(SEED + 13, async (stage) => {
      const slowMs = 900;
      const names = ['a', 'b'];
      for (const name of names) stage.machines.add().startModified(name, slowMs);
      await Promise.all(stage.machines.all.map((machine) => machine.owns(2)));
      await stage.reached();
      const { store, group } = await checkpointsOf(stage);
      const backwards = await watchBackwards(stage);
      for (let time = 0; time < 6; time++) {
        await stage.moment(0, 2500);
        await stage.fault('stolen from a slow one', SOON, async () => {
          const claims = await store.listOwnership(...group);
          const claim = stage.random.pick(claims);
          const thief = names.find((name) => name !== claim.ownerId)!;
          await store.claimOwnership([{ ...claim, ownerId: thief }]);
          return undefined;
        });
      }
      expect(await backwards(), 'checkpoints that a former owner moved backwards').toEqual([]);
    }));

  test('no event is lost or duplicated when the checkpoint store fails, is slow, or never answers', () =>
    play(SEED + 14, async (stage) => {
      const [one, other] = [stage.machines.add(), stage.machines.add()];
      one.startModified('one');
      other.startModified('other');
      await Promise.all([one.owns(2), other.owns(2)]);
      await stage.reached();
      for (const store of ['failing', 'slow', 'hanging'] as const) {
        await stage.fault(`checkpoint store ${store}`, SOON, async () => {
          for (const machine of [one, other]) machine.tell({ store });
          await sleep(8000);
          return undefined;
        });
      }
      // The next owner rereads the events after the last checkpoint.
      await one.lose();
      other.tell({ store: 'well' });
      await stage.reached();
    }));

  test('unreadable events become dead letters', () =>
    play(SEED + 15, async (stage) => {
      stage.machines.add().start();
      await stage.reached();
      const bodies = [
        Buffer.from('{"no'),
        Buffer.alloc(0),
        Buffer.from([0x22, 0xff, 0xfe, 0x22]),
        Buffer.from('not gzip'),
        Buffer.from('1f8b0800', 'hex'),
      ];
      for (const [at, body] of bodies.entries()) {
        const properties = { 'event-type': 'daily.data.steps.created', ...(at > 2 ? { 'content-encoding': 'gzip' } : {}) };
        await stage.fault('poison event', SOON, async () => {
          const partition = String(stage.random.whole(0, 3));
          await stage.hubs.faults.append({ hub: HUB, partition, events: [{ body: body.toString('base64'), properties }] });
          return undefined;
        });
      }
    }));
});
