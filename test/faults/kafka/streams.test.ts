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
import { METADATA_MS, SESSION_MS, untilAssigned } from './workers.ts';

/** Tests streams in topics: several machines ingest, and one machine loads all streams into DuckDB. */

const problem = await whyNoBroker({ own: true });
const silences = new Silences();
afterAll(() => silences.print());

const SOON = work(3000);
/** Target recovery time after the broker returns. Ingestion must reconnect, and the loader must rejoin its group. */
const BROKER_BACK = work(5000);
/** Target recovery times for a worker process that its supervisor restarts. A loader also opens its warehouse. */
const STARTED_AGAIN = work(5000);
const LANDS_AGAIN = work(8000);
/** Target recovery time if a process or machine is killed every two seconds. A partition may lose several owners in a row. */
const AGAIN_AND_AGAIN = clock(5 * (SESSION_MS + STARTED_AGAIN.workMs));

/** Runs a case with ingesting machines and one loading machine. All of them are running when `act` begins. */
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

// The tests run one after the other. Each needs both cores, so concurrent tests would delay each other.
describe.skipIf(problem !== undefined)(`streams in topics${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test('no record is lost or duplicated while three ingesting machines are killed at random', () =>
    play(SEED + 40, 3, async (stage, taking) => {
      await stage.fault('three killed at random', AGAIN_AND_AGAIN, () => killedUnderLoad(stage, taking));
    }));

  test('a second loader is refused, and a killed loader resumes after its restart', () =>
    play(SEED + 42, 1, async (stage, _, landing) => {
      const place = stage.machines.folder('loading', join(landing.folder, 'health.duckdb'));
      const refused = await aorta(place, ['run', '--once', '--only', 'loading']);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('AORTA-WAREHOUSE-LOCKED')]);
      expect(refused.stderr).toContain('several loaders need BigQuery');
      await stage.fault('the one that lands is killed', LANDS_AGAIN, async () => {
        landing.killWorker();
        return undefined;
      });
    }));

  test('no record is lost or duplicated while the broker is killed, the topic grows, and machines freeze and leave', () =>
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
        await untilAssigned(first!, () => first!.thaw());
        return undefined;
      });
      await stage.fault('one of two leaves', SOON, async () => {
        await second!.quit();
        return undefined;
      });
    }));
});
