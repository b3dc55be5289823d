import { parentPort, workerData } from 'node:worker_threads';
import type { LogOfLoader, Ownership, StreamLogAdapter, StreamPartition, Warehouse, WarehouseAdapter } from '@aorta/connectors';
import { AortaError, type Logger, type Metrics, type StepObserver } from '@aorta/runtime';
import { deliveries, tables } from '@aorta/schemas';
import { GROUP } from '../lander.ts';
import { type Loader, MERGES, mergerId, startLoader } from '../loader.ts';
import {
  type FromThread,
  failureOf,
  observation,
  type ThreadCalls,
  type ThreadSettings,
  type ThreadWork,
  type ToThread,
} from './messages.ts';
import { sendReports } from './reports.ts';

/**
 * The loader's thread lands and merges records while the main thread ingests events. It receives messages of type
 * {@link ToThread} and sends messages of type {@link FromThread}.
 */

const port = parentPort!;
const settings = workerData as ThreadSettings;
const say = (message: FromThread): void => port.postMessage(message);

const reporting = sendReports((report) => say({ kind: 'report', report }));

/** Milliseconds between reports of upcoming work. */
const UPCOMING_MS = 1_000;

/**
 * Opens the stream log. Imports the adapter's module from its address. The log calls `onNews` when it finds new records. The main
 * thread learns the landed positions from the commits.
 */
async function openLog(warehouse: Warehouse, onNews: () => void): Promise<LogOfLoader> {
  const { address, ...at } = settings.work.streams;
  const { streamLog } = (await import(address)) as { readonly streamLog: StreamLogAdapter };
  const { openReader } = await streamLog.load();
  const carried = (of: StreamPartition) => warehouse.learn?.(of) ?? warehouse.landed(of);
  const log = await openReader({ ...at, group: GROUP, carried, onNews, ...reporting });
  const commit = log.commit.bind(log);
  log.commit = (group, of, position) => {
    say({ kind: 'landed', of, landed: { incarnation: log.incarnation(of), position } });
    return commit(group, of, position);
  };
  log.see?.(settings.views);
  return log;
}

/** Returns an observer that blocks this thread until the observer in the main thread has returned or has ended the process. */
function observe(state: Int32Array): StepObserver {
  return (step) => {
    Atomics.store(state, 0, observation.waiting);
    say({ kind: 'step', step });
    Atomics.wait(state, 0, observation.waiting);
    if (Atomics.load(state, 0) === observation.threw) throw new Error('a step observer threw');
  };
}
const observed = settings.observed === undefined ? {} : { onStep: observe(settings.observed) };

interface Observed {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onStep?: StepObserver;
}

/** Opens the configured warehouse. Imports the adapter's module from its address. */
async function openWarehouse(
  { warehouse: { address, ...configured }, streams }: Pick<ThreadWork, 'warehouse' | 'streams'>,
  observed: Observed,
): Promise<Warehouse> {
  const { warehouse: adapter } = (await import(address)) as { readonly warehouse: WarehouseAdapter };
  const { open } = await adapter.load();
  const { settings } = configured;
  const opening = { ...configured, ...observed };
  if (!adapter.isShared?.(settings)) return open(opening);
  const { streamLog } = (await import(streams.address)) as { readonly streamLog: StreamLogAdapter };
  const { own } = await streamLog.load();
  // If the streams are not shared, a single worker reads them and merges every table.
  if (own === undefined) return open(opening);
  let warehouse: Warehouse | undefined;
  let owned: ReadonlySet<string> = new Set();
  let ownership: Ownership | undefined;
  const look = (): void => {
    owned = new Set(ownership?.owned().map(({ name }) => name));
  };
  const merger = { ...streams, clientId: mergerId(streams.clientId) };
  await using held = new AsyncDisposableStack();
  ownership = held.adopt(
    await own(merger, {
      work: MERGES,
      shares: [...tables, deliveries].map(({ name }) => name),
      onChange: look,
      onRelease: async () => {
        look();
        await warehouse?.settled?.();
      },
    }),
    (one) => one.close(),
  );
  look();
  warehouse = await open({ ...opening, owns: (target) => owned.has(target) });
  const close = warehouse.close.bind(warehouse);
  const opened = held.move();
  warehouse.close = async () => {
    await close();
    await opened.disposeAsync();
  };
  return warehouse;
}

async function open(): Promise<void> {
  const { batch, backlog } = settings.work;
  const { logger, metrics } = reporting;
  await using opening = new AsyncDisposableStack();
  const warehouse = opening.adopt(await openWarehouse(settings.work, { logger, metrics, ...observed }), (one) => one.close());
  let loader: Loader | undefined;
  const log = opening.adopt(await openLog(warehouse, () => loader?.wake()), (one) => one.close());
  const started = startLoader({
    log,
    warehouse,
    ...reporting,
    ...observed,
    ...(batch === undefined ? {} : { batch }),
    ...(backlog === undefined ? {} : { backlog }),
  });
  loader = started;
  const reportUpcoming = (): void => say({ kind: 'upcoming', upcoming: started.upcoming() });
  setInterval(reportUpcoming, UPCOMING_MS).unref();
  void started.failed.then((error) => say({ kind: 'failed', failure: failureOf(error) }));
  const opened = opening.move();
  const calls: ThreadCalls = {
    ready: () => started.ready(),
    finish: () => started.finish(),
    stop: () => started.stop(),
    rows: () => warehouse.rows(),
    publish: () => warehouse.publish('now'),
    close: () => opened.disposeAsync(),
  };
  const answer = async (id: number, call: keyof ThreadCalls): Promise<void> => {
    try {
      const value = await calls[call]();
      // Send the upcoming work before the answer, because the caller may read it as soon as the answer arrives.
      if (call === 'finish' || call === 'stop') reportUpcoming();
      say({ kind: 'answer', id, value });
    } catch (error) {
      say({ kind: 'answer', id, failure: failureOf(error) });
    }
    if (call === 'close') port.close();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'call') void answer(message.id, message.call);
    else {
      if (log.see === undefined) throw new AortaError('AORTA-BUG', { place: 'the jobs', problem: 'views of topics' });
      log.see(message.views);
      started.wake();
    }
  });
  const landed = log.assigned().flatMap((of) => {
    const position = warehouse.landed(of);
    return position === undefined ? [] : [[of, position] as const];
  });
  say({ kind: 'opened', landed });
}

// The main thread waits for the message `opened` or `refused`.
await open().catch((error: unknown) => say({ kind: 'refused', failure: failureOf(error) }));
