import * as machine from '@aorta/machine';
import type { BigQueryControl } from './control.ts';

/** The commands of the control port. */
export const commands = [
  'inject',
  'remove',
  'quotas',
  'reservation',
  'advance',
  'state',
] as const satisfies readonly (keyof BigQueryControl)[];

/** The control of a server in another process, by its control port on this machine. Rejects where the server refuses, or is gone. */
export const controlClient = (controlPort: number): BigQueryControl => machine.controlClient(commands, controlPort);
