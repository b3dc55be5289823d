import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isOnPath, missingForPackages, unpackedPackages } from '../debian-packages.fixture.ts';
import { reason, startGuarded } from '../run.ts';
import { until } from '../waiting.fixture.ts';
import { dockerAnswers } from './container.ts';

const run = promisify(execFile);

/** The Debian packages that contain a Docker daemon and the programs that the daemon needs. */
const PACKAGES = ['docker.io', 'containerd', 'runc'];
/** Folders that a daemon creates even if it is configured to use other folders. */
const ELSEWHERE = ['/etc/docker', '/opt/containerd', '/run/containerd', '/run/docker'];
const BRIDGE = 'aorta';

export interface Daemon {
  readonly host: string;
  readonly pid: number;
  /** The folder with the daemon's files. The folder and the network bridge remain if the daemon is killed. */
  readonly folder: string;
  readonly bridge: string;
  stop(): Promise<void>;
}

/** Returns why this machine cannot start a daemon; undefined if the requirements are met. */
export function whyNoDaemon(): string | undefined {
  if (process.platform !== 'linux') return 'no Docker daemon answers, and the tests can start one only on Linux: start Docker';
  if (process.getuid?.() !== 0) return 'no Docker daemon answers, and the tests can start one only as root: start Docker';
  const tools = ['unshare', 'ip'].filter((program) => !isOnPath(program));
  const lacking = [...tools, ...(isOnPath('dockerd') ? [] : missingForPackages())];
  return lacking.length === 0 ? undefined : `no Docker daemon answers, and to start one the tests need ${lacking.join(' and ')}`;
}

/**
 * Starts a Docker daemon. If `dockerd` is not installed, unpacks the distribution's packages into the cache. The daemon and
 * its containers run in their own PID and mount namespaces. All of them end when this process ends, even if this process
 * is killed. The daemon does not change the firewall or IP forwarding. Instead, its proxy publishes the containers' ports.
 */
export async function startDaemon(): Promise<Daemon> {
  const path = await programs();
  const folder = await mkdtemp(join(tmpdir(), 'aorta-docker-'));
  await removeAbandonedBridges();
  const bridge = `${BRIDGE}${process.pid}`;
  const socket = join(folder, 'docker.sock');
  const log = join(folder, 'daemon.log');
  const foreign = ELSEWHERE.filter((place) => existsSync(place));
  await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
  const clear = async (): Promise<void> => {
    await run('ip', ['link', 'delete', bridge]).catch(() => {});
    const own = ELSEWHERE.filter((place) => !foreign.includes(place));
    for (const place of [folder, ...own]) await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    await removeCgroups();
  };
  try {
    // 198.18.0.0/15 is reserved for network tests, so it does not collide with a real network.
    await run('ip', ['address', 'add', `198.18.${randomInt(256)}.1/24`, 'dev', bridge]);
    await run('ip', ['link', 'set', bridge, 'up']);
    const places = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'run'), '--pidfile', join(folder, 'pid')];
    const quiet = ['--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false'];
    const words = ['--host', `unix://${socket}`, ...places, '--bridge', bridge, ...quiet];
    const alone = ['--pid', '--fork', '--kill-child', '--mount', '--mount-proc'];
    const running = await startGuarded('env', [`PATH=${path}`, 'unshare', ...alone, 'dockerd', ...words], {
      log,
      needless: folder,
    });
    const said = async (): Promise<string> => reason(await readFile(log, 'utf8'));
    const answers = async (): Promise<boolean> => {
      if (!running.running) throw new Error(`the Docker daemon does not start: ${await said()}`);
      return dockerAnswers({ DOCKER_HOST: `unix://${socket}` });
    };
    try {
      await until('the Docker daemon to answer', answers, true, said);
    } catch (error) {
      running.signal('SIGKILL');
      await running.ended;
      throw error;
    }
    // When the first process in the PID namespace ends, the kernel kills all other processes in the namespace. `unshare`
    // waits for the first process.
    const first = Number((await run('pgrep', ['-P', String(running.pid)])).stdout);
    const stop = async (): Promise<void> => {
      if (running.running) process.kill(first, 'SIGKILL');
      await running.ended;
      await clear();
    };
    return { host: `unix://${socket}`, pid: first, folder, bridge, stop };
  } catch (error) {
    await clear();
    throw error;
  }
}

async function programs(): Promise<string> {
  const path = process.env.PATH ?? '';
  if (isOnPath('dockerd')) return path;
  const root = await unpackedPackages('docker-packages', PACKAGES);
  return [join(root, 'usr/sbin'), join(root, 'usr/bin'), path].join(delimiter);
}

/** Removes the network bridges of killed processes. Apart from files, a killed process leaves only its bridge behind. */
async function removeAbandonedBridges(): Promise<void> {
  for (const name of readdirSync('/sys/class/net')) {
    const [, pid] = new RegExp(`^${BRIDGE}(\\d+)$`).exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await run('ip', ['link', 'delete', name]).catch(() => {});
  }
}

/** Removes the cgroups that the kernel keeps after containers have ended. */
async function removeCgroups(root = '/sys/fs/cgroup'): Promise<void> {
  const places = [root, ...readdirSync(root).map((name) => join(root, name))];
  for (const place of places) {
    const group = join(place, 'docker');
    // rmdir fails if the cgroup is in use. In that case, it belongs to a different daemon.
    if (existsSync(group) && statSync(group).isDirectory()) await rmdir(group).catch(() => {});
  }
}
