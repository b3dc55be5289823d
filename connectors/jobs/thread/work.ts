import { parentPort, workerData } from 'node:worker_threads';
import { FollowedLog } from '@aorta/streams';
import type { StepObserver } from '@aorta/telemetry';
import { openDuckDbWarehouse } from '@aorta/warehouse/duckdb';
import { startJobs } from '../jobs.ts';
import {
  errorOf,
  type FromThread,
  failureOf,
  observation,
  type ThreadCalls,
  type ThreadSettings,
  type ToThread,
} from './messages.ts';
import { sendReports } from './reports.ts';

/**
 * The thread of the jobs: reads the streams, lands and merges, while the thread that started it takes deliveries in. It
 * speaks with that one by messages only, see {@link ToThread} and {@link FromThread}.
 */

const port = parentPort!;
const settings = workerData as ThreadSettings;
const say = (message: FromThread): void => port.postMessage(message);

const reporting = sendReports((report) => say({ kind: 'report', report }));

const commits = new Map<number, { done: () => void; failed: (error: Error) => void }>();
let lastCommit = 0;
const log = new FollowedLog(settings.work.streams, (group, of, position) => {
  const id = ++lastCommit;
  return new Promise((done, failed) => {
    commits.set(id, { done, failed });
    say({ kind: 'commit', id, group, of, position });
  });
});
log.see(settings.views);

/** An observer may end the process: so nothing goes on before it was told. */
function observe(state: Int32Array): StepObserver {
  return (step) => {
    Atomics.store(state, 0, observation.waiting);
    say({ kind: 'step', step });
    Atomics.wait(state, 0, observation.waiting);
    if (Atomics.load(state, 0) === observation.threw) throw new Error('a step observer threw');
  };
}
const observed = settings.observed === undefined ? {} : { onStep: observe(settings.observed) };

async function open(): Promise<void> {
  const { warehouse: place, batch, backlog } = settings.work;
  const warehouse = await openDuckDbWarehouse({ ...place, logger: reporting.logger, ...observed });
  const jobs = startJobs({
    log,
    warehouse,
    ...reporting,
    ...observed,
    ...(batch === undefined ? {} : { batch }),
    ...(backlog === undefined ? {} : { backlog }),
  });
  const calls: ThreadCalls = {
    ready: () => jobs.ready(),
    finish: () => jobs.finish(),
    stop: () => jobs.stop(),
    rows: () => warehouse.rows(),
    publish: () => warehouse.publish('now'),
    close: async () => {
      await log.close();
      await warehouse.close();
    },
  };
  const answer = async (id: number, call: keyof ThreadCalls): Promise<void> => {
    try {
      say({ kind: 'answer', id, value: await calls[call]() });
    } catch (error) {
      say({ kind: 'answer', id, failure: failureOf(error) });
    }
    if (call === 'close') port.close();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'call') void answer(message.id, message.call);
    else if (message.kind === 'grown') {
      log.see(message.views);
      jobs.wake();
    } else {
      const commit = commits.get(message.id)!;
      commits.delete(message.id);
      if (message.failure === undefined) commit.done();
      else commit.failed(errorOf(message.failure));
    }
  });
  const landed = log.assigned().flatMap((of) => {
    const position = warehouse.landed(of);
    return position === undefined ? [] : [[of, position] as const];
  });
  say({ kind: 'opened', landed });
}

// The other thread waits for one of the two.
await open().catch((error: unknown) => say({ kind: 'refused', failure: failureOf(error) }));
