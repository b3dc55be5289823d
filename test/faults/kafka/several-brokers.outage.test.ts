import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoJvmBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { happensWithin, takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
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
            const answer = await unreadyWithin(RED_WITHIN_MS - (performance.now() - began), machine);
            expect(answer.reasons.map(({ reason }) => reason).join('\n')).toMatch(/brokers (of the streams )?do not answer/);
          }
          await sleep(Math.max(0, OUTAGE_MS - (performance.now() - began)));
          await Promise.all(cluster.members.map((member) => member.restart()));
          await takesAtMost(GREEN_WITHIN_MS, 'the readiness of every worker', async () => {
            for (const machine of [...taking, landing])
              await until(
                `${machine.part} to be ready`,
                () => machine.readiness(),
                (answer) => answer?.ready === true,
              );
          });
          return performance.now() - began;
        });
      },
    ));
});

/** Waits until `/readyz` of a machine is red, and returns its answer. */
async function unreadyWithin(milliseconds: number, machine: Machine): Promise<Readiness> {
  let answer: Readiness | undefined;
  const isRed = async (): Promise<boolean> => {
    answer = await machine.readiness();
    return answer?.ready === false;
  };
  await happensWithin(milliseconds, `red readiness of ${machine.part}`, isRed, () => JSON.stringify(answer));
  return answer!;
}
