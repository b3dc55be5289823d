/** What a local server needs of this machine, whichever it is: a cache, ports, programs that end with us, a port for faults. */
export { cached, cacheFolder } from './cache.ts';
export { ControlPort, controlClient } from './control-port.ts';
export { type Guarded, startGuarded } from './guarded.ts';
export { closed, listening } from './loopback.ts';
export { freePorts, isFree } from './ports.ts';
export { finished, reason } from './run.ts';
