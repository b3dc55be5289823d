import { setTimeout as sleep } from 'node:timers/promises';
import type { Source } from '@aorta/connectors';
import { readSetting, runPipeline } from 'aorta/internals';
import { openCheckpoints } from '../../../connectors/event-hubs/checkpoints/open.ts';
import { eventHubsSourceOptions } from '../../../connectors/event-hubs/options.ts';
import { EventHubsSource, type EventHubsSourceOptions } from '../../../connectors/event-hubs/source.ts';
import { logFor } from '../../../pipelines/aorta/cli/verbs/command-logger.ts';
import { observe } from '../../../pipelines/aorta/run/configured-run.ts';

/*
 * `node worker.process.ts WORKER SLOW_MS` runs `aorta run` in this folder with a slow source and a faulty checkpoint store.
 * The source pauses half of the time, for SLOW_MS milliseconds each time. A message `{ store }` changes how the checkpoint store
 * behaves.
 */

type Store = Awaited<ReturnType<NonNullable<EventHubsSourceOptions['openStore']>>>;
export type StoreState = 'well' | 'failing' | 'slow' | 'hanging';

const [worker, slowMs] = [process.argv[2]!, Number(process.argv[3])];
const setting = readSetting({}, {}, process.cwd());
const { logger, metrics, progress } = await observe(setting, logFor(setting, 'info'), 0);
const settings = eventHubsSourceOptions.parse(setting.configuration.sources[0]);

let storeState: StoreState = 'well';
process.on('message', ({ store }: { store: StoreState }) => {
  storeState = store;
});

/** Applies the current fault before the store answers. */
async function delayOrFail(): Promise<void> {
  if (storeState === 'failing') throw new Error('the store has failed');
  if (storeState === 'slow') await sleep(2000);
  if (storeState === 'hanging') await new Promise(() => {});
}

function faulty(store: Store): Store {
  const gated =
    <Words extends unknown[], Answer>(ask: (...words: Words) => Promise<Answer>) =>
    async (...words: Words): Promise<Answer> => {
      await delayOrFail();
      return ask(...words);
    };
  return {
    listOwnership: gated(store.listOwnership.bind(store)),
    claimOwnership: gated(store.claimOwnership.bind(store)),
    listCheckpoints: gated(store.listCheckpoints.bind(store)),
    updateCheckpoint: gated(store.updateCheckpoint.bind(store)),
  };
}

function slow(source: EventHubsSource): Source {
  return {
    name: source.name,
    commit: (positions) => source.commit(positions as Parameters<EventHubsSource['commit']>[0]),
    close: () => source.close(),
    async *batches(signal) {
      let restedAt = performance.now();
      for await (const batch of source.batches(signal)) {
        if (slowMs > 0 && performance.now() - restedAt >= slowMs) {
          await sleep(slowMs);
          restedAt = performance.now();
        }
        yield batch;
      }
    },
  };
}

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await runPipeline({
  setting,
  untilStopped: true,
  signal: stop.signal,
  logger,
  metrics,
  progress,
  sources: async () => {
    const folder = settings.checkpoints.type === 'file' ? (settings.checkpoints.folder ?? '') : '';
    const openStore = async () => faulty(await openCheckpoints(settings, folder, worker));
    const window = setting.configuration.redelivery_window.offsets;
    const open = () => slow(new EventHubsSource({ settings, folder, window, worker, openStore, logger, metrics, progress }));
    return [{ open, againAfterMs: 0 }];
  },
});
process.exit(0);
