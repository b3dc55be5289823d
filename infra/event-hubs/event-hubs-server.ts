import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ControlPort } from '@aorta/machine';
import { AmqpListener } from './amqp-listener.ts';
import { commands, controlClient, type EventHubsControl, LocalControl } from './control.ts';
import { Hub, type HubDeclaration } from './hub.ts';
import type { SharedAccessKey } from './sas.ts';

export interface EventHubsOptions {
  readonly hubs: readonly HubDeclaration[];
  /** the key for signing tokens. The default key may be public, because the server listens only on 127.0.0.1 */
  readonly key?: SharedAccessKey;
  /** the folder in which the partitions are stored. Default: none, so the events are lost when the process ends */
  readonly folder?: string;
  /** whether senders choose the enqueued times of their events, as `openTimedPublisher` does. Default: false */
  readonly sendersSetTimes?: boolean;
  /** default: 0, which means any free port */
  readonly port?: number;
  /** default: 0, which means any free port */
  readonly controlPort?: number;
  /** names that HTTP requests may have in `Host` and `Origin`, besides those of this machine */
  readonly allowedHosts?: readonly string[];
}

export interface EventHubsServer extends AsyncDisposable {
  readonly port: number;
  readonly controlPort: number;
  /** connection string without a hub. The option `UseDevelopmentEmulator=true` makes the official clients use plain TCP */
  readonly connectionString: string;
  readonly faults: EventHubsControl;
  /** Closes connections and ports cleanly. Disposing the server does the same. */
  stop(): Promise<void>;
  /** Resets connections and closes ports, as if the process were killed. */
  kill(): Promise<void>;
}

const defaultKey: SharedAccessKey = { name: 'RootManageSharedAccessKey', key: 'aorta-on-this-machine-only' };

/**
 * Starts a server that the official clients can use like an Event Hubs namespace. Rejects if a port is in use or a hub is
 * invalid.
 */
export async function startEventHubs(options: EventHubsOptions): Promise<EventHubsServer> {
  const { hubs: declarations, key = defaultKey, folder, sendersSetTimes = false, allowedHosts = [] } = options;
  const hubs = new Map(declarations.map((declaration) => [declaration.name.toLowerCase(), new Hub(declaration, folder)]));
  const listener = new AmqpListener(hubs, { key, sendersSetTimes, allowedHosts });
  const faults = new LocalControl(listener, hubs);
  const control = new ControlPort(commands, faults, allowedHosts);
  const end = async (amqp: Promise<void>) => {
    await Promise.all([amqp, control.close()]);
    for (const hub of hubs.values()) hub.close();
  };
  try {
    const port = await listener.listen(options.port ?? 0);
    const controlPort = await control.listen(options.controlPort ?? 0);
    const stop = (): Promise<void> => end(listener.stop());
    return {
      port,
      controlPort,
      connectionString: `Endpoint=sb://127.0.0.1:${port};SharedAccessKeyName=${key.name};SharedAccessKey=${key.key};UseDevelopmentEmulator=true`,
      faults,
      stop,
      kill: () => end(listener.kill()),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await end(listener.kill());
    throw error;
  }
}

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
