import { within } from '@aorta/runtime';
import { EventHubConsumerClient, type EventHubConsumerClientOptions, RetryMode, type WebSocketOptions } from '@azure/event-hubs';
import { Connection, ConnectionEvents, Receiver } from 'rhea-promise';
import { hostOfConnection, isEmulator } from '../sources/connection-string.ts';
import type { EventHubsSettings } from './options.ts';

/** Maximum duration of a WebSocket handshake, including the handshake with a proxy, in milliseconds. */
const HANDSHAKE_MS = 10_000;

/** Maximum time to wait for a client or store to close, in milliseconds. Closing can hang if the service no longer responds. */
const CLOSE_MS = 2000;

export interface Namespace {
  /** Host name of the namespace. It is not a secret, so it may be displayed. */
  readonly host: string;
  readonly group: string;
  /** Returns a client for receiving, which retries by itself. */
  receiver(hub: string): EventHubConsumerClient;
  /** Returns a client for single requests. It does not retry, because callers have their own deadlines. */
  asker(hub: string): EventHubConsumerClient;
}

/** Maximum duration of one attempt by the client, in milliseconds. */
const ATTEMPT_MS = 10_000;

type NamespaceSettings = Pick<
  EventHubsSettings,
  'connection' | 'namespace' | 'identity' | 'consumer_group' | 'transport' | 'proxy'
>;

/**
 * Works around three bugs in the Event Hubs client that its settings cannot prevent. This function replaces methods of
 * the AMQP library, which no other code in this process uses. A second call does nothing.
 */
export function applyWorkarounds(): void {
  if (mended) return;
  mended = true;
  boundPrefetch();
  nameClosedLinks();
  survivePartings();
}

let mended = false;

/**
 * Limits how many events the hub may send ahead. In every receive cycle, the client grants credit for a whole prefetch
 * and ignores the link's remaining credit. A link without events therefore accumulates credit for tens of thousands of
 * events, and a later burst arrives all at once. With this workaround, the credit never exceeds one prefetch.
 */
function boundPrefetch(): void {
  const { addCredit } = Receiver.prototype;
  Receiver.prototype.addCredit = function (credit) {
    const lacking = credit - this.credit;
    if (lacking > 0) addCredit.call(this, lacking);
  };
}

/**
 * Gives closed links an address. If a connection closes while the client waits for a response, the client later reads
 * the address of the closed link for an error message. The library then throws a TypeError inside a timer or abort
 * handler. No code can catch that error, so it ends the process. The client can handle an empty address.
 */
function nameClosedLinks(): void {
  Object.defineProperty(Receiver.prototype, 'address', {
    configurable: true,
    get(this: Receiver): string {
      return this.source?.address ?? '';
    },
  });
}

/**
 * Keeps an `error` listener on every connection. If the library throws while it reads or writes a frame, it emits
 * `error` on the connection and closes the connection. This happens, for example, if a link is refused while it closes.
 * The client stops listening when it drops a connection, so the event would end the process. All code here handles
 * closed connections.
 */
function survivePartings(): void {
  const survive = (): void => {};
  const { open } = Connection.prototype;
  Connection.prototype.open = function (options) {
    if (!this.listeners(ConnectionEvents.error).includes(survive)) this.on(ConnectionEvents.error, survive);
    return open.call(this, options);
  };
}

type TransportSettings = Pick<EventHubsSettings, 'transport' | 'proxy' | 'connection'>;

/** Returns the client's WebSocket options, with the proxy if one is configured. Returns undefined for plain AMQP. */
async function webSocketOptions(settings: TransportSettings): Promise<WebSocketOptions | undefined> {
  const { transport, proxy, connection } = settings;
  if (transport === 'amqp') return undefined;
  const { WebSocket } = await import('ws');
  const agent = proxy === undefined ? undefined : new (await import('https-proxy-agent')).HttpsProxyAgent(proxy);
  // The client always uses TLS here, but a local server has none.
  const plain = connection !== undefined && isEmulator(connection);
  class AmqpWebSocket extends WebSocket {
    constructor(url: string, protocols: string[], options: object) {
      super(plain ? url.replace(/^wss:/, 'ws:') : url, protocols, options);
      // This listener runs before the client's, so that the reported error has a code.
      this.on('error', (error: NodeJS.ErrnoException) => {
        const status = /^Unexpected server response: (\d{3})$/.exec(error.message)?.[1];
        if (status !== undefined) error.code = `HTTP_${status}`;
      });
    }
  }
  return {
    webSocket: AmqpWebSocket as never,
    webSocketConstructorOptions: { handshakeTimeout: HANDSHAKE_MS, agent },
  };
}

/** Returns the proxy options for the Azure Storage and Azure Identity clients. */
export function proxyOptions({ proxy }: Pick<EventHubsSettings, 'proxy'>) {
  if (proxy === undefined) return {};
  const { protocol, hostname, port, username, password } = new URL(proxy);
  const login = username === '' ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return { proxyOptions: { host: `${protocol}//${hostname}`, port: port === '' ? defaultPort : Number(port), ...login } };
}

/** Opens the configured namespace. Loads the Azure credential only if there is no connection string. */
export async function openNamespace(settings: NamespaceSettings, worker: string): Promise<Namespace> {
  applyWorkarounds();
  const { connection, namespace = '', consumer_group: group } = settings;
  const credential = connection === undefined ? await platformCredential(settings) : undefined;
  const webSockets = await webSocketOptions(settings);
  const common = { identifier: worker, webSocketOptions: webSockets };
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
          // Longer pauses between retries would extend an outage.
          maxRetryDelayInMs: 1000,
          maxRetries: 1000,
          timeoutInMs: ATTEMPT_MS,
        },
      }),
    asker: (hub) => client(hub, { retryOptions: { maxRetries: 0, timeoutInMs: ATTEMPT_MS } }),
  };
}

/** Returns the hub's name. If the connection string names the hub, the client requires the spelling used there. */
function hubFor(connection: string, hub: string): string {
  const named = /(?:^|;)\s*EntityPath\s*=\s*([^;]+)/i.exec(connection)?.[1]?.trim();
  return named !== undefined && named.toLowerCase() === hub ? named : hub;
}

/**
 * Returns a credential that the Azure Identity library finds. The library tries workload identity, managed identity,
 * environment variables and `az login`.
 */
export async function platformCredential({ identity, proxy }: Pick<EventHubsSettings, 'identity' | 'proxy'>) {
  const { DefaultAzureCredential } = await import('@azure/identity');
  const { client_id: clientId } = identity;
  return new DefaultAzureCredential({
    ...proxyOptions({ proxy }),
    managedIdentityClientId: clientId,
  });
}

/**
 * Closes a client or store. Never rejects, and waits at most {@link CLOSE_MS}. If closing takes longer, it continues in the
 * background.
 */
export async function closeQuietly(closing: { close(): Promise<void> }): Promise<void> {
  await within(CLOSE_MS, closing.close()).catch(() => {});
}

/** Returns a disposable for `using` that calls {@link closeQuietly} without waiting for it. */
export function closedAfterwards(closing: { close(): Promise<void> }): Disposable {
  return { [Symbol.dispose]: () => void closeQuietly(closing) };
}
