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

/** Returns the control of a server in another process on this machine. Its calls reject if the server refuses them or is gone. */
export const controlClient = (controlPort: number): EventHubsControl => machine.controlClient(commands, controlPort);
