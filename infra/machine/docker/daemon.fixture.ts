import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cached } from '../cache.ts';
import { startGuarded } from '../guarded.ts';
import { reason } from '../run.ts';
import { dockerAnswers } from './answers.ts';

const run = promisify(execFile);

/** What runs containers, of the distribution, and what of it is needed. */
const PACKAGES = ['docker.io', 'containerd', 'runc'];
const PROGRAMS = ['dockerd', 'docker-proxy', 'docker-init', 'containerd', 'containerd-shim-runc-v2', 'runc'];
/** What a daemon makes for itself wherever it is told to keep its things. */
const ELSEWHERE = ['/etc/docker', '/opt/containerd', '/run/containerd', '/run/docker'];
/** Of a bridge; the number of its process follows. */
const BRIDGE = 'aorta';
const UP_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** A Docker daemon that is ours. */
export interface Daemon {
  readonly host: string;
  readonly pid: number;
  /** What would be left of it: its files, its network. */
  readonly folder: string;
  readonly bridge: string;
  stop(): Promise<void>;
}

/** Why none can be started, as a sentence; undefined where it can be tried. */
export function whyNoDaemon(): string | undefined {
  if (process.platform !== 'linux') return 'no Docker daemon answers, and one of our own needs Linux: start Docker';
  if (process.getuid?.() !== 0) return 'no Docker daemon answers, and one of our own needs root: start Docker';
  const lacking = ['unshare', 'ip', ...(isOnPath('dockerd') ? [] : ['apt-get', 'dpkg-deb'])].filter(
    (program) => !isOnPath(program),
  );
  return lacking.length === 0 ? undefined : `no Docker daemon answers, and one of our own needs ${lacking.join(' and ')}`;
}

/**
 * Starts one, with the programs of the distribution's packages, which are unpacked into the cache and not installed. It and all
 * that it starts live in namespaces of processes and mounts of their own, so that they end together, also where this
 * process is killed. It leaves the firewall and the forwarding of packets alone: ports of containers are served by its proxy.
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
    // Of the range for tests of networks: nobody's own is there.
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
    const deadline = performance.now() + UP_MS;
    while (!(await dockerAnswers({ DOCKER_HOST: `unix://${socket}` }))) {
      if (running.running && performance.now() < deadline) {
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      running.signal('SIGKILL');
      await running.ended;
      throw new Error(`the Docker daemon does not start: ${reason(await readFile(log, 'utf8'))}`);
    }
    // The first process of the namespace: its end is that of all others, and what made the namespace waits for it.
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

/** The PATH with the programs of a daemon. */
async function programs(): Promise<string> {
  const path = process.env.PATH ?? '';
  if (isOnPath('dockerd')) return path;
  const system = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'linux';
  const root = await cached(`docker-${system}-${process.arch}`, async (to) => {
    const fetched = join(to, 'packages');
    await mkdir(fetched);
    const download = () => run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', ...PACKAGES], { cwd: fetched });
    // The lists of a fresh machine are empty, and old ones name packages that are gone.
    await download().catch(() => run('apt-get', ['-qq', 'update']).then(download));
    const unpacked = join(to, 'unpacked');
    for (const name of readdirSync(fetched)) await run('dpkg-deb', ['-x', join(fetched, name), unpacked]);
    for (const name of PROGRAMS) {
      const from = ['usr/sbin', 'usr/bin'].map((place) => join(unpacked, place, name)).find((file) => existsSync(file));
      // One that a package has not is not needed by the daemon of that package.
      if (from !== undefined) await rename(from, join(to, name));
    }
    await Promise.all([fetched, unpacked].map((place) => rm(place, { recursive: true })));
  });
  return [root, path].join(delimiter);
}

/** Of processes that were killed: the bridge is all that outlives them, apart from files. */
async function removeAbandonedBridges(): Promise<void> {
  for (const name of readdirSync('/sys/class/net')) {
    const [, pid] = new RegExp(`^${BRIDGE}(\\d+)$`).exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await run('ip', ['link', 'delete', name]).catch(() => {});
  }
}

/** Groups of control, which the kernel keeps for containers that are gone. */
async function removeCgroups(root = '/sys/fs/cgroup'): Promise<void> {
  const places = [root, ...readdirSync(root).map((name) => join(root, name))];
  for (const place of places) {
    const group = join(place, 'docker');
    // Only where nothing is in it: else it is somebody else's.
    if (existsSync(group) && statSync(group).isDirectory()) await rmdir(group).catch(() => {});
  }
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
