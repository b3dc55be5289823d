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
  readonly folder: string;
}

export interface PublishingOptions extends ServiceOptions {
  /** Connection string of the namespace. */
  readonly connection: string;
}

/** Message of the publishing process to its parent. */
export type PublishingWord = { readonly kind: 'published' } | { readonly kind: 'failed'; readonly problem: string };

/** Totals, which are known when everything is published. */
interface PublishedPeople {
  /** Number of distinct deliveries of the synthetic people. */
  readonly deliveries: number;
  readonly samples: number;
  /** Number of events in the hubs: more than `deliveries` if an earlier process was killed. */
  readonly held: number;
}

/**
 * The sending side of a demonstration: local hubs, and a process that publishes events to them. On disposal, the process
 * finishes the deliveries in flight and stops. Then the hubs stop.
 */
export interface Service extends AsyncDisposable {
  /** Connection string of the namespace. */
  readonly connection: string;
  /** Rejects with AORTA-BUG if publishing fails. Never settles if the service is disposed of earlier. */
  readonly published: Promise<PublishedPeople>;
}

/**
 * Starts hubs that store their events in the folder, and publishes events to them. Hubs and publisher run in child
 * processes, which end when this process ends.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  // Imported only here, because the published package does not contain the local servers.
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
    reject(new AortaError('AORTA-BUG', { place: 'the publishing process of the demonstration', problem }));
  publishing.on('message', (word: PublishingWord) => {
    if (word.kind === 'published') resolve();
    else fail(word.problem);
  });
  // If the parent disconnects before everything is published, the process exits with code 0 and sends no message.
  publishing.once('exit', (code, signal) => {
    if (code !== 0) fail(`ended with ${signal ?? code}`);
  });
  return promise;
}

async function heldBy({ faults }: Pick<EventHubsProcess, 'faults'>): Promise<number> {
  const { hubs } = await faults.state();
  return hubs.flatMap(({ partitions }) => partitions).reduce((sum, { last }) => sum + last + 1, 0);
}
