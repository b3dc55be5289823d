import { publishDeliveries } from '@aorta/event-hubs-server';
import { type Delivery, deliveries, sampleCount } from '@aorta/people';
import { demoRouting } from './hubs.ts';
import { notePublished, publishedIn } from './published.ts';
import type { PublishingOptions, PublishingWord } from './service.ts';

/*
 * Publishes the events of synthetic people to the hubs of a demonstration, as the service would. Runs in a separate process,
 * so that it shares no thread with the reader. Resumes where an earlier process stopped, and ends when its parent
 * disconnects.
 */
const { folder, connection, ...people } = JSON.parse(process.argv[2]!) as PublishingOptions;
const tell = (word: PublishingWord): void => void process.send?.(word);

const released = new AbortController();
process.once('disconnect', () => released.abort());
// Ctrl+C in a terminal sends SIGINT to this process as well, but the parent decides when this process ends.
process.on('SIGINT', () => {});

let samples = 0;
function* counted(all: Iterable<Delivery>): Generator<Delivery> {
  for (const delivery of all) {
    samples += sampleCount(delivery);
    yield delivery;
  }
}

async function publish(): Promise<void> {
  const before = publishedIn(folder);
  if (before.samples === undefined) {
    const { events } = await publishDeliveries({
      connectionString: connection,
      routing: demoRouting,
      deliveries: counted(deliveries(people)).drop(before.deliveries),
      signal: released.signal,
      onProgress: (published) => notePublished(folder, { deliveries: before.deliveries + published.events }),
    });
    if (released.signal.aborted) return;
    notePublished(folder, { deliveries: before.deliveries + events, samples });
  }
  tell({ kind: 'published' });
}

try {
  await publish();
} catch (error) {
  // The message of a library's error may quote values, so only the error's code or name is sent.
  const { code, name } = error as NodeJS.ErrnoException;
  tell({ kind: 'failed', problem: code ?? name });
}
if (process.connected) process.disconnect();
