import { within } from '@aorta/runtime';
import { EventHubConsumerClient, type EventHubConsumerClientOptions, RetryMode } from '@azure/event-hubs';
import { hostOfConnection } from '../connection-string.ts';
import { mendClient } from './client-mends.ts';
import type { EventHubsSettings } from './options.ts';
import { proxyOptions, webSocketOptions } from './web-sockets.ts';

/** Makes clients of the hubs of one namespace. */
export interface Namespace {
  /** Host of the namespace, as it may be told. */
  readonly host: string;
  readonly group: string;
  /** A client for receiving, which mends what it can by itself. */
  receiver(hub: string): EventHubConsumerClient;
  /** A client for asking, which fails at once: whoever asks has a deadline of his own. */
  asker(hub: string): EventHubConsumerClient;
}

/** Milliseconds that one attempt of the client may take. */
const ATTEMPT_MS = 10_000;

type NamespaceSettings = Pick<
  EventHubsSettings,
  'connection' | 'namespace' | 'identity' | 'consumer_group' | 'transport' | 'proxy'
>;

/** The namespace that the settings name. The credential of the platform is loaded only where there is no connection string. */
export async function openNamespace(settings: NamespaceSettings, worker: string): Promise<Namespace> {
  mendClient();
  const { connection, namespace = '', consumer_group: group } = settings;
  const credential = connection === undefined ? await platformCredential(settings) : undefined;
  const webSockets = await webSocketOptions(settings);
  const common = { identifier: worker, ...(webSockets === undefined ? {} : { webSocketOptions: webSockets }) };
  const client = (hub: string, options: EventHubConsumerClientOptions): EventHubConsumerClient =>
    credential === undefined
      ? new EventHubConsumerClient(group, connection!, hubFor(connection!, hub), { ...common, ...options })
      : new EventHubConsumerClient(group, namespace, hub, credential, { ...common, ...options });
  return {
    host: connection === undefined ? namespace.toLowerCase() : hostOfConnection(connection),
    group,
    receiver: (hub) =>
      client(hub, {
        retryOptions: {
          mode: RetryMode.Exponential,
          retryDelayInMs: 300,
          // Longer pauses would be a silence beyond the fault itself.
          maxRetryDelayInMs: 1000,
          maxRetries: 1000,
          timeoutInMs: ATTEMPT_MS,
        },
      }),
    asker: (hub) => client(hub, { retryOptions: { maxRetries: 0, timeoutInMs: ATTEMPT_MS } }),
  };
}

/** A connection string that names a hub wants it spelled in the same way. */
function hubFor(connection: string, hub: string): string {
  const named = /(?:^|;)\s*EntityPath\s*=\s*([^;]+)/i.exec(connection)?.[1]?.trim();
  return named !== undefined && named.toLowerCase() === hub ? named : hub;
}

/** The platform's identity: workload identity, managed identity, environment, az login, in the order of the library. */
export async function platformCredential({ identity, proxy }: Pick<EventHubsSettings, 'identity' | 'proxy'>) {
  const { DefaultAzureCredential } = await import('@azure/identity');
  const { client_id: clientId } = identity;
  return new DefaultAzureCredential({
    ...proxyOptions({ proxy }),
    ...(clientId === undefined ? {} : { managedIdentityClientId: clientId }),
  });
}

/** Milliseconds that closing may take: it may hang, or wait for a peer that is gone. */
const CLOSE_MS = 2000;

/** Closes what has a connection. Never rejects, and never waits for long; what is left over ends with the process. */
export async function closeQuietly(closing: { close(): Promise<void> }): Promise<void> {
  await within(CLOSE_MS, closing.close()).catch(() => {});
}

/** Has `using` close what has a connection, by {@link closeQuietly}. The block does not wait for it. */
export function closedAfterwards(closing: { close(): Promise<void> }): Disposable {
  return { [Symbol.dispose]: () => void closeQuietly(closing) };
}
