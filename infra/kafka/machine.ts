/** What a local server needs of this machine, whichever it is: a cache, ports, programs that end with us, Docker. */
export { cached, cacheFolder } from './cache.ts';
export { dockerAnswers } from './docker/answers.ts';
export { type Guarded, type GuardOptions, startGuarded } from './guarded.ts';
export { freePorts, isFree } from './ports.ts';
export { finished } from './run.ts';
