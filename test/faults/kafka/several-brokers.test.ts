import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KafkaCluster, whyNoJvmBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { clock } from '../stage/goal.ts';
import type { Machine, Readiness } from '../stage/machine.ts';
import { ReadinessWatch } from '../stage/readiness.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { Stage } from './stage.ts';
import { SESSION_MS } from './workers.ts';

/**
 * A cluster of three brokers with SASL over TLS. Each topic has a replica on every broker, and a record is acknowledged when two
 * replicas have it. Streams are stored in topics. Under load, the tests restart the brokers in turn, kill one broker, or stop all
 * brokers.
 */

const problem = await whyNoJvmBroker();
const silences = new Silences();
afterAll(() => silences.print());

/**
 * Target recovery time after a broker is killed. Its session must expire before clients can find the new partition leaders and
 * the new group coordinator.
 */
const LED_AGAIN = clock(20_000);
/** Target recovery time after all brokers return at once. Each broker recovers its log, and group members may have to rejoin. */
const ALL_BACK = clock(30_000);
const AGAIN = clock(SESSION_MS + 20_000);
const OUTAGE_MS = 75_000;
/** Maximum time from the start of the outage until readiness is red. */
const RED_WITHIN_MS = 70_000;
/** Maximum time from the end of the outage until readiness is green. */
const GREEN_WITHIN_MS = 30_000;

/** Runs a case with two ingesting machines and one loading machine, on three brokers. */
async function play(
  { seed, repeats }: { readonly seed: number; readonly repeats: (count: number) => void },
  act: (
    stage: Stage,
    cluster: KafkaCluster,
    machines: { readonly taking: readonly Machine[]; readonly landing: Machine },
  ) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-certificates-'));
  let cluster: KafkaCluster;
  const on = async () => {
    cluster = await KafkaCluster.start({ users: { aorta: 'secret' } });
    const ca_file = join(folder, 'authority.pem');
    writeFileSync(ca_file, cluster.authority.chain);
    const login = { mechanism: 'plain', user: 'aorta', password: 'secret' };
    return { brokers: cluster, access: { brokers: cluster.secureBrokers, tls: { ca_file }, login } };
  };
  try {
    await Stage.play({ seed, repeats, partitions: 4, streams: 'topics', silences, on }, async (stage) => {
      const taking = [stage.machines.add('ingestion'), stage.machines.add('ingestion')];
      const landing = stage.machines.add('loading');
      for (const machine of stage.machines.all) machine.start();
      await stage.reached();
      await act(stage, cluster, { taking, landing });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** If no worker dies or loses its membership, each delivery has exactly one record. */
const none = (count: number): void => expect(count, 'records that the streams hold twice').toBe(0);
/** A worker may lose a partition after it wrote records and before it commits. The next owner writes these records again. */
const counted =
  (after: string) =>
  (count: number): void => {
    expect(count).toBeGreaterThanOrEqual(0);
    process.stdout.write(`Records that the streams hold twice after ${after}: ${count}\n`);
  };

// The tests run one after the other, because each test needs both cores.
describe.skipIf(problem !== undefined)(`three brokers${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test('when brokers restart in turn or are killed, each delivery has one record, and every worker stays ready', () =>
    play({ seed: SEED + 60, repeats: none }, async (stage, cluster) => {
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

  test('when all brokers are down, every worker reports the outage within 70 s, and is ready within 30 s after the brokers return', () =>
    // During the outage, the group loses all its members. After the outage, the partitions are assigned again.
    play(
      { seed: SEED + 61, repeats: counted('an outage longer than a session') },
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

  test('after a worker is killed, the streams may hold records twice, but the tables are correct', () =>
    play({ seed: SEED + 62, repeats: counted('a worker was killed') }, async (stage, cluster, { taking }) => {
      await stage.fault('a worker killed while a broker restarts', AGAIN, async () => {
        const restarted = cluster.members[0]!.restart();
        taking[0]!.killWorker();
        await restarted;
        return undefined;
      });
      await cluster.inSync();
    }));
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
