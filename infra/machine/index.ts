/**
 * Tools for local servers: a cache, free ports, certificates, a control port, and programs and containers that end when
 * this process ends.
 */
export { cached, cacheFolder } from './cache.ts';
export { type Certificate, newAuthority } from './certificate.ts';
export { ControlPort, controlClient } from './control-port.ts';
export { dockerAnswers } from './docker/answers.ts';
export { type Container, containerHost, printedBy, startContainer } from './docker/container.ts';
export { type Guarded, startGuarded } from './guarded.ts';
export { closed, listening } from './loopback.ts';
export { freePorts, isFree } from './ports.ts';
export { PortTaken, ServerProblem } from './problem.ts';
export { finished, reason } from './run.ts';
