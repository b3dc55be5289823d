import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EventHubsControl } from './control.ts';
import { controlClient } from './control-port.ts';
import type { EventHubsOptions } from './event-hubs-server.ts';

/** A server in a process of its own, which dies with this one. */
export interface EventHubsProcess {
  readonly pid: number;
  readonly port: number;
  readonly controlPort: number;
  readonly connectionString: string;
  readonly faults: EventHubsControl;
  /** Ends it in good order. */
  stop(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** Starts a server in a process of its own. Rejects where it ends before it is ready; its reason is on standard error. */
export async function spawnEventHubs(options: EventHubsOptions): Promise<EventHubsProcess> {
  const file = join(import.meta.dirname, 'server.process.ts');
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const line = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (line === undefined) throw new Error('the server of Event Hubs ended before it was ready');
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
