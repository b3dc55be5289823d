import * as machine from '@aorta/machine';
import type { EventHubsControl } from './control.ts';

export const commands = [
  'state',
  'detach',
  'close',
  'reset',
  'freeze',
  'thaw',
  'mute',
  'unmute',
  'refuse',
  'admit',
  'stall',
  'delay',
  'undelay',
  'repeatDeliveries',
  'repeatStores',
  'append',
  'trim',
  'recreate',
  'rotateKey',
  'revokeListen',
  'grantListen',
  'deleteHub',
  'restoreHub',
  'deleteGroup',
  'createGroup',
] as const satisfies readonly (keyof EventHubsControl)[];

/**
 * Returns a client that controls a server in a different process on this machine. A call rejects if the command fails or
 * the server is not running.
 */
export const controlClient = (controlPort: number): EventHubsControl => machine.controlClient(commands, controlPort);
