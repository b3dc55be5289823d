import { ControlPort } from '@aorta/machine';
import { AmqpListener } from './amqp-listener.ts';
import { type EventHubsControl, LocalControl } from './control.ts';
import { commands } from './control-port.ts';
import { Hub, type HubDeclaration } from './hub.ts';
import type { SharedAccessKey } from './sas.ts';

export interface EventHubsOptions {
  readonly hubs: readonly HubDeclaration[];
  /** the one key that tokens are signed with; by default one that everybody knows, since the server listens on 127.0.0.1 only */
  readonly key?: SharedAccessKey;
  /** where partitions are kept; without it they are gone with the process */
  readonly folder?: string;
  /** default 0: any that is free */
  readonly port?: number;
  /** default 0: any that is free */
  readonly controlPort?: number;
}

export interface EventHubsServer extends AsyncDisposable {
  readonly port: number;
  readonly controlPort: number;
  /** of the namespace: it names no hub. The official clients use plain TCP because of its `UseDevelopmentEmulator=true` */
  readonly connectionString: string;
  readonly faults: EventHubsControl;
  /** Closes connections and ports in good order, as disposing of it does. */
  stop(): Promise<void>;
  /** Resets connections and closes ports, as if the process were killed. */
  kill(): Promise<void>;
}

const defaultKey: SharedAccessKey = { name: 'RootManageSharedAccessKey', key: 'aorta-on-this-machine-only' };

/** Starts a server that the official clients take for a namespace of Event Hubs. Rejects where a port is taken or a hub cannot be. */
export async function startEventHubs(options: EventHubsOptions): Promise<EventHubsServer> {
  const { hubs: declarations, key = defaultKey, folder } = options;
  const hubs = new Map(declarations.map((declaration) => [declaration.name.toLowerCase(), new Hub(declaration, folder)]));
  const listener = new AmqpListener(hubs, key);
  const faults = new LocalControl(listener, hubs);
  const control = new ControlPort(commands, faults);
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
