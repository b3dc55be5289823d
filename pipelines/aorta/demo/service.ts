import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AortaError } from '@aorta/runtime';
import { type DemoOptions, serviceFolder } from './folder.ts';

/** The endpoint of Aorta to which the service posts webhooks. */
interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export interface ServiceProcessOptions extends DemoOptions {
  /** Connection string of the namespace. */
  readonly connection: string;
  /** SQLite file with the state of the service. */
  readonly path: string;
  readonly webhook: WebhookTarget;
}

/** Message of the service to its parent. The parent answers `clock` with `noted`. */
export type ServiceWord =
  | { readonly kind: 'ready'; readonly url: string; readonly key: string }
  | { readonly kind: 'clock'; readonly now: number }
  | ({ readonly kind: 'sent' } & Sent)
  | { readonly kind: 'failed'; readonly problem: string };

export type ParentWord = 'begin' | 'noted';

/** Numbers of the deliveries that the service has sent by the end of the demonstration. */
export interface Sent {
  /** Number of events that the hubs hold, including repeated ones. */
  readonly events: number;
  /** Number of webhooks that the endpoint has accepted, including repeated ones. */
  readonly webhooks: number;
}

/** The service of a demonstration, in a process that ends on disposal, or when this process ends. */
export interface DemoService extends AsyncDisposable {
  /** Address of the API. */
  readonly url: string;
  /** Key of the team. */
  readonly key: string;
  /** Returns the virtual time, in milliseconds since 1970. */
  now(): number;
  /** Lets the days of the demonstration pass. The endpoint must accept webhooks by now. */
  begin(): void;
  /** Resolves at the end of the last day. Rejects with AORTA-BUG if the service fails. Never settles after disposal. */
  readonly sent: Promise<Sent>;
}

interface StartingOptions extends DemoOptions {
  /** Folder of the demonstration. */
  readonly folder: string;
  readonly connection: string;
  readonly webhook: WebhookTarget;
}

/** Starts the service. Its state is in a file in the folder. */
export async function startDemoService({ folder, ...options }: StartingOptions): Promise<DemoService> {
  const own = join(folder, serviceFolder);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const given: ServiceProcessOptions = { ...options, path: join(own, 'service.sqlite') };
  const child = fork(join(import.meta.dirname, 'service.process.ts'), [JSON.stringify(given)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const { ready, sent, now } = listenTo(child);
  // A failure before the service is ready rejects both. The caller reports it, because it awaits `ready`.
  sent.catch(() => {});
  const end = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await exited;
  };
  try {
    const { url, key } = await ready;
    return { url, key, now, sent, begin: () => void child.send('begin' satisfies ParentWord), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function listenTo(child: ChildProcess) {
  const ready = Promise.withResolvers<{ readonly url: string; readonly key: string }>();
  const sent = Promise.withResolvers<Sent>();
  let virtual = 0;
  const fail = (problem: string): void => {
    const error = new AortaError('AORTA-BUG', { place: 'the service of the demonstration', problem });
    ready.reject(error);
    sent.reject(error);
  };
  child.on('message', (word: ServiceWord) => {
    switch (word.kind) {
      case 'ready':
        ready.resolve(word);
        break;
      case 'clock':
        virtual = word.now;
        child.send('noted' satisfies ParentWord);
        break;
      case 'sent':
        sent.resolve(word);
        break;
      case 'failed':
        fail(word.problem);
    }
  });
  // If the parent disconnects before everything is sent, the process exits with code 0 and sends no message.
  child.once('exit', (code, signal) => {
    if (code !== 0) fail(`ended with ${signal ?? code}`);
  });
  return { ready: ready.promise, sent: sent.promise, now: () => virtual };
}
