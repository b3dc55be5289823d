import type { WebSocketOptions } from '@azure/event-hubs';
import { isEmulator } from '../connection-string.ts';
import type { EventHubsSettings } from './options.ts';

export type TransportSettings = Pick<EventHubsSettings, 'transport' | 'proxy' | 'connection'>;

/** Maximum duration of a WebSocket handshake, including the handshake with a proxy, in milliseconds. */
const HANDSHAKE_MS = 10_000;

/** Returns the client's WebSocket options, with the proxy if one is configured. Returns undefined for plain AMQP. */
export async function webSocketOptions(settings: TransportSettings): Promise<WebSocketOptions | undefined> {
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
    webSocketConstructorOptions: { handshakeTimeout: HANDSHAKE_MS, ...(agent === undefined ? {} : { agent }) },
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
