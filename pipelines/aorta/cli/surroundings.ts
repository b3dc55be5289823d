import type { Environment } from '../config/environment.ts';
import type { SuperviseOptions } from '../run/supervision/supervise.ts';
import type { ExitCode } from './exit.ts';
import type { Terminal } from './printing/terminal.ts';
import type { StopRequest } from './stop-request.ts';

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
