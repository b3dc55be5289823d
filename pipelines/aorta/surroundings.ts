import type { Environment } from './configuration/environment.ts';
import type { Terminal } from './printing/terminal.ts';
import type { StopRequest } from './stop-request.ts';

/** What a verb has around it: everything that a test would want to give it. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Environment;
  /** Folder that relative paths of the command line start from. */
  readonly folder: string;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Listens to SIGINT and SIGTERM from now on, for work that has to end in order. */
  stopRequest(how?: { readonly quiet: boolean }): StopRequest;
}
