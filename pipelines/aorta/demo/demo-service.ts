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

/** A message of the service to its parent. The parent answers `clock` with `noted`. */
export type ServiceMessage =
  | ({ readonly kind: 'ready' } & Ready)
  | { readonly kind: 'clock'; readonly now: number }
  | ({ readonly kind: 'sent' } & Sent)
  | { readonly kind: 'unusable' | 'failed'; readonly problem: string };

export type ParentMessage = 'begin' | 'stay' | 'noted';

/** How many deliveries the service has sent in this run by the end of the demonstration. */
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
  /** Starts the days of the demonstration. The endpoint must already accept webhooks. */
  begin(): void;
  /** Follows this machine's clock from now on. Call it only after everything up to the end is sent. */
  stay(): void;
  /** Resolves when everything up to the end is sent. */
  readonly sent: Promise<Sent>;
  /** Rejects with AORTA-BUG if the service fails, at any time before disposal. Never resolves. */
  readonly failure: Promise<never>;
}

interface DemoServiceOptions {
  readonly seed: number;
  readonly course: Course;
  /** Virtual time up to which the service runs, in milliseconds since 1970. */
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
  const { ready, sent, failure, now } = listenTo(child);
  const end = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await exited;
  };
  const send = (message: ParentMessage): void => void child.send(message);
  try {
    return {
      ...(await Promise.race([ready, failure])),
      now,
      sent,
      failure,
      begin: () => send('begin'),
      stay: () => send('stay'),
      [Symbol.asyncDispose]: end,
    };
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
  const failure = Promise.withResolvers<never>();
  // The caller may not await it at the time of the failure.
  failure.promise.catch(() => {});
  let virtual = 0;
  const fail = (problem: string): void =>
    failure.reject(new AortaError('AORTA-BUG', { place: 'the service of the demonstration', problem }));
  child.on('message', (message: ServiceMessage) => {
    switch (message.kind) {
      case 'ready':
        ready.resolve(message);
        break;
      case 'clock':
        virtual = message.now;
        child.send('noted' satisfies ParentMessage);
        break;
      case 'sent':
        sent.resolve(message);
        break;
      case 'unusable':
        failure.reject(unusable(message.problem));
        break;
      case 'failed':
        fail(message.problem);
    }
  });
  // For example, the process has ended before it could get a message.
  child.on('error', ({ code, name }: NodeJS.ErrnoException) => fail(code ?? name));
  // On disposal, the process exits with code 0.
  child.once('exit', (code, signal) => {
    if (code !== 0) fail(`ended with ${signal ?? code}`);
  });
  return { ready: ready.promise, sent: sent.promise, failure: failure.promise, now: () => virtual };
}
