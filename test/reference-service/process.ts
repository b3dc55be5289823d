import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inTime } from '../../infra/machine/waiting.fixture.ts';
import { addTeam, type Team } from './team.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');

/** A process that runs `aorta service`. */
export interface RunningService {
  readonly url: string;
  readonly controlUrl: string;
  readonly child: ChildProcess;
  /** Sends a signal, and resolves to the exit code. Default: SIGTERM. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `aorta service` in a folder, and returns when it has printed its addresses. */
export async function startProcess(folder: string, words: readonly string[]): Promise<RunningService> {
  const all = [program, 'service', ...words, '--json'];
  const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const stop = async (signal?: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await exited)[0];
  };
  const failed = exited.then(([code]): never => {
    throw new Error(`aorta service ended with ${code}`);
  });
  try {
    const line = once(createInterface(child.stdout), 'line');
    const [first] = await inTime('the addresses of aorta service', Promise.race([line, failed]));
    const { url, control_url } = JSON.parse(first) as { url: string; control_url: string };
    return { url, controlUrl: control_url, child, stop };
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
}

/** A process that runs `aorta service`, with one team. */
export interface ServiceProcess extends Team {
  /** Sends SIGKILL. Resolves when the process has exited. */
  kill(): Promise<void>;
  /** Starts a new process at the same addresses, with the same state. */
  start(): Promise<void>;
}

/** Starts a service, which keeps its state in `folder/service`. */
export async function startServiceProcess(folder: string): Promise<ServiceProcess> {
  const start = (port: string, controlPort: string): Promise<RunningService> =>
    startProcess(folder, ['--folder', 'service', '--port', port, '--control-port', controlPort]);
  let running = await start('0', '0');
  const { url, controlUrl } = running;
  return {
    ...(await addTeam(url, controlUrl)),
    start: async () => {
      running = await start(new URL(url).port, new URL(controlUrl).port);
    },
    kill: async () => {
      await running.stop('SIGKILL');
    },
  };
}
