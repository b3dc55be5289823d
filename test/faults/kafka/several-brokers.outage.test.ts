import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoJvmBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { clock } from '../stage/goal.ts';
import type { Machine, Readiness } from '../stage/machine.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { counted, playOnCluster } from './cluster.ts';

/** Under load, the test stops all brokers of a cluster. For most of its time, it waits. */

const problem = await whyNoJvmBroker();
const silences = new Silences();
afterAll(() => silences.print());

/** Target recovery time after all brokers return at once. Each broker recovers its log, and group members may have to rejoin. */
const ALL_BACK = clock(30_000);
const OUTAGE_MS = 75_000;
/** Maximum time from the start of the outage until readiness is red. */
const RED_WITHIN_MS = 70_000;
/** Maximum time from the end of the outage until readiness is green. */
const GREEN_WITHIN_MS = 30_000;

describe.skipIf(problem !== undefined)(`three brokers${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test('when all brokers are down, every worker reports the outage within 70 s, and is ready within 30 s after the brokers return', () =>
    // During the outage, the group loses all its members. After the outage, the partitions are assigned again.
    playOnCluster(
      { seed: SEED + 61, silences, repeats: counted('an outage longer than a session') },
      async (stage, cluster, { taking, landing }) => {
        await stage.fault('all of three brokers away', ALL_BACK, async () => {
          const began = performance.now();
          await Promise.all(cluster.members.map((member) => member.kill()));
          for (const machine of [...taking, landing]) {
            const answer = await saysWithin(machine, RED_WITHIN_MS - (performance.now() - began), false);
            expect(answer.reasons.map(({ reason }) => reason).join('\n')).toMatch(/brokers (of the streams )?do not answer/);
          }
          await sleep(Math.max(0, OUTAGE_MS - (performance.now() - began)));
          await Promise.all(cluster.members.map((member) => member.restart()));
          const back = performance.now();
          for (const machine of [...taking, landing])
            await saysWithin(machine, GREEN_WITHIN_MS - (performance.now() - back), true);
          return performance.now() - began;
        });
      },
    ));
});

/** Waits until `/readyz` of a machine reports the given state. Throws if this takes longer than `milliseconds`. */
async function saysWithin(machine: Machine, milliseconds: number, ready: boolean): Promise<Readiness> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const answer = await machine.readiness();
    if (answer?.ready === ready) return answer;
    if (performance.now() > end)
      throw new Error(`${machine.part} is not ${ready ? 'ready' : 'unready'} in time: ${JSON.stringify(answer)}`);
    await sleep(200);
  }
}
