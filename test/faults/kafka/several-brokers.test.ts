import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoJvmBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { clock } from '../stage/goal.ts';
import { ReadinessWatch } from '../stage/readiness.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { counted, playOnCluster } from './cluster.ts';
import { SESSION_MS } from './workers.ts';

/** Under load, the tests restart the brokers of a cluster in turn, kill one broker, or kill a worker. */

const problem = await whyNoJvmBroker();
const silences = new Silences();
afterAll(() => silences.print());

/**
 * Target recovery time after a broker is killed. Its session must expire before clients can find the new partition leaders and
 * the new group coordinator.
 */
const LED_AGAIN = clock(20_000);
const AGAIN = clock(SESSION_MS + 20_000);

/** If no worker dies or loses its membership, each delivery has exactly one record. */
const none = (count: number): void => expect(count, 'records that the streams hold twice').toBe(0);

// The tests run one after the other, because each test needs both cores.
describe.skipIf(problem !== undefined)(`three brokers${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test('when brokers restart in turn or are killed, each delivery has one record, and every worker stays ready', () =>
    playOnCluster({ seed: SEED + 60, silences, repeats: none }, async (stage, cluster) => {
      const watch = new ReadinessWatch(stage.machines.all);
      await stage.fault('three brokers restarted in turn', LED_AGAIN, async () => {
        const began = performance.now();
        await cluster.restartInTurn();
        return performance.now() - began;
      });
      for (const member of cluster.members) {
        await stage.fault('one of three brokers killed, 5 s', LED_AGAIN, async () => {
          const began = performance.now();
          await member.kill();
          await sleep(5_000);
          await member.restart();
          return performance.now() - began;
        });
        await cluster.inSync();
      }
      expect(await watch.stop(), 'times when a worker was not ready').toEqual([]);
    }));

  test('after a worker is killed, the streams may hold records twice, but the tables are correct', () =>
    playOnCluster({ seed: SEED + 62, silences, repeats: counted('a worker was killed') }, async (stage, cluster, { taking }) => {
      await stage.fault('a worker killed while a broker restarts', AGAIN, async () => {
        const restarted = cluster.members[0]!.restart();
        taking[0]!.killWorker();
        await restarted;
        return undefined;
      });
      await cluster.inSync();
    }));
});
