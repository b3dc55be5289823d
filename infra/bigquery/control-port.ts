import type { BigQueryControl } from './control.ts';

/** The control of a server in another process, by its control port on this machine. Rejects where the server refuses, or is gone. */
export function controlClient(controlPort: number): BigQueryControl {
  throw new Error(`not there yet (${controlPort})`);
}
