import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { LogOfLoader, Ownership, StreamLogAdapter, StreamPartition, Warehouse, WarehouseAdapter } from '@aorta/connectors';
import { AortaError, type Logger, type Metrics, type StepObserver } from '@aorta/runtime';
import { deliveries, tables } from '@aorta/schemas';
import { GROUP, MERGES, mergerId } from '../groups.ts';
import { type Loader, startLoader } from '../loader.ts';
import {
  failureOf,
  type LoaderCalls,
  type MainCalls,
  OtherThread,
  observation,
  type ThreadSettings,
  type ThreadWork,
} from './calls.ts';
import { sendReports } from './reports.ts';

/** The loader's thread lands and merges records while the main thread ingests events. It answers {@link LoaderCalls}. */

const port = parentPort!;
const [settings] = (await once(workerData as MessagePort, 'message')) as [ThreadSettings];
const main = new OtherThread<MainCalls>(port);
const reporting = sendReports((name, ...args) => main.tell(name, ...args));

/** Milliseconds between reports of upcoming work. */
const UPCOMING_MS = 1_000;

/** Opens the stream log. Imports the adapter's module from its address. The log calls `onNews` when it finds new records. */
async function openLog(warehouse: Warehouse, onNews: () => void): Promise<LogOfLoader> {
  const { address, ...at } = settings.work.streams;
  const { streamLog } = (await import(address)) as { readonly streamLog: StreamLogAdapter };
  const { openReader } = await streamLog.load();
  const carried = (of: StreamPartition) => warehouse.learn?.(of) ?? warehouse.landed(of);
  const replaceDamaged = (of: StreamPartition, position: number) => main.call('replaceDamaged', of, position);
  const log = await openReader({ ...at, group: GROUP, carried, onNews, replaceDamaged, ...reporting });
  log.see?.(settings.views);
  return log;
}

/** Returns an observer that blocks this thread until the observer in the main thread has returned or has ended the process. */
function observe(state: Int32Array): StepObserver {
  return (step) => {
    Atomics.store(state, 0, observation.waiting);
    main.tell('step', step);
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
  const { logger, metrics } = reporting;
  await using opening = new AsyncDisposableStack();
  const warehouse = opening.adopt(await openWarehouse(settings.work, { logger, metrics, ...observed }), (one) => one.close());
  let started: Loader | undefined;
  const log = opening.adopt(await openLog(warehouse, () => started?.wake()), (one) => one.close());
  const loader = startLoader({
    log,
    warehouse,
    ...reporting,
    ...observed,
    onLanded: (of, landed) => main.tell('landed', of, landed),
    ...settings.work.limits,
  });
  started = loader;
  const opened = opening.move();
  const reportUpcoming = (): void => main.tell('upcoming', loader.upcoming());
  setInterval(reportUpcoming, UPCOMING_MS).unref();
  void loader.failed.then((error) => main.tell('failed', failureOf(error)));
  main.serve<LoaderCalls>({
    ready: () => loader.ready(),
    // The caller may read the upcoming work as soon as the answer to `finish` or `stop` arrives.
    finish: () => loader.finish().then(reportUpcoming),
    stop: () => loader.stop().then(reportUpcoming),
    rows: () => warehouse.rows(),
    publish: () => warehouse.publish('now'),
    // The thread ends after its answer, because nothing else keeps it alive.
    close: () => opened.disposeAsync().finally(() => port.unref()),
    see: (views) => {
      if (log.see === undefined) throw new AortaError('AORTA-BUG', { place: 'the loader', problem: 'views of topics' });
      log.see(views);
      loader.wake();
    },
  });
  const landed = log.assigned().flatMap((of) => {
    const position = warehouse.landed(of);
    return position === undefined ? [] : [[of, position] as const];
  });
  main.tell('opened', landed);
}

// The main thread waits until it is told either `opened` or `refused`.
await open().catch((error: unknown) => main.tell('refused', failureOf(error)));
