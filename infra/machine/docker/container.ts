import type { GenericContainer } from 'testcontainers';

/** A container, as the daemon knows it. */
export interface Container {
  readonly id: string;
  kill(): Promise<unknown>;
  stop(how: { t: number }): Promise<unknown>;
  start(): Promise<unknown>;
  pause(): Promise<unknown>;
  unpause(): Promise<unknown>;
  remove(how: { force: boolean; v: boolean }): Promise<unknown>;
  logs(which: { stdout: true; stderr: true }): Promise<Buffer>;
  inspect(): Promise<{ readonly State: { readonly Running: boolean; readonly Paused: boolean } }>;
}

interface StartedContainer {
  readonly container: Container;
  /** Where its ports are reached. */
  readonly host: string;
  /** The port of that host behind which a port of the container is. */
  port(of: number): number;
}

/** The host at which ports of containers are reached. Rejects where no daemon answers. */
export async function containerHost(): Promise<string> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return (await getContainerRuntimeClient()).info.containerRuntime.host;
}

/** Starts a container. Whether it serves is for the caller to ask: the strategies for that need programs in the image. */
export async function startContainer(prepared: GenericContainer): Promise<StartedContainer> {
  // Only here: a second of loading, and no part of what is installed for running.
  const { StartupCheckStrategy, getContainerRuntimeClient } = await import('testcontainers');
  class Begun extends StartupCheckStrategy {
    async checkStartupState() {
      return 'SUCCESS' as const;
    }
  }
  const { container, info } = await getContainerRuntimeClient();
  const started = await prepared.withWaitStrategy(new Begun()).start();
  return {
    container: container.getById(started.getId()),
    host: info.containerRuntime.host,
    port: (of) => started.getMappedPort(of),
  };
}

/** What a container has printed. */
export async function printedBy(container: Container): Promise<string> {
  return unframed(await container.logs({ stdout: true, stderr: true }));
}

/** The text of the frames that the daemon sends: 8 bytes, the last four of which say how long the text is. */
function unframed(frames: Buffer): string {
  let text = '';
  for (let at = 0; at + 8 <= frames.length; ) {
    const end = at + 8 + frames.readUInt32BE(at + 4);
    text += frames.toString('utf8', at + 8, end);
    at = end;
  }
  return text;
}
