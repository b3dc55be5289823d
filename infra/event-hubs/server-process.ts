import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EventHubsControl } from './control.ts';
import { controlClient } from './control-port.ts';
import type { EventHubsOptions } from './event-hubs-server.ts';

/** A server in a separate process, which ends when this process ends. */
export interface EventHubsProcess {
  readonly pid: number;
  readonly port: number;
  readonly controlPort: number;
  readonly connectionString: string;
  readonly faults: EventHubsControl;
  /** Shuts the server down cleanly. */
  stop(): Promise<void>;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts a server in a separate process. Rejects if the process exits before the server is ready. The process prints the
 * reason on standard error.
 */
export async function spawnEventHubs(options: EventHubsOptions): Promise<EventHubsProcess> {
  const file = join(import.meta.dirname, 'server.process.ts');
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const line = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (line === undefined) throw new Error('the Event Hubs server exited before it was ready; see its message on standard error');
  const ready = JSON.parse(line[0] as string) as { port: number; controlPort: number; connectionString: string };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    pid: child.pid!,
    ...ready,
    faults: controlClient(ready.controlPort),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
