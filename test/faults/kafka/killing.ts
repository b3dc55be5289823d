import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Machine } from '../stage/machine.ts';
import type { Stage } from './stage.ts';

/** Duration of the random kills, in milliseconds. The soak test sets a longer duration. */
const KILLING_MS = Number(process.env.AORTA_KILLING_S ?? 25) * 1000;

/**
 * Probability that a kill hits only the worker process, not the whole machine. The partitions of a lost loader wait until
 * its session ends, so loaders that are lost every few seconds would never land anything.
 */
const workerOnlyShare = ({ part }: Machine): number => (part === 'loading' ? 0.85 : 0.5);

/** Kills worker processes and whole machines at random, and restarts the machines. Returns the number of kills. */
async function killAtRandom({ random }: Stage, machines: readonly Machine[], milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let kills = 0;
  for (;;) {
    await sleep(random.between(500, 4000));
    if (performance.now() > end) return kills;
    const victim = random.pick(machines);
    if (random.chance(workerOnlyShare(victim))) victim.killWorker();
    else {
      await victim.lose();
      await sleep(random.between(0, 1500));
      victim.start();
    }
    kills++;
  }
}

/** Kills workers and machines at random for {@link KILLING_MS}, while deliveries are published continuously. */
export async function killedUnderLoad(stage: Stage, machines: readonly Machine[]): Promise<undefined> {
  const killing = killAtRandom(stage, machines, KILLING_MS);
  let over = false;
  const load = (async () => {
    while (!over) {
      await stage.publisher.publish(20);
      await sleep(200);
    }
  })();
  expect(await killing).toBeGreaterThan(KILLING_MS / 10_000);
  over = true;
  await load;
}
