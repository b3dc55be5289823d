import { existsSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { GenericContainer } from 'testcontainers';

const PING_TIMEOUT_MS = 2000;

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
  /** The host on which the container's ports are published. */
  readonly host: string;
  /** Returns the host's port on which a port of the container is published. */
  port(of: number): number;
}

/** Returns the host on which container ports are published. Rejects if no Docker daemon answers. */
export async function containerHost(): Promise<string> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return (await getContainerRuntimeClient()).info.containerRuntime.host;
}

/**
 * Starts a container without waiting until its server is ready. The caller must check that the server is ready, because
 * the checks of testcontainers run programs that the image may not contain.
 */
export async function startContainer(prepared: GenericContainer): Promise<StartedContainer> {
  // Imported lazily: testcontainers takes a second to load, and it is only a development dependency.
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

export async function printedBy(container: Container): Promise<string> {
  return unframed(await container.logs({ stdout: true, stderr: true }));
}

/**
 * Extracts the log text from the daemon's frames. Each frame has a header of 8 bytes, whose last four bytes are the
 * length of the text.
 */
function unframed(frames: Buffer): string {
  let text = '';
  for (let at = 0; at + 8 <= frames.length; ) {
    const end = at + 8 + frames.readUInt32BE(at + 4);
    text += frames.toString('utf8', at + 8, end);
    at = end;
  }
  return text;
}

/**
 * Returns whether a Docker daemon answers at DOCKER_HOST or at the usual sockets. This check is faster than loading a
 * Docker client.
 */
export async function dockerAnswers(environment: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const { DOCKER_HOST: host, XDG_RUNTIME_DIR: runtime } = environment;
  if (host !== undefined) {
    const { protocol, pathname, hostname, port } = new URL(host);
    return pings(protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port: port || 2375 });
  }
  const sockets = ['/var/run/docker.sock', join(homedir(), '.docker', 'run', 'docker.sock')];
  if (runtime !== undefined) sockets.push(join(runtime, 'docker.sock'));
  for (const socketPath of sockets) if (existsSync(socketPath) && (await pings({ socketPath }))) return true;
  return false;
}

function pings(to: RequestOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ ...to, path: '/_ping', timeout: PING_TIMEOUT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
