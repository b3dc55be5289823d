import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addTeam, type Team } from './team.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');

/** A process that runs `aorta service`, with one team. */
export interface ServiceProcess extends Team {
  /** Sends SIGKILL. Resolves when the process has exited. */
  kill(): Promise<void>;
  /** Starts a new process at the same addresses, with the same state. */
  start(): Promise<void>;
}

/** Starts a service, which keeps its state in `folder`. */
export async function startServiceProcess(folder: string): Promise<ServiceProcess> {
  let child: ChildProcess;
  const start = async (port: string, controlPort: string): Promise<{ url: string; control_url: string }> => {
    const words = ['service', '--folder', folder, '--port', port, '--control-port', controlPort, '--json'];
    const started = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
    child = started;
    return await new Promise((resolve, reject) => {
      createInterface({ input: started.stdout }).once('line', (line) => resolve(JSON.parse(line)));
      started.once('exit', (code) => reject(new Error(`aorta service ended with ${code}`)));
    });
  };
  const { url, control_url } = await start('0', '0');
  return {
    ...(await addTeam(url, control_url)),
    start: async () => {
      await start(new URL(url).port, new URL(control_url).port);
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
