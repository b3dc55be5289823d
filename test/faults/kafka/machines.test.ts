import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { after, work } from '../stage/goal.ts';
import type { Machine } from '../stage/machine.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { Stage } from './stage.ts';
import { SESSION_MS, untilAssigned } from './workers.ts';

/** Tests machines that join, leave, crash and freeze, each with its own streams and tables. */

const problem = await whyNoBroker({ own: true });
const silences = new Silences();
afterAll(() => silences.print());

const SOON = work(3000);
/** Target recovery time for a killed worker process, which its supervisor removes from the group and restarts. */
const STARTED_AGAIN = work(5000);

const play = (seed: number, act: (stage: Stage) => Promise<void>): Promise<void> =>
  Stage.play({ seed, partitions: 4, streams: 'files', silences }, act);

/** Watches the committed offsets. The returned function stops watching and returns the offsets that went backwards. */
function watchBackwards({ topic }: Stage): () => Promise<string[]> {
  const highest = new Map<number, number>();
  const backwards: string[] = [];
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const [partition, offset] of await topic.committed()) {
        const before = highest.get(partition) ?? -1;
        if (offset < before) backwards.push(`${partition}: from ${before} to ${offset}`);
        highest.set(partition, Math.max(before, offset));
      }
      await sleep(50);
    }
  })();
  return async () => {
    stopping.abort();
    await watching;
    return backwards;
  };
}

describe
  .skipIf(problem !== undefined)
  .concurrent(`several machines${problem === undefined ? '' : ` (${problem.message})`}`, () => {
    test('no record is lost or duplicated when machines join, leave or are lost, or a worker process is killed', () =>
      play(SEED + 30, async (stage) => {
        const [first, second, third] = [0, 1, 2].map(() => stage.machines.add());
        first!.start();
        await stage.reached();
        const joins = (machine: Machine) => async () => {
          await untilAssigned(machine, () => machine.start());
          return undefined;
        };
        await stage.fault('second machine joins', SOON, joins(second!));
        await stage.fault('third machine joins', SOON, joins(third!));
        await stage.fault('one of three leaves', SOON, async () => {
          await stage.random.pick([first!, second!]).quit();
          return undefined;
        });
        await stage.fault('working process killed', STARTED_AGAIN, async () => {
          // Waits until the machine has partitions, because killing a worker without partitions would prove nothing.
          await untilAssigned(third!, () => third!.killWorker());
          return undefined;
        });
        await stage.fault('machine lost', after(SESSION_MS, SOON), async () => {
          await third!.lose();
          return undefined;
        });
      }));

    test('no record is lost or duplicated when a machine is frozen until its session ends, and then continues', () =>
      play(SEED + 31, async (stage) => {
        const [sleeper, other] = [stage.machines.add(), stage.machines.add()];
        sleeper.start();
        await stage.reached();
        await untilAssigned(other, () => other.start());
        const backwards = watchBackwards(stage);
        await stage.moment(0, 1000);
        await stage.fault('machine stands still', after(SESSION_MS, SOON), async () => {
          sleeper.freeze();
          return undefined;
        });
        await stage.fault('machine wakes up', SOON, async () => {
          await untilAssigned(sleeper, () => sleeper.thaw());
          return undefined;
        });
        expect(await backwards(), 'committed offsets that a former owner moved backwards').toEqual([]);
      }));
  });
