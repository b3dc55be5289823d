import { whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, describe, test } from 'vitest';
import { after, work } from '../stage/goal.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { Stage } from './stage.ts';
import { METADATA_MS } from './workers.ts';

/** Tests broker faults, added partitions and unreadable records with one worker, whose streams and tables are on its own disk. */

const problem = await whyNoBroker({ own: true });
const silences = new Silences();
afterAll(() => silences.print());

const SOON = work(3000);
/** Request timeout, shorter than the default to keep the test short. */
const REQUEST_MS = 5000;

/** Runs a case with one worker, which has read everything when `act` begins. */
function play(seed: number, act: (stage: Stage) => Promise<void>): Promise<void> {
  return Stage.play({ seed, partitions: 3, streams: 'files', silences }, async (stage) => {
    stage.machines.add(undefined, { request_s: REQUEST_MS / 1000 }).start();
    await stage.reached();
    await act(stage);
  });
}

describe
  .skipIf(problem !== undefined)
  .concurrent(`the broker and one worker${problem === undefined ? '' : ` (${problem.message})`}`, () => {
    test('the worker resumes reading after the broker is killed and restarted 3 s or 12 s later', () =>
      play(SEED + 20, async (stage) => {
        await stage.moment(0, 1500);
        await stage.fault('broker killed, 3 s', SOON, () => stage.topic.away(3000));
        await stage.moment(0, 1500);
        await stage.fault('broker killed, 12 s', SOON, () => stage.topic.away(12_000));
      }));

    test('the worker keeps reading after the broker leaves requests unanswered for longer than the request timeout', () =>
      play(SEED + 21, async (stage) => {
        await stage.moment(0, 1500);
        await stage.fault('broker frozen', SOON, () => stage.topic.frozen(2 * REQUEST_MS + 2000));
      }));

    test('the worker keeps reading when the topic gets more partitions and unreadable records', () =>
      play(SEED + 22, async (stage) => {
        await stage.fault('partitions added', after(METADATA_MS, SOON), async () => {
          stage.watch.begins(await stage.topic.grow(5));
          return undefined;
        });
        const bodies = [Buffer.from('{"no'), Buffer.from([0x22, 0xff, 0xfe, 0x22]), Buffer.from('not gzip'), null];
        for (const [at, value] of bodies.entries()) {
          const headers = { 'event-type': 'daily.data.steps.created', ...(at === 2 ? { 'content-encoding': 'gzip' } : {}) };
          await stage.fault('poison record', SOON, async () => {
            await stage.publisher.put([{ key: 'poison', headers, value, partition: stage.random.whole(0, 4) }]);
            return undefined;
          });
        }
      }));
  });
