/** For tests of servers in containers: a daemon of our own, and images that no registry has to have. */
export { type Daemon, startDaemon, whyNoDaemon } from './daemon.fixture.ts';
export { imageOf, librariesOf, place } from './image.fixture.ts';
