// Imports nothing else at run time, so that the thread can start before the command is loaded.
import { MessageChannel, Worker } from 'node:worker_threads';
import type { ThreadSettings } from './calls.ts';

/** A loader's thread that loads its modules, and then waits for its settings. */
export interface StartedThread {
  readonly worker: Worker;
  /** Sends the settings. Call it once. */
  begin(settings: ThreadSettings): void;
}

/** Maximum megabytes of young objects. By default, the thread takes 45 MB more and is no faster. */
const YOUNG_MB = 24;

let prestarted: StartedThread | undefined;

function startThread(): StartedThread {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: port2,
    transferList: [port2],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  return { worker, begin: (settings) => port1.postMessage(settings) };
}

/** Starts a thread for the next call of {@link takeThread}. It does not keep the process alive. */
export function prestartThread(): void {
  const started = startThread();
  started.worker.unref();
  // The next thread fails in the same way, and its user reports the error.
  started.worker.once('error', () => {
    prestarted = undefined;
  });
  prestarted = started;
}

/** Returns the thread that was started in advance, or starts one. */
export function takeThread(): StartedThread {
  const thread = prestarted ?? startThread();
  prestarted = undefined;
  thread.worker.ref();
  return thread;
}
