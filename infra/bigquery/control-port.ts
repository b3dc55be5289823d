import * as machine from '@aorta/machine';
import type { BigQueryControl } from './control.ts';

export const commands = [
  'inject',
  'remove',
  'quotas',
  'reservation',
  'advance',
  'state',
] as const satisfies readonly (keyof BigQueryControl)[];

/**
 * Returns an object that controls a server in another process on this machine. Its calls reject if the server refuses them or
 * has stopped.
 */
export const controlClient = (controlPort: number): BigQueryControl => machine.controlClient(commands, controlPort);
