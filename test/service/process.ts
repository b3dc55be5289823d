import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { World } from './world.ts';

/** A scripted service in a child process. */
export interface ServiceProcess {
  readonly url: string;
  /** Replaces the service's data, starting with the next request. */
  tell(world: World): void;
  /** Sends SIGKILL. Resolves when the process has exited. */
  kill(): Promise<void>;
  /** Starts a new process at the same address. */
  start(): Promise<void>;
}

/** Starts a scripted service. Writes its data, `world`, to a file in `folder`. */
export async function startServiceProcess(world: World, folder: string): Promise<ServiceProcess> {
  const file = join(folder, 'world.json');
  const tell = (next: World): void => {
    writeFileSync(`${file}.new`, JSON.stringify(next));
    renameSync(`${file}.new`, file);
  };
  tell(world);
  const port = await freePort();
  let child: ReturnType<typeof spawn> | undefined;
  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [join(import.meta.dirname, 'service.process.ts'), file, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: started.stdout! }).once('line', () => resolve());
      started.once('exit', (code) => reject(new Error(`the scripted service ended with ${code}`)));
    });
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    tell,
    start,
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child!.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
