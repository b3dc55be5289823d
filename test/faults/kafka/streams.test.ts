import { join } from 'node:path';
import { whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { after, clock, work } from '../stage/goal.ts';
import type { Machine } from '../stage/machine.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { killedUnderLoad } from './killing.ts';
import { Stage } from './stage.ts';
import { assignedAnew, METADATA_MS, SESSION_MS } from './workers.ts';

/** Streams in topics: several machines that take in, and one that lands all of it in DuckDB. */

const problem = await whyNoBroker({ own: true });
const silences = new Silences();
afterAll(() => silences.print());

const SOON = work(3000);
/** After a broker that has everything: who takes in finds source and streams again, and who lands its group. */
const BROKER_BACK = work(5000);
/** For a working process that its supervisor starts again; the one that lands opens its warehouse besides. */
const STARTED_AGAIN = work(5000);
const LANDS_AGAIN = work(8000);
/** For partitions of processes and machines that are killed every two seconds: each may be lost again before it is back. */
const AGAIN_AND_AGAIN = clock(5 * (SESSION_MS + STARTED_AGAIN.workMs));

/** Plays with machines that take in, and one that lands; all of them work when `act` begins. */
function play(
  seed: number,
  consumers: number,
  act: (stage: Stage, taking: readonly Machine[], landing: Machine) => Promise<void>,
): Promise<void> {
  return Stage.play({ seed, partitions: 4, streams: 'topics', silences }, async (stage) => {
    const taking = Array.from({ length: consumers }, () => stage.machines.add('ingestion'));
    const landing = stage.machines.add('loading');
    for (const machine of stage.machines.all) machine.start();
    await stage.reached();
    await act(stage, taking, landing);
  });
}

// One after the other: each takes all of two cores, and its silences would be those of the others.
describe.skipIf(problem !== undefined)(`streams in topics${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test('three that take in are killed at random, while one lands', () =>
    play(SEED + 40, 3, async (stage, taking) => {
      await stage.fault('three killed at random', AGAIN_AND_AGAIN, () => killedUnderLoad(stage, taking));
    }));

  test('a second one that lands is refused, and the first is killed and started again', () =>
    play(SEED + 42, 1, async (stage, _, landing) => {
      const place = stage.machines.folder('loading', join(landing.folder, 'health.duckdb'));
      const refused = await aorta(place, ['run', '--once', '--only', 'loading']);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('AORTA-WAREHOUSE-LOCKED')]);
      expect(refused.stderr).toContain('Several workers need BigQuery');
      await stage.fault('the one that lands is killed', LANDS_AGAIN, async () => {
        landing.killWorker();
        return undefined;
      });
    }));

  test('the broker is killed, the topic is given more partitions, and those who take in come, go and sleep', () =>
    play(SEED + 41, 2, async (stage, [first, second]) => {
      await stage.fault('broker killed, 3 s', BROKER_BACK, () => stage.topic.away(3000));
      await stage.fault('broker killed, 12 s', BROKER_BACK, () => stage.topic.away(12_000));
      await stage.fault('partitions added', after(METADATA_MS, SOON), async () => {
        stage.watch.begins(await stage.topic.grow(6));
        return undefined;
      });
      await stage.fault('machine stands still', after(SESSION_MS, SOON), async () => {
        first!.freeze();
        return undefined;
      });
      await stage.fault('machine wakes up', SOON, async () => {
        await assignedAnew(first!, () => first!.thaw());
        return undefined;
      });
      await stage.fault('one of two leaves', SOON, async () => {
        await second!.quit();
        return undefined;
      });
    }));
});
