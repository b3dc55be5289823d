import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventHubsProcess } from '@aorta/event-hubs-server';
import { AortaError } from '@aorta/runtime';
import type { DemoOptions } from './folder.ts';
import { demoHubs } from './hubs.ts';
import { publishedIn } from './published.ts';

export interface ServiceOptions extends DemoOptions {
  /** Where the hubs keep their events. */
  readonly folder: string;
}

export interface PublishingOptions extends ServiceOptions {
  /** Connection string of the namespace. */
  readonly connection: string;
}

/** What the publishing process says to its parent. */
export type PublishingWord = { readonly kind: 'published' } | { readonly kind: 'failed'; readonly problem: string };

/** All that was to be published is in the hubs. */
interface PublishedPeople {
  /** That the people make. */
  readonly deliveries: number;
  readonly samples: number;
  /** Events that the hubs hold: more than there are deliveries where an earlier process was killed. */
  readonly held: number;
}

/**
 * The other side of a demonstration: hubs, and people whose events are published to them. Disposing of it ends the
 * publishing after the deliveries that are on their way, then the hubs.
 */
export interface Service extends AsyncDisposable {
  /** Connection string of the namespace. */
  readonly connection: string;
  /** Rejects with AORTA-BUG where the publishing ends before. Settles never where it was let go before. */
  readonly published: Promise<PublishedPeople>;
}

/** Starts hubs that keep their events in the folder, and publishes to them, both in processes that end with this one. */
export async function startService(options: ServiceOptions): Promise<Service> {
  // Only here: the published package does not have the local servers.
  const { spawnEventHubs } = await import('@aorta/event-hubs-server');
  const { folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hubs = await spawnEventHubs({ hubs: demoHubs, folder });
  const connection = hubs.connectionString;
  const publishing = fork(join(import.meta.dirname, 'publishing.process.ts'), [JSON.stringify({ ...options, connection })], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(publishing, 'exit');
  return {
    connection,
    published: publishedBy(publishing).then(async () => {
      const { deliveries, samples = 0 } = publishedIn(folder);
      return { deliveries, samples, held: await heldBy(hubs) };
    }),
    [Symbol.asyncDispose]: async () => {
      if (publishing.connected) publishing.disconnect();
      await exited;
      await hubs.stop();
    },
  };
}

function publishedBy(publishing: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (problem: string): void =>
    reject(new AortaError('AORTA-BUG', { place: 'the publishing of the demonstration', problem }));
  publishing.on('message', (word: PublishingWord) => {
    if (word.kind === 'published') resolve();
    else fail(word.problem);
  });
  // After it was let go it ends without a word, and in good order.
  publishing.once('exit', (code, signal) => {
    if (code !== 0) fail(`ended with ${signal ?? code}`);
  });
  return promise;
}

async function heldBy({ faults }: Pick<EventHubsProcess, 'faults'>): Promise<number> {
  const { hubs } = await faults.state();
  return hubs.flatMap(({ partitions }) => partitions).reduce((sum, { last }) => sum + last + 1, 0);
}
