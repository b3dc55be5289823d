import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, test } from 'vitest';
import { clock, work } from '../stage/goal.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { Stage } from './stage.ts';

/** Tests connection faults and server outages with one worker that has default settings. Most faults are repeated. */

const silences = new Silences();
afterAll(() => silences.print());

const SOON = work(3000);
/** Target time for recovering from a connection that transfers no data but is not closed. */
const HALF_OPEN = clock(30_000);

/** Runs a case with one worker, which has read everything when `act` begins. */
function play(seed: number, act: (stage: Stage) => Promise<void>): Promise<void> {
  return Stage.play({ seed, partitions: 2, silences }, async (stage) => {
    stage.machines.add().start();
    await stage.reached();
    await act(stage);
  });
}

/** Injects the fault `count` times, after random pauses that depend on the seed. */
async function times(stage: Stage, count: number, fault: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < count; time++) {
    await stage.moment(0, 1500);
    await fault();
  }
}

const moments = async (happens: Promise<unknown>): Promise<undefined> => {
  await happens;
  return undefined;
};

describe.concurrent('the hub and one worker', () => {
  test('the worker keeps reading after resets and forced closes of connections', () =>
    play(SEED, async (stage) => {
      const { faults } = stage.hubs;
      await times(stage, 3, () => stage.fault('reset', SOON, () => moments(faults.reset())));
      await times(stage, 3, () => stage.fault('forced close', SOON, () => moments(faults.close())));
      await times(stage, 2, () => stage.fault('links detached', SOON, () => moments(faults.detach())));
    }));

  test('the worker keeps reading after a connection with a request in flight is closed with an error', () =>
    play(SEED + 1, async (stage) => {
      const { faults } = stage.hubs;
      await times(stage, 3, () =>
        stage.fault('fatal close, request in flight', SOON, async () => {
          await faults.mute();
          // The worker asks for the log ends of the partitions every three seconds, so a request is in flight after this pause.
          await sleep(3500);
          await faults.close({ condition: 'amqp:internal-error' });
          await faults.unmute();
          return undefined;
        }),
      );
    }));

  test('the worker resumes reading after server outages of 3 s and 20 s', () =>
    play(SEED + 2, async (stage) => {
      await times(stage, 2, () => stage.fault('server away 3 s', SOON, () => stage.hubs.away(3000)));
      await times(stage, 1, () => stage.fault('server away 20 s', SOON, () => stage.hubs.away(20_000)));
    }));

  test('the worker resumes reading after a server outage of 60 s', () =>
    play(SEED + 3, (stage) => stage.fault('server away 60 s', SOON, () => stage.hubs.away(60_000))));

  test('the worker keeps reading after the network freezes without an error', () =>
    play(SEED + 4, async (stage) => {
      const { faults } = stage.hubs;
      await times(stage, 2, () => stage.fault('open connections frozen', HALF_OPEN, () => moments(faults.freeze())));
      await times(stage, 1, () =>
        stage.fault('network frozen 15 s', HALF_OPEN, async () => {
          await faults.freeze({ newConnections: true });
          await sleep(15_000);
          await faults.thaw();
          return 15_000;
        }),
      );
    }));

  test('the worker keeps reading after the server silently stops serving links', () =>
    play(SEED + 5, async (stage) => {
      const { faults } = stage.hubs;
      await times(stage, 2, () =>
        stage.fault('all links silently stopped', HALF_OPEN, () => moments(faults.stall({ kind: 'receive' }))),
      );
      await times(stage, 2, () =>
        stage.fault('one link silently stopped', HALF_OPEN, () => moments(faults.stall({ kind: 'receive', partition: '1' }))),
      );
    }));
});
