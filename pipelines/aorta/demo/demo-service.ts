import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AortaError } from '@aorta/runtime';
import { ProgramError } from '../errors.ts';
import { serviceFolder } from './folder.ts';
import type { Course } from './scenario.ts';

export interface ServiceProcessOptions extends DemoServiceOptions {
  /** SQLite file with the state of the service. */
  readonly path: string;
}

/** Addresses and secrets that the service sends when it is ready. */
interface Ready {
  /** Address of the API, and of the page about it. */
  readonly url: string;
  readonly controlUrl: string;
  /** Key of the team. */
  readonly key: string;
  /** Secret that signs the webhooks. */
  readonly secret: string;
}

/** Message of the service to its parent. The parent answers `clock` with `noted`. */
export type ServiceWord =
  | ({ readonly kind: 'ready' } & Ready)
  | { readonly kind: 'clock'; readonly now: number }
  | ({ readonly kind: 'sent' } & Sent)
  | { readonly kind: 'unusable' | 'failed'; readonly problem: string };

export type ParentWord = 'begin' | 'stay' | 'noted';

/** Numbers of the deliveries that the service has sent in this run by the end of the demonstration. */
export interface Sent {
  /** Number of events for the hubs, including repeated ones. */
  readonly events: number;
  /** Number of webhooks that the endpoint has accepted, including repeated ones. */
  readonly webhooks: number;
}

/** The service of a demonstration, in a process that ends on disposal, or when this process ends. */
export interface DemoService extends Ready, AsyncDisposable {
  /** Returns the virtual time, in milliseconds since 1970. */
  now(): number;
  /** Lets the days of the demonstration pass. The endpoint must accept webhooks by now. */
  begin(): void;
  /** Lets time pass as on this machine's clock, after everything is sent. */
  stay(): void;
  /** Resolves at the end. Rejects with AORTA-BUG if the service fails. Never settles after disposal. */
  readonly sent: Promise<Sent>;
}

interface DemoServiceOptions {
  readonly seed: number;
  readonly course: Course;
  /** Time until which the service lives, in milliseconds since 1970. */
  readonly end: number;
  /** Connection string of the namespace. */
  readonly connection: string;
  /** Address of Aorta to which the service posts webhooks. */
  readonly webhook: string;
}

/**
 * Starts the service. Its state is in a file in the folder of the demonstration. Rejects with AORTA-STATE-UNUSABLE if another
 * version of Aorta wrote the state.
 */
export async function startDemoService(folder: string, options: DemoServiceOptions): Promise<DemoService> {
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
  const say = (word: ParentWord): void => void child.send(word);
  try {
    return { ...(await ready), now, sent, begin: () => say('begin'), stay: () => say('stay'), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function unusable(problem: string): AortaError {
  return new ProgramError('AORTA-STATE-UNUSABLE', {
    problem: problem.replace(/\.$/, ''),
    hint: 'Delete the folder of the demonstration, or choose another one with --folder.',
  });
}

function listenTo(child: ChildProcess) {
  const ready = Promise.withResolvers<Ready>();
  const sent = Promise.withResolvers<Sent>();
  let virtual = 0;
  const fail = (error: AortaError): void => {
    ready.reject(error);
    sent.reject(error);
  };
  const broken = (problem: string) => new AortaError('AORTA-BUG', { place: 'the service of the demonstration', problem });
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
      case 'unusable':
        fail(unusable(word.problem));
        break;
      case 'failed':
        fail(broken(word.problem));
    }
  });
  // If the parent disconnects before everything is sent, the process exits with code 0 and sends no message.
  child.once('exit', (code, signal) => {
    if (code !== 0) fail(broken(`ended with ${signal ?? code}`));
  });
  return { ready: ready.promise, sent: sent.promise, now: () => virtual };
}
