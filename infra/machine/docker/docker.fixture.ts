/** Helpers for tests of servers in containers: they start a Docker daemon and build images without a registry. */
export { type Daemon, startDaemon, whyNoDaemon } from './daemon.fixture.ts';
export { imageOf, librariesOf, place } from './image.fixture.ts';
