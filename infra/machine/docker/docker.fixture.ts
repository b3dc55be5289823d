/** For tests of servers in containers: starts a Docker daemon, and builds images without a registry. */
export { type Daemon, startDaemon, whyNoDaemon } from './daemon.fixture.ts';
export { imageOf, librariesOf, place } from './image.fixture.ts';
