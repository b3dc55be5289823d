import { existsSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PING_TIMEOUT_MS = 2000;

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
