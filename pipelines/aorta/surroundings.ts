import type { Environment } from './configuration/environment.ts';
import type { ExitCode } from './exit.ts';
import type { Terminal } from './printing/terminal.ts';
import type { StopRequest } from './stop-request.ts';
import type { SuperviseOptions } from './supervision/supervise.ts';

/** The environment of a verb, which tests replace. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Environment;
  /** Folder that relative paths of the command line start from. */
  readonly folder: string;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Crashes of earlier worker processes under the same supervisor. Default: 0. */
  readonly restarts?: number;
  /** Runs the verb in a worker process, restarted after a crash. Absent if this process is a worker or may not start one. */
  readonly supervised?: (options: Pick<SuperviseOptions, 'logger' | 'afterCrash'>) => Promise<ExitCode>;
  /** Listens for SIGINT and SIGTERM from now on, for work that must stop gracefully. */
  stopRequest(how?: { readonly quiet: boolean }): StopRequest;
}
