/**
 * Tools for local servers: a cache, free ports, certificates, a control port, and programs and containers that end when
 * this process ends.
 */
export { cacheFolder } from '@aorta/runtime';
export { cached } from './cache.ts';
export { type Certificate, newAuthority } from './certificate.ts';
export { ControlPort, controlClient } from './control-port.ts';
export { type Container, containerHost, dockerAnswers, printedBy, startContainer } from './docker/container.ts';
export { closed, freePorts, isFree, listening } from './ports.ts';
export { cachedPython, OLDEST_PYTHON, pythonProblem } from './python.ts';
export { finished, type Guarded, PortTaken, reason, ServerProblem, startGuarded } from './run.ts';
