import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Machine } from '../stage/machine.ts';
import type { Stage } from './stage.ts';

/** For so long machines are killed at random, in milliseconds; the soak gives more. */
const KILLING_MS = Number(process.env.AORTA_KILLING_S ?? 25) * 1000;

/**
 * Whether it is a working process that is killed, and not the whole machine. Those who land wait for what a lost machine
 * had until its session ends: lost every few seconds they would never land anything.
 */
const workerOnly = ({ part }: Machine): number => (part === 'loading' ? 0.85 : 0.5);

/** Kills now a working process and now a whole machine, which is soon started again; gives how often. */
async function killAtRandom({ random }: Stage, machines: readonly Machine[], milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let kills = 0;
  for (;;) {
    await sleep(random.between(500, 4000));
    if (performance.now() > end) return kills;
    const victim = random.pick(machines);
    if (random.chance(workerOnly(victim))) victim.killWorker();
    else {
      await victim.lose();
      await sleep(random.between(0, 1500));
      victim.start();
    }
    kills++;
  }
}

/** Kills at random for {@link KILLING_MS}, while people write all the time. */
export async function killedUnderLoad(stage: Stage, machines: readonly Machine[]): Promise<undefined> {
  const killing = killAtRandom(stage, machines, KILLING_MS);
  let over = false;
  const load = (async () => {
    while (!over) {
      await stage.crowd.publish(20);
      await sleep(200);
    }
  })();
  expect(await killing).toBeGreaterThan(KILLING_MS / 10_000);
  over = true;
  await load;
}
