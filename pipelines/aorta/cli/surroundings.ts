import type { Environment } from '../config/document.ts';
import type { SuperviseOptions } from '../run/supervisor.ts';
import { type ExitCode, exit } from './exit.ts';
import type { Terminal } from './printing/terminal.ts';

/** The environment in which a command runs. Tests pass their own. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Environment;
  /** Base folder for relative paths on the command line. */
  readonly folder: string;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Number of crashes of earlier worker processes under the same supervisor. Default: 0. */
  readonly restarts?: number;
  /**
   * Runs the command in a worker process that is restarted after a crash. Absent if this process is a worker itself or must
   * not start a worker.
   */
  readonly supervised?: (options: Pick<SuperviseOptions, 'logger' | 'afterCrash'>) => Promise<ExitCode>;
  /** Starts listening for SIGINT and SIGTERM, for work that must stop gracefully. */
  stopRequest(how?: { readonly quiet: boolean }): StopRequest;
}

/** The user's or the supervisor's request to stop. Disposal removes the signal listeners. */
interface StopRequest extends Disposable {
  readonly signal: AbortSignal;
  /** The process signal that requested the stop. */
  readonly cause: 'SIGINT' | 'SIGTERM' | undefined;
}

/**
 * Two signals within this many milliseconds count as one. The terminal sends a signal to both this process and its parent
 * process, and the parent process may forward it as well.
 */
const echo = 500;

/**
 * Listens for SIGINT and SIGTERM. The first signal asks the run to finish its current step and commit. The second signal
 * ends the process at once, but records that were reported as loaded are safe. If `abandoned` aborts, the supervisor is gone,
 * which has the same effect as SIGTERM.
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
      if (performance.now() - since > echo) end(stoppedBy(name));
      return;
    }
    cause = name;
    since = performance.now();
    say(
      name === 'SIGINT'
        ? 'Stopping after the step under way. Press Ctrl-C again to end at once.'
        : 'Stopping after the step under way.',
    );
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

/** Returns the exit code after a signal has interrupted the work. */
export function stoppedBy(cause: 'SIGINT' | 'SIGTERM'): ExitCode {
  return cause === 'SIGINT' ? exit.interrupted : exit.terminated;
}
