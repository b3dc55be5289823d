import { type ExitCode, exit } from './exit.ts';

/** The wish of a person or a supervisor that a run ends. At the end of its `using` block the process listens no more. */
export interface StopRequest extends Disposable {
  readonly signal: AbortSignal;
  /** Which signal asked for it. */
  readonly cause: 'SIGINT' | 'SIGTERM' | undefined;
}

/** Two signals within this time are one wish: a terminal sends it to every process, and a launcher passes on its own. */
const echo = 500;

/**
 * The first SIGINT or SIGTERM asks the run to finish its step and commit; the second ends the process at once, which costs
 * nothing that was reported as loaded. `abandoned` is as a SIGTERM: nobody would stop this process any more.
 */
export function listenForStop(
  say: (words: string) => void,
  source: NodeJS.EventEmitter = process,
  end: (code: number) => void = process.exit,
  abandoned?: AbortSignal,
): StopRequest {
  const controller = new AbortController();
  let cause: 'SIGINT' | 'SIGTERM' | undefined;
  let since = 0;
  const on = (name: 'SIGINT' | 'SIGTERM') => () => {
    if (cause !== undefined) {
      if (Date.now() - since > echo) end(stoppedBy(name));
      return;
    }
    cause = name;
    since = Date.now();
    say(name === 'SIGINT' ? 'Stopping after the step under way; once more ends at once.' : 'Stopping after the step under way.');
    controller.abort();
  };
  const listeners = { SIGINT: on('SIGINT'), SIGTERM: on('SIGTERM') } as const;
  for (const [name, listener] of Object.entries(listeners)) source.on(name, listener);
  if (abandoned?.aborted) listeners.SIGTERM();
  else abandoned?.addEventListener('abort', listeners.SIGTERM, { once: true });
  return {
    signal: controller.signal,
    get cause() {
      return cause;
    },
    [Symbol.dispose]() {
      for (const [name, listener] of Object.entries(listeners)) source.off(name, listener);
      abandoned?.removeEventListener('abort', listeners.SIGTERM);
    },
  };
}

/** Exit code of work that a signal ended before it was done. */
export function stoppedBy(cause: 'SIGINT' | 'SIGTERM'): ExitCode {
  return cause === 'SIGINT' ? exit.interrupted : exit.terminated;
}
