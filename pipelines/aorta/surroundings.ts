import type { Environment } from './configuration/environment.ts';
import type { ExitCode } from './exit.ts';
import type { Terminal } from './printing/terminal.ts';
import type { StopRequest } from './stop-request.ts';
import type { SuperviseOptions } from './supervision/supervise.ts';

/** What a verb has around it: everything that a test would want to give it. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Environment;
  /** Folder that relative paths of the command line start from. */
  readonly folder: string;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Crashes of working processes before this one, under one supervisor. Default: 0. */
  readonly restarts?: number;
  /** Has the verb done by a working process of its own, started again after a crash. Absent where this process is one, or may start none. */
  readonly supervised?: (options: Pick<SuperviseOptions, 'logger' | 'afterCrash'>) => Promise<ExitCode>;
  /** Listens to SIGINT and SIGTERM from now on, for work that has to end in order. */
  stopRequest(how?: { readonly quiet: boolean }): StopRequest;
}
